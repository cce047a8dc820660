import Foundation
public import HubAccountData
public import HubEngine
public import HubWire

/// The persistent store of a hub: a database that is used on a thread of its own.
///
/// Every method may be called on any thread and returns at once; but `load`, `secret`, `wait` and `close` wait.
/// Operations run in the order of the calls; their results are passed to a closure on the store's thread, when they are
/// committed. Only an operation that is refused at once, since the queue is full or the store is closed, is answered
/// before the call returns. The operations that are queued when the thread wakes up share one transaction, in which
/// each may fail on its own.
///
/// On a full or faulty disk an operation fails with a sentence for the user, and nothing else is affected; later ones
/// are tried again. Completed calls are retried until they are written.
public final class Store: Sendable {
    private let settings: StoreSettings
    let queue: StoreQueue

    /// Opens the database, creates it if it is missing, and stores the calls in the journal of a killed hub.
    ///
    /// - Parameter settings: The path, the limits and the callbacks.
    /// - Throws: `StoreError` of the kind `unusable`, whose sentence names the path: the reasons of `StoreFile.init`,
    ///   or another hub uses the database; `busy`, `corrupt`, `inputOutput` or `fault` if the database cannot be read.
    public init(_ settings: StoreSettings) throws(StoreError) {
        self.settings = settings
        let queue = StoreQueue(settings)
        self.queue = queue
        let opened = BlockingResult<StoreError?>()
        let thread = Thread {
            do throws(StoreError) {
                let worker = try StoreWorker(settings, queue)
                opened.set(nil)
                worker.run()
            } catch {
                opened.set(error)
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

    /// Indicates that a hub is using a database.
    ///
    /// - Parameter path: The path of the database.
    /// - Returns: True while a store is open in any process.
    public static func isInUse(_ path: String) -> Bool { HubLock.isHeld(DatabasePath(path).resolved) }

    /// Indicates that there is a journal next to a database, which may have calls that the database lacks.
    ///
    /// - Parameter path: The path of the database.
    /// - Returns: False if no hub has ever used the database.
    public static func hasJournal(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: DatabasePath(path).resolved + ".recents")
    }

    // MARK: Before the hub starts

    /// Reads all stored data; blocks until it is read.
    ///
    /// - Returns: The state that the hub starts with.
    /// - Throws: `StoreError` of the kind `overload` or `closed`, or one of `StoreFile.load()`.
    public func load() throws(StoreError) -> StoredHub {
        try wait { file throws(StoreError) in try file.load() }
    }

    /// Reads a key of the hub's own, which is generated on first use; blocks until it is read.
    ///
    /// - Parameters:
    ///   - name: The name of the key.
    ///   - make: Generates the key.
    /// - Returns: The stored key.
    /// - Throws: `StoreError` of the kind `overload` or `closed`, or one of `StoreFile.secret(_:orGenerate:)`; then
    ///   nothing has changed.
    public func secret(_ name: String, orGenerate make: @escaping @Sendable () -> [UInt8]) throws(StoreError) -> [UInt8]
    {
        try wait { file throws(StoreError) in try file.secret(name, orGenerate: make) }
    }

    /// Performs an operation and waits for its result; not to be called on the store's thread.
    ///
    /// - Parameter work: The operation, as for ``perform(bytes:_:then:)``.
    /// - Returns: The result of the operation.
    /// - Throws: `StoreError` of the kind `overload` or `closed`, or one that the operation throws.
    public func wait<Value: Sendable>(
        for work: @escaping @Sendable (StoreFile) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        let answer = BlockingResult<Result<Value, StoreError>>()
        perform(work) { answer.set($0) }
        return try answer.take().get()
    }

    // MARK: While the hub runs

    /// Writes a client's changes, all of them or none, before they are made in memory.
    ///
    /// - Parameters:
    ///   - changes: The changes that `AccountDataTable.plannedChanges` returned.
    ///   - account: The name of the account.
    ///   - actor: The session, if the changes are to be in the audit log.
    ///   - then: Called when the changes are committed, or have failed.
    public func write(
        _ changes: [AccountDataChange],
        of account: String,
        by actor: AuditActor? = nil,
        then: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        let bytes = changes.reduce(0) { $0 + $1.byteCount }
        perform(
            bytes: bytes,
            { file throws(StoreError) in try file.write(changes, of: account, by: actor) },
            then: then
        )
    }

    /// Stores a completed call, in the order of the calls to this method; one that is stored already is ignored.
    ///
    /// When this returns, the call outlives even the end of the process, as long as the journal has room.
    public func addRecent(_ call: RecentCall, of account: String) {
        queue.addRecent(JournalEntry(call, of: account))
    }

    /// Performs any other operation of a `StoreFile`: accounts, subscriptions, `recordSignIn`, `erase`.
    ///
    /// - Parameters:
    ///   - bytes: The approximate memory of the operation while it is queued.
    ///   - work: The operation, run on the store's thread in a transaction that others may share; it may run a second
    ///     time, if the first transaction was rolled back.
    ///   - then: Called with the result when it is committed, or with the failure.
    public func perform<Value: Sendable>(
        bytes: Int = 0,
        _ work: @escaping @Sendable (StoreFile) throws(StoreError) -> Value,
        then: @escaping @Sendable (Result<Value, StoreError>) -> Void
    ) {
        queue.add(TypedStoreOperation(work, then: then), bytes: bytes)
    }

    /// Reads from the database, in order with the other operations.
    ///
    /// This succeeds on a full disk, too, and waits neither for calls that are retried nor for another process that
    /// writes.
    ///
    /// - Parameters:
    ///   - work: The operation, run on the store's thread without a transaction; it must not write.
    ///   - then: Called with the result.
    public func read<Value: Sendable>(
        _ work: @escaping @Sendable (StoreFile) throws(StoreError) -> Value,
        then: @escaping @Sendable (Result<Value, StoreError>) -> Void
    ) {
        queue.add(TypedStoreOperation(sharesTransaction: false, work, then: then), bytes: 0)
    }

    /// Removes the calls that ended before a time, in batches between which other operations run.
    ///
    /// - Parameters:
    ///   - moment: The time before which the removed calls ended.
    ///   - then: Called with the number of removed calls.
    public func expireRecents(
        endedBefore moment: Instant,
        then: @escaping @Sendable (Result<Int, StoreError>) -> Void
    ) {
        Self.expireRecents(endedBefore: moment, removedSoFar: 0, queue, then)
    }

    private static func expireRecents(
        endedBefore moment: Instant,
        removedSoFar: Int,
        _ queue: StoreQueue,
        _ then: @escaping @Sendable (Result<Int, StoreError>) -> Void
    ) {
        let piece = TypedStoreOperation { file throws(StoreError) in
            try file.expireRecents(endedBefore: moment, atMost: recentsPerBatch)
        } then: { result in
            guard case .success(let count) = result, count == recentsPerBatch else {
                return then(result.map { $0 + removedSoFar })
            }
            expireRecents(endedBefore: moment, removedSoFar: removedSoFar + count, queue, then)
        }
        queue.add(piece, bytes: 0)
    }

    /// Copies the database to a new file and checks the copy, on a thread of its own while the hub runs.
    ///
    /// - Parameters:
    ///   - target: The path of the copy, where no file may exist.
    ///   - then: Called on that thread when the copy is complete, or has failed.
    public func backup(to target: String, then: @escaping @Sendable (Result<Void, StoreError>) -> Void) {
        guard !DatabasePath.isInMemory(settings.path) else {
            let whole = TypedStoreOperation(sharesTransaction: false) { file throws(StoreError) in
                try file.backup(to: target)
            } then: {
                then($0)
            }
            return queue.add(whole, bytes: 0)
        }
        let path = settings.path
        // The operations queued before are committed first, so that the copy has them.
        perform({ _ throws(StoreError) in }) { result in
            guard case .success = result else { return then(result) }
            let thread = Thread {
                then(
                    Result { () throws(StoreError) in
                        try StoreFile(path, creatingIfMissing: false).backup(to: target)
                    }
                )
            }
            thread.start()
        }
    }

    /// Copies the database to a new file, checks the copy, and waits for the result.
    ///
    /// - Parameter target: The path of the copy, where no file may exist.
    /// - Throws: `StoreError` as `StoreFile.backup(to:progress:)`, or of the kind `overload` or `closed`.
    public func backup(to target: String) throws(StoreError) {
        let answer = BlockingResult<Result<Void, StoreError>>()
        backup(to: target) { answer.set($0) }
        try answer.take().get()
    }

    /// The store's statistics.
    public var statistics: StoreStatistics { queue.statistics }

    /// Refuses further operations, and waits until the queued ones are done.
    ///
    /// Calls that cannot be written stay in the journal.
    public func close() {
        queue.close()
    }

    /// The number of calls that are removed in one batch.
    ///
    /// More: it is done sooner; other operations wait longer meanwhile.
    private static let recentsPerBatch = 500
}

extension AccountDataChange {
    /// The approximate memory of the change in bytes while it is queued.
    fileprivate var byteCount: Int {
        switch self {
        case .directory(_, let contents, _, _): (contents.blockingCount + contents.identificationCount) * 32
        case .recentsSeen(let ids), .recentsRemoved(let ids): (ids?.count ?? 0) * 16
        case .contact(_, .replace(let photo)), .photo(.replace(let photo), _): 1_000 + photo.bytes.count
        case .settings, .photo, .blocked, .unblocked, .contact, .contactRemoved, .directoryEnabled, .erased: 1_000
        }
    }
}
