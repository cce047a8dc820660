import Glibc
public import HubAccountData
public import HubEngine

/// The database file, used synchronously by one thread: by the commands while a hub runs, and within the hub's store.
///
/// Each operation is a transaction; several processes may use the file at once.
/// Beside the file are SQLite's `-wal` and `-shm`, `.lock`, which only a hub holds, and `.recents`, the journal; all
/// for the hub's user alone.
public final class StoreFile {
    /// The path of the file; `:memory:`: a database in memory, which exists as long as this object.
    public let path: String
    /// The limits on the data of an account.
    let limits: AccountDataLimits
    /// The wall clock.
    let clock: @Sendable () -> Instant
    let database: Database
    /// A cache of values in the file.
    var cache = FileCache()
    /// The accounts that this object has added and erased, to distinguish them from changes by other processes.
    var ownAccounts = OwnAccounts()
    private var statements: [String: PreparedStatement] = [:]

    /// Opens a database, creates it if it is missing, and migrates it to this version.
    ///
    /// - Parameters:
    ///   - path: The path of the file, or `:memory:`. A missing folder is created for this user alone.
    ///   - createsIfMissing: True if a missing file is created.
    ///   - limits: The limits on the data of an account, the same as those of the hub.
    ///   - clock: Returns the current wall clock time.
    /// - Throws: `StoreError` of the kind `unusable`, whose sentence names the path: the file or its folder is missing
    ///   and not created, not writable or not safe, or the database is another program's, a newer version's, used by a
    ///   hub of an older version, locked or damaged.
    public convenience init(
        _ path: String,
        creatingIfMissing createsIfMissing: Bool = true,
        limits: AccountDataLimits = AccountDataLimits(),
        clock: @escaping @Sendable () -> Instant = { wallClock() }
    ) throws(StoreError) {
        try self.init(path, creatingIfMissing: createsIfMissing, limits: limits, clock: clock, holdsLock: false)
    }

    /// Opens a database as the public initializer does, also one of an older version that this process has locked.
    init(
        _ path: String,
        creatingIfMissing createsIfMissing: Bool = true,
        limits: AccountDataLimits = AccountDataLimits(),
        clock: @escaping @Sendable () -> Instant = { wallClock() },
        holdsLock: Bool
    ) throws(StoreError) {
        self.path = path
        self.limits = limits
        self.clock = clock
        try DatabasePath(path).prepare(createsIfMissing: createsIfMissing, trust: .command(on: path))
        do throws(DatabaseError) {
            database = try Database(path: path)
        } catch {
            throw .cannot("opened", path, error.message, instead: "name a file that this user may write")
        }
        do throws(DatabaseError) {
            try Self.configure(database)
        } catch {
            throw error.isNoDatabase ? .notADatabase(path) : StoreError(error).naming(path)
        }
        do throws(StoreError) {
            // A hub of the older version would go on writing what this version does not find.
            if !holdsLock, try Schema.migrator.isOutdated(database, at: path),
                HubLock.isHeld(DatabasePath(path).resolved)
            {
                throw StoreError.usedByOlderHub(path)
            }
            try Schema.migrator.migrate(database, at: path)
        } catch {
            throw error.naming(path)
        }
    }

    private static func configure(_ database: borrowing Database) throws(DatabaseError) {
        try enableWriteAheadLog(database)
        // NORMAL: a commit does not wait for the disk. After a power failure the last ones may be lost, but the file is
        // consistent (https://www.sqlite.org/pragma.html#pragma_synchronous).
        try database.execute(
            """
            PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;
            PRAGMA journal_size_limit = \(maximumIdleLogBytes);
            PRAGMA wal_autocheckpoint = \(pagesBeforeCheckpoint);
            """
        )
    }

    /// Enables write-ahead logging, so that readers do not wait for writers.
    ///
    /// If several processes open a new file at once, SQLite refuses all but one here without its busy timeout.
    private static func enableWriteAheadLog(_ database: borrowing Database) throws(DatabaseError) {
        var attempts = 500
        while true {
            do throws(DatabaseError) {
                return try database.execute("PRAGMA journal_mode = WAL")
            } catch {
                attempts -= 1
                guard error.isBusy, attempts > 0 else { throw error }
                usleep(10_000)
            }
        }
    }

