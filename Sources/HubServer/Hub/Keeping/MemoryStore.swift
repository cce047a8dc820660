public import HubEngine

/// Keeps what the hub remembers beyond its life; without one everything is forgotten when it ends.
///
/// Safe on any thread. Nothing here waits for a disk.
public protocol MemoryStore: Sendable {
    /// Writes changes that a client has asked for: all or none of them.
    ///
    /// - Parameters:
    ///   - changes: In their order.
    ///   - account: Whose memory it is.
    ///   - then: Hears, on any thread, when they are written, or why they cannot be.
    func write(_ changes: [MemoryChange], of account: String, _ then: @escaping @Sendable (StoreFault?) -> Void)

    /// Keeps a call that is over: when this returns, even the hub's sudden death does not lose it.
    ///
    /// - Parameters:
    ///   - call: The entry of Recents.
    ///   - account: Whose.
    func keep(_ call: RecentCall, of account: String)

    /// Notes that an account was here that is on no list, and how it is reached.
    ///
    /// - Parameters:
    ///   - account: Its name.
    ///   - handles: Its handles.
    func noteVisit(of account: String, handles: [Handle])

    /// Forgets an account, and all that is kept of it.
    ///
    /// - Parameter account: Its name.
    func forget(_ account: String)

    /// The hub has nothing of erased accounts any more, and will tell nothing of them.
    ///
    /// - Parameter accounts: Their names.
    func finishErasure(of accounts: [String])

    /// Forgets calls that ended long ago.
    ///
    /// - Parameter moment: Before which.
    func forgetRecents(endedBefore moment: Instant)

    /// What it has done and has before it.
    var figures: MemoryStoreFigures { get }
}

/// What a store has done and has before it, for metrics.
public struct MemoryStoreFigures: Hashable, Sendable {
    /// Operations that have changed what is kept.
    public var writes: Int
    /// Transactions in which they did.
    public var transactions: Int
    /// Operations that failed, by what was wrong.
    public var failures: [String: Int]
    /// How many operations wait.
    public var waiting: Int
    /// How many bytes wait with them.
    public var waitingBytes: Int
    /// How long the last transaction took.
    public var lastWrite: Duration
    /// How large the file is.
    public var fileBytes: Int64
    /// Ended calls that would be lost with a kill, at the time when they ended.
    public var unjournaledCalls: Int
    /// Ended calls that could not be kept.
    public var lostCalls: Int

    /// Figures of their parts.
    public init(
        writes: Int = 0,
        transactions: Int = 0,
        failures: [String: Int] = [:],
        waiting: Int = 0,
        waitingBytes: Int = 0,
        lastWrite: Duration = .zero,
        fileBytes: Int64 = 0,
        unjournaledCalls: Int = 0,
        lostCalls: Int = 0
    ) {
        self.writes = writes
        self.transactions = transactions
        self.failures = failures
        self.waiting = waiting
        self.waitingBytes = waitingBytes
        self.lastWrite = lastWrite
        self.fileBytes = fileBytes
        self.unjournaledCalls = unjournaledCalls
        self.lostCalls = lostCalls
    }
}

/// Why something could not be kept.
public struct StoreFault: Error, Hashable, Sendable {
    /// One sentence for the client.
    public var message: String

    /// A fault with its sentence.
    public init(_ message: String) {
        self.message = message
    }
}

/// What a store has when the hub starts.
public struct StoredState: Sendable {
    /// What is remembered, the accounts that were here last at the end.
    public var memories: [RememberedAccount] = []
    /// The accounts of the hub's own list.
    public var listed: [ListedAccount] = []
    /// Accounts that are on no list, with their handles, those that were here last at the end.
    public var visitors: [ListedAccount] = []

    /// Nothing.
    public init() {}
}
