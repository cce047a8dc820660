/// The nightly backup of a hub's data, as far as the hub reports of it.
public protocol BackupService: Sendable {
    /// The statistics at this moment.
    var statistics: BackupStatistics { get }

    /// Makes a backup as soon as possible, without waiting for it.
    func makeNow()
}

/// The statistics of the nightly backup, for metrics.
public struct BackupStatistics: Sendable, Equatable {
    /// The number of complete backups since the hub was started.
    public var completed = 0
    /// The number of failed backups since the hub was started.
    public var failures = 0
    /// The time of the newest backup in seconds since 1970, also of one before the hub was started; 0: there is none.
    public var newest: Int64 = 0
    /// The duration of the last backup in seconds.
    public var lastDuration = 0.0
    /// The size of the last backup in bytes.
    public var lastBytes: Int64 = 0
    /// The last failure as a sentence; nil: the last backup is complete.
    public var lastFailure: String?
    /// True while a backup is made or about to be.
    public var isRunning = false

    /// Makes statistics without any backup.
    public init() {}
}
