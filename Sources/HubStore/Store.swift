import Foundation
public import HubEngine

/// Where what the hub remembers is kept: a database with a thread of its own.
///
/// Every method may be called on any thread and returns at once, but for `load`, `secret` and `close`, which wait. What
/// is asked is done in its order; the answer comes by a closure on the store's thread, when it is certain. Only what is refused at once,
/// since too much waits or the store is closed, is answered before the call returns. What waits when the thread looks
/// is put into one transaction, in which each operation may fail by itself.
///
/// A disk that is full or does not work makes operations fail with a sentence for who asked, and nothing else; later ones are
/// tried anew. Calls that are over are tried until they are written.
public final class Store: Sendable {
    private let settings: StoreSettings
    let queue: StoreQueue

    /// Opens the database, makes it where it is missing, and writes what the hub before had no time for.
    ///
    /// - Parameter settings: Where it is, how much it takes.
    /// - Throws: `StoreFailure`, a sentence that names the path: also where another hub has it.
    public init(_ settings: StoreSettings) throws(StoreFailure) {
        self.settings = settings
        let queue = StoreQueue(settings)
        self.queue = queue
        let opened = Handover<StoreFailure?>()
        let thread = Thread {
            do throws(StoreFailure) {
                let worker = try StoreWorker(settings, queue)
                opened.give(nil)
                worker.run()
            } catch {
                opened.give(error)
            }
            queue.ended()
        }
        thread.start()
        if let failure = opened.take() { throw failure }
        thread.name = "callhub-store"
    }

    deinit {
        close()
    }

    /// Whether a hub has a database at the moment.
    ///
    /// - Parameter path: The database.
    /// - Returns: True from a store's making to its end, in whatever process.
    public static func isInUse(_ path: String) -> Bool { HubLock.isHeld(FilePlace(path).real) }

