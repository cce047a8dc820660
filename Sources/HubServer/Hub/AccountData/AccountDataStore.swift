public import HubAccountData
public import HubEngine
public import HubWire

/// A persistent store of account data; without one, all data is lost when the hub ends.
///
/// Safe on any thread. No function waits for a disk.
public protocol AccountDataStore: Sendable {
    /// Writes changes that a client has requested: all or none of them.
    ///
    /// - Parameters:
    ///   - changes: The changes in their order.
    ///   - account: The name of the account.
    ///   - actor: The session, if the changes are to be in the audit log.
    ///   - then: Called on any thread with nil when the changes are written, or with the fault.
    func write(
        _ changes: [AccountDataChange],
        of account: String,
        by actor: AuditActor?,
        _ then: @escaping @Sendable (StoreFault?) -> Void
    )

    /// Reads a photo, after the changes that were written before.
    ///
    /// - Parameters:
    ///   - contact: The contact's identifier; nil: the photo is that of the account's own user.
    ///   - account: The name of the account.
    ///   - then: Called on any thread with the image data, nil if there is none, or with the fault.
    func readPhoto(
        of contact: String?,
        in account: String,
        _ then: @escaping @Sendable (Result<[UInt8]?, StoreFault>) -> Void
    )

    /// Reads the music for those whom an account holds: its own, or else the hub's.
    ///
    /// - Parameters:
    ///   - account: The name of the account.
    ///   - known: The identifiers of the tracks that the hub has in memory.
    ///   - then: Called on any thread with the music, or with the fault.
    func readHoldMusic(
        of account: String,
        unless known: [Int64],
        _ then: @escaping @Sendable (Result<StoredHoldMusic, StoreFault>) -> Void
    )

    /// Persists a call that has ended: when this returns, the entry survives even a kill of the hub.
    ///
    /// - Parameters:
    ///   - call: The entry of Recents.
    ///   - account: The name of the account.
    func addRecent(_ call: RecentCall, of account: String)

    /// Notes that an account has signed in, for those that are on no list.
    ///
    /// - Parameter account: The name, handles and profile of the account.
    func recordUnprovisionedSignIn(of account: AccountRecord)

    /// Removes an account that is on no list, and all of its data.
    ///
    /// - Parameter account: The name of the account.
    func removeAccount(_ account: String)

    /// Notes that the hub has no data of erased accounts any more, and will write none.
    ///
    /// - Parameter accounts: The names of the accounts.
    func finishErasure(of accounts: [String])

    /// Removes calls that ended long ago.
    ///
    /// - Parameter moment: The time before which they ended.
    func expireRecents(endedBefore moment: Instant)

    /// The counters of the store.
    var statistics: AccountDataStoreStatistics { get }
}

/// The counters of a store, for metrics.
public struct AccountDataStoreStatistics: Hashable, Sendable {
    /// The number of operations that changed data.
    public var writes: Int
    /// The number of transactions with these operations.
    public var transactions: Int
    /// The number of failed operations by kind of failure.
    public var failures: [String: Int]
    /// The number of operations that wait.
    public var waiting: Int
    /// The number of bytes in operations that wait.
    public var waitingBytes: Int
    /// The duration of the last transaction.
    public var lastWrite: Duration
    /// The size of the database file in bytes.
    public var fileBytes: Int64
    /// The number of ended calls that a kill would have lost at the time when they ended.
    public var unjournaledCalls: Int
    /// The number of ended calls that could not be persisted.
    public var lostRecents: Int

    /// Makes statistics from their parts.
    public init(
        writes: Int = 0,
        transactions: Int = 0,
        failures: [String: Int] = [:],
        waiting: Int = 0,
        waitingBytes: Int = 0,
        lastWrite: Duration = .zero,
        fileBytes: Int64 = 0,
        unjournaledCalls: Int = 0,
        lostRecents: Int = 0
    ) {
        self.writes = writes
        self.transactions = transactions
        self.failures = failures
        self.waiting = waiting
        self.waitingBytes = waitingBytes
        self.lastWrite = lastWrite
        self.fileBytes = fileBytes
        self.unjournaledCalls = unjournaledCalls
        self.lostRecents = lostRecents
    }
}

/// The reason for which something could not be written.
public struct StoreFault: Error, Hashable, Sendable {
    /// The message for the client, in one sentence.
    public var message: String

    /// Makes a fault with its message.
    public init(_ message: String) {
        self.message = message
    }
}

/// The persistent data at the start of the hub.
public struct StoredState: Sendable {
    /// The data of accounts, the most recently seen at the end.
    public var storedAccounts: [StoredAccountData] = []
    /// The accounts of the hub's own list, with their handles.
    public var provisioned: [AccountRecord] = []
    /// Accounts that are on no list, with their handles, the most recently seen at the end.
    public var unprovisionedAccounts: [AccountRecord] = []

    /// Makes an empty state.
    public init() {}
}

/// The music for those whom an account holds.
public struct StoredHoldMusic: Hashable, Sendable {
    /// The identifiers of the tracks, in the order in which they are played; no later track gets one of them.
    public var ids: [Int64]
    /// The tracks as `EncodedTrack.bytes`; nil: the identifiers are the known ones.
    public var tracks: [[UInt8]]?

    /// Makes music from its parts.
    public init(ids: [Int64], tracks: [[UInt8]]?) {
        self.ids = ids
        self.tracks = tracks
    }

    /// No music.
    public static let none = StoredHoldMusic(ids: [], tracks: [])
}
