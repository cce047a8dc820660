/// The settings of the nightly backup (section `backup`).
public struct BackupSettings: Sendable {
    /// The folder of the backups; nil: none are made.
    public var folder: String?
    /// True if the folder `backups` of the data directory is the default in place of none.
    public var isInDataDirectory = false
    /// The hour of the local time at which a backup is made.
    public var hour = 3
    /// The number of backups that are kept.
    public var keep = 7

    /// The defaults: no backup.
    public init() {}
}