    /// Whether there is a journal beside a database, which may have calls that the database has not.
    ///
    /// - Parameter path: The database.
    /// - Returns: False where no hub ever had it.
    public static func hasJournal(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: FilePlace(path).real + ".recents")
    }

    // MARK: Before the hub runs

    /// Reads everything; waits for it.
    ///
    /// - Returns: All that is kept.
    public func load() throws(StoreFailure) -> StoredHub {
        try wait { file throws(StoreFailure) in try file.load() }
    }

    /// A key of the hub's own, which is made the first time that it is asked for; waits for it.
    ///
    /// - Parameters:
    ///   - name: What it is for.
    ///   - make: Makes it.
    /// - Returns: The one that is kept.
    /// - Throws: `StoreFailure`; then nothing has changed.
    public func secret(_ name: String, orMake make: @escaping @Sendable () -> [UInt8]) throws(StoreFailure) -> [UInt8] {
        try wait { file throws(StoreFailure) in try file.secret(name, orMake: make) }
    }

    // MARK: While it runs

    /// Writes what a client changes, all of it or nothing, before it is changed in memory.
    ///
    /// - Parameters:
    ///   - changes: What `HubMemory.rehearse` said.
    ///   - account: Whose memory it is.
    ///   - then: Told when it is written, or why not.
    public func write(
        _ changes: [MemoryChange],
        of account: String,
        then: @escaping @Sendable (Result<Void, StoreFailure>) -> Void
    ) {
        let bytes = changes.reduce(0) { $0 + $1.byteCount }
        perform(bytes: bytes, { file throws(StoreFailure) in try file.write(changes, of: account) }, then: then)
    }

    /// Keeps a call that is over, in the order in which it is told; one that has its id already is left as it is.
    ///
    /// When this returns, not even the process's end can make it be lost, as long as the journal has room.
    public func keep(_ call: RecentCall, of account: String) {
        queue.keep(JournalEntry(call, of: account))
    }

    /// Does anything else that a `StoreFile` can: accounts, subscriptions, `noteSeen`, `erase`.
    ///
    /// - Parameters:
    ///   - bytes: About how much memory it takes while it waits.
    ///   - work: What is done, all of it or nothing, on the store's thread, in a transaction that others may share;
    ///     perhaps twice, where the first one was undone.
    ///   - then: Told its result, when that is certain.
    public func perform<Value: Sendable>(
        bytes: Int = 0,
        _ work: @escaping @Sendable (StoreFile) throws(StoreFailure) -> Value,
        then: @escaping @Sendable (Result<Value, StoreFailure>) -> Void
    ) {
        queue.add(Operation(work, then: then), bytes: bytes)
    }

    /// Asks for something that changes nothing, in its order among all that is asked.
    ///
    /// It is answered on a disk that takes nothing, too: neither a call that waits for room nor another program that writes is in its way.
    ///
    /// - Parameters:
    ///   - work: Only reads, on the store's thread, in no transaction.
    ///   - then: Told its result.
    public func read<Value: Sendable>(
        _ work: @escaping @Sendable (StoreFile) throws(StoreFailure) -> Value,
        then: @escaping @Sendable (Result<Value, StoreFailure>) -> Void
    ) {
        queue.add(Operation(joinsOthers: false, work, then: then), bytes: 0)
    }

    /// Forgets the calls that ended before a moment, little by little, so that others get their turn.
    ///
    /// - Parameters:
    ///   - moment: The end of what is forgotten.
    ///   - then: Told how many they were.
    public func forgetRecents(
        endedBefore moment: Instant,
        then: @escaping @Sendable (Result<Int, StoreFailure>) -> Void
    ) {
        Self.forgetRecents(endedBefore: moment, sofar: 0, queue, then)
    }

    private static func forgetRecents(
        endedBefore moment: Instant,
        sofar: Int,
        _ queue: StoreQueue,
        _ then: @escaping @Sendable (Result<Int, StoreFailure>) -> Void
    ) {
        let piece = Operation { file throws(StoreFailure) in
            try file.forgetRecents(endedBefore: moment, atMost: callsForgottenAtOnce)
        } then: { result in
            guard case .success(let count) = result, count == callsForgottenAtOnce else {
                return then(result.map { $0 + sofar })
            }
            forgetRecents(endedBefore: moment, sofar: sofar + count, queue, then)
        }
        queue.add(piece, bytes: 0)
    }

    /// Copies the database as it is into a new file and checks the copy, on a thread of its own while the hub goes on.
    ///
    /// - Parameters:
    ///   - target: The copy's path, where there must be nothing yet.
    ///   - then: Told, on that thread, when it is done or why not.
    public func backup(to target: String, then: @escaping @Sendable (Result<Void, StoreFailure>) -> Void) {
        guard !FilePlace.isNowhere(settings.path) else {
            let whole = Operation(joinsOthers: false) { file throws(StoreFailure) in
                try file.backup(to: target)
            } then: {
                then($0)
            }
            return queue.add(whole, bytes: 0)
        }
        let path = settings.path
        // What was asked before is in the copy.
        perform({ _ throws(StoreFailure) in }) { result in
            guard case .success = result else { return then(result) }
            let thread = Thread {
                then(
                    Result { () throws(StoreFailure) in
                        try StoreFile(path, makingIt: false).backup(to: target)
                    }
                )
            }
            thread.start()
        }
    }

    /// What it has done and has before it.
    public var figures: StoreFigures { queue.figures }

    /// Takes nothing more, and waits until what there is has been done; calls that cannot be written stay in the journal.
    public func close() {
        queue.close()
    }

    /// Waits for an operation; not to be called on the store's thread.
    func wait<Value: Sendable>(
        for work: @escaping @Sendable (StoreFile) throws(StoreFailure) -> Value
    ) throws(StoreFailure) -> Value {
        let answer = Handover<Result<Value, StoreFailure>>()
        perform(work) { answer.give($0) }
        return try answer.take().get()
    }

    /// How many calls are forgotten in one piece.
    ///
    /// More: it is done sooner; what else is asked meanwhile waits longer.
    private static let callsForgottenAtOnce = 500
}

extension MemoryChange {
    /// About how much memory it takes while it waits.
    fileprivate var byteCount: Int {
        switch self {
        case .directory(_, let image, _): (image.blockingCount + image.identificationCount) * 32
        case .recentsSeen(let ids), .recentsRemoved(let ids): (ids?.count ?? 0) * 16
        case .settings, .blocked, .unblocked, .contact, .contactRemoved, .directoryEnabled, .erased: 1_000
        }
    }
}