    // MARK: Statements

    /// Runs a statement that returns no rows.
    func run(_ sql: String, _ values: DatabaseValue...) throws(StoreError) {
        try rows(sql, values) { _ in }
    }

    /// Runs a statement and reads its rows.
    func rows(
        _ sql: String,
        _ values: [DatabaseValue] = [],
        _ read: (borrowing Row) -> Void
    ) throws(StoreError) {
        do throws(DatabaseError) {
            // Removed from the cache while it runs, so that no nested call runs it.
            let prepared = try take(sql)
            defer {
                prepared.statement.reset()
                statements[sql] = prepared
            }
            try prepared.statement.bind(values)
            while try prepared.statement.next() { read(prepared.statement.row) }
        } catch {
            throw StoreError(error)
        }
    }

    private func take(_ sql: String) throws(DatabaseError) -> PreparedStatement {
        if let kept = statements.removeValue(forKey: sql) { return kept }
        return PreparedStatement(try database.prepare(sql))
    }

    /// The first row of a statement's result; nil: it has none.
    func first<Value>(
        _ sql: String,
        _ values: DatabaseValue...,
        read: (borrowing Row) -> Value
    ) throws(StoreError) -> Value? {
        var first: Value?
        try rows(sql, values) { row in
            if first == nil { first = read(row) }
        }
        return first
    }

    // MARK: Transactions

    /// Runs a body in a transaction, or within an open one in a savepoint.
    package func atomically<Result>(_ work: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        let isOutermost = !database.isInTransaction
        // IMMEDIATE: a writer waits for others at the start, since SQLite cannot wait when a reader becomes a writer.
        try run(isOutermost ? "BEGIN IMMEDIATE" : "SAVEPOINT part")
        do throws(StoreError) {
            if isOutermost { try clearStaleCache() }
            let result = try work()
            try run(isOutermost ? "COMMIT" : "RELEASE part")
            return result
        } catch {
            rollBack(isOutermost: isOutermost)
            throw error
        }
    }

    private func rollBack(isOutermost: Bool) {
        cache = FileCache()
        ownAccounts.added = [:]
        // Some errors roll back the whole transaction automatically.
        guard database.isInTransaction else { return }
        if isOutermost {
            try? run("ROLLBACK")
        } else {
            try? run("ROLLBACK TO part")
            try? run("RELEASE part")
        }
    }

    /// Clears the cache if another process has changed the file.
    private func clearStaleCache() throws(StoreError) {
        let version = try first("PRAGMA data_version") { $0.integer(0) }
        guard version != cache.version else { return }
        cache = FileCache()
        cache.version = version
    }

    /// The size to which the write-ahead log is truncated after a large load, in bytes.
    ///
    /// More: the next large load need not grow it again; the disk space stays used.
    private static let maximumIdleLogBytes = 16 << 20
    /// The number of pages of 4 KB in the write-ahead log that starts a checkpoint, which waits for the disk.
    ///
    /// More: fewer such waits; after a kill, the next hub reads a longer log first.
    private static let pagesBeforeCheckpoint = 4_000
}

/// Cached values of a file, valid until another process changes it or a change is rolled back.
struct FileCache {
    /// The value of `PRAGMA data_version` that the cache belongs to.
    var version: Int64?
    /// The accounts' row IDs by the keys of their names.
    var accounts: [String: Int64] = [:]
    /// The amount of each account's Recents, by row ID.
    var recents: [Int64: RecentsSize] = [:]
    /// The stored contents of directories by row ID, so that a load writes only the chunks that it changes.
    var contents: [Int64: DirectoryContents] = [:]
}

/// The accounts that were added and erased by this object, by row ID.
struct OwnAccounts {
    var added: [Int64: String] = [:]
    var erased: Set<Int64> = []
}

/// A cached statement, in a class since a dictionary cannot hold noncopyable values.
private final class PreparedStatement {
    var statement: Statement

    init(_ statement: consuming Statement) {
        self.statement = statement
    }
}
