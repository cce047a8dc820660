public import HubEngine

/// Where a store is and how much it takes.
public struct StoreSettings: Sendable {
    /// The database's file; `:memory:`: none, and nothing outlasts the hub.
    public var path: String
    /// How much is kept of an account: as much as in the hub's memory.
    public var limits = MemoryLimits()
    /// How many operations may wait for the disk, and as many ended calls besides.
    ///
    /// More: longer stalls of the disk are survived; more memory during one.
    public var maximumWaiting = 10_000
    /// How many bytes may wait with them.
    public var maximumWaitingBytes = 128 << 20
    /// The room for calls that are over and not yet in the database, should the hub be killed.
    ///
    /// More: longer stalls of the disk lose nothing even then (a call is some 200 bytes); more of the disk is taken for good.
    public var journalBytes = 4 << 20
    /// How often it is looked whether another process has changed the accounts.
    ///
    /// More often: commands take effect sooner; more for nothing.
    public var lookEvery = Duration.seconds(1)
    /// The wall clock.
    public var clock: @Sendable () -> Instant = { wallClock() }
    /// True for a command, which as root may open another user's store; a hub's files must be its own user's or root's.
    public var isForCommand = false
    /// Told, on the store's thread, what an operator must know; a sentence.
    public var warn: @Sendable (String) -> Void = { _ in }
    /// Told, on the store's thread, when another process has changed the file: the accounts as they are now.
    public var accountsChanged: @Sendable (AccountsChange) -> Void = { _ in }

    /// The defaults, for a file.
    public init(_ path: String) {
        self.path = path
    }
}

/// What a store has done and has before it, for metrics.
public struct StoreFigures: Hashable, Sendable {
    /// Operations that were done, calls kept among them.
    public var writes = 0
    /// Transactions in which they did: fewer, where several waited.
    public var transactions = 0
    /// Operations that failed, by what was wrong; calls that wait to be tried again are one each time.
    public var failures: [StoreFailure.Kind: Int] = [:]
    /// How many operations and ended calls wait.
    public var waiting = 0
    /// How many bytes wait with them.
    public var waitingBytes = 0
    /// How long the last transaction took.
    public var lastWrite = Duration.zero
    /// How large the file is.
    public var fileBytes: Int64 = 0
    /// Ended calls that the journal had no room for, or that there was none for: they would be lost with a kill.
    public var unjournaledCalls = 0
    /// Ended calls that will not be in the file, for too many waited or the file does not take them.
    public var lostCalls = 0

    /// Nothing yet.
    public init() {}
}
