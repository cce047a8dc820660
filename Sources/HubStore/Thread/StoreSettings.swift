public import HubAccountData
public import HubEngine

/// The path, the limits and the callbacks of a store.
public struct StoreSettings: Sendable {
    /// The path of the database; `:memory:`: none, and no data outlasts the hub.
    public var path: String
    /// The limits on the data of an account, the same as those of the hub.
    public var limits = AccountDataLimits()
    /// The maximum number of queued operations, and also that of queued calls.
    ///
    /// More: longer stalls of the disk are tolerated; more memory during one.
    public var maximumWaiting = 10_000
    /// The maximum memory of the queue in bytes.
    public var maximumWaitingBytes = 128 << 20
    /// The size of the journal in bytes, which has the calls that would be lost if the hub were killed.
    ///
    /// More: longer stalls of the disk lose nothing even then (a call is some 200 bytes); more disk space is reserved.
    public var journalBytes = 4 << 20
    /// The interval at which changes of the accounts by other processes are detected.
    ///
    /// Shorter: commands take effect sooner; more polling.
    public var pollInterval = Duration.seconds(1)
    /// Returns the current wall clock time.
    public var clock: @Sendable () -> Instant = { wallClock() }
    /// True for a command, which as root may open another user's store; a hub's files must be its own user's or root's.
    public var isForCommand = false
    /// Called on the store's thread with a warning for the operator; a sentence.
    public var warn: @Sendable (String) -> Void = { _ in }
    /// Called on the store's thread with the current accounts when another process has changed the file.
    public var accountsChanged: @Sendable (AccountsChange) -> Void = { _ in }

    /// Creates the default settings for a path.
    public init(_ path: String) {
        self.path = path
    }
}

/// The statistics of a store, for metrics.
public struct StoreStatistics: Hashable, Sendable {
    /// The number of successful operations, stored calls included.
    public var writes = 0
    /// The number of transactions; fewer than the operations that share them.
    public var transactions = 0
    /// The number of failures by kind; each retry of a call counts.
    public var failures: [StoreError.Kind: Int] = [:]
    /// The number of queued operations and calls.
    public var waiting = 0
    /// The memory of the queue in bytes.
    public var waitingBytes = 0
    /// The duration of the last transaction.
    public var lastWrite = Duration.zero
    /// The size of the database in bytes.
    public var fileBytes: Int64 = 0
    /// The number of calls that were not written to the journal, and would be lost if the hub were killed.
    public var unjournaledCalls = 0
    /// The number of calls that will not be stored: the queue was full, or the database refused them.
    public var lostRecents = 0

    /// Creates statistics with all values zero.
    public init() {}
}
