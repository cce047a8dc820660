import Glibc
public import HubEngine

/// The database file, for one thread that waits for it: what the commands use while a hub runs, and the hub's store inside.
///
/// Each operation is whole or not at all; several processes may be at it at once.
public final class StoreFile {
    /// Where it is; `:memory:`: nowhere, and gone with this object.
    public let path: String
    /// How much is kept of an account.
    let limits: MemoryLimits
    /// The wall clock.
    let clock: @Sendable () -> Instant
    let database: Database
    /// What is known of the file without asking it.
    var knowledge = FileKnowledge()
    /// What this object has changed of who there is, for who compares that with what others change.
    var ownAccounts = OwnAccounts()
    private var statements: [String: PreparedStatement] = [:]

    /// Opens a database, makes it where it is missing, and brings it to this version.
    ///
    /// - Parameters:
    ///   - path: The file; its folder is made where it is missing, for this user alone. `:memory:` is a database without one.
    ///   - isMade: Whether it is made where it is missing.
    ///   - limits: How much is kept of an account: as much as in the hub's memory.
    ///   - clock: The wall clock.
    /// - Throws: `StoreFailure` with a sentence that names the path.
    public init(
        _ path: String,
        makingIt isMade: Bool = true,
        limits: MemoryLimits = MemoryLimits(),
        clock: @escaping @Sendable () -> Instant = { wallClock() }
    ) throws(StoreFailure) {
        self.path = path
        self.limits = limits
        self.clock = clock
        try FilePlace(path).prepare(isMade: isMade, trust: .command(on: path))
        do throws(DatabaseError) {
            database = try Database(path: path)
        } catch {
            throw .cannot("opened", path, error.message, instead: "name a file that this user may write")
        }
        do throws(DatabaseError) {
            try Self.configure(database)
        } catch {
            throw error.isNoDatabase ? .notADatabase(path) : StoreFailure(error).about(path)
        }
        do throws(StoreFailure) {
            try Schema.migrator.migrate(database, at: path)
        } catch {
            throw error.about(path)
        }
    }

    private static func configure(_ database: borrowing Database) throws(DatabaseError) {
        try useLog(database)
        // NORMAL: a commit does not wait for the disk; when the power fails, the last ones may be gone, and the file is
        // whole (https://www.sqlite.org/pragma.html#pragma_synchronous).
        try database.execute(
            """
            PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;
            PRAGMA journal_size_limit = \(largestIdleLog);
            PRAGMA wal_autocheckpoint = \(pagesBeforeCheckpoint);
            """
        )
    }

    /// Has what reads not wait for what writes (WAL).
    ///
    /// Of several who open a new file at once, SQLite turns all but one away here, and does not wait as it does elsewhere.
    private static func useLog(_ database: borrowing Database) throws(DatabaseError) {
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

    /// Runs a statement that gives no rows.
    func run(_ sql: String, _ values: DatabaseValue...) throws(StoreFailure) {
        try rows(sql, values) { _ in }
    }

    /// Runs a statement and reads its rows.
    func rows(
        _ sql: String,
        _ values: [DatabaseValue] = [],
        _ read: (borrowing Row) -> Void
    ) throws(StoreFailure) {
        do throws(DatabaseError) {
            // Taken out while it runs, so that nothing else runs it.
            let prepared = try take(sql)
            defer {
                prepared.statement.reset()
                statements[sql] = prepared
            }
            try prepared.statement.bind(values)
            while try prepared.statement.next() { read(prepared.statement.row) }
        } catch {
            throw StoreFailure(error)
        }
    }

    private func take(_ sql: String) throws(DatabaseError) -> PreparedStatement {
        if let kept = statements.removeValue(forKey: sql) { return kept }
        return PreparedStatement(try database.prepare(sql))
    }

    /// The first row that a statement gives.
    func first<Value>(
        _ sql: String,
        _ values: DatabaseValue...,
        read: (borrowing Row) -> Value
    ) throws(StoreFailure) -> Value? {
        var first: Value?
        try rows(sql, values) { row in
            if first == nil { first = read(row) }
        }
        return first
    }

    // MARK: Transactions

    /// Does something whole or not at all: a transaction, or within one a part that can fail by itself.
    func atomically<Result>(_ work: () throws(StoreFailure) -> Result) throws(StoreFailure) -> Result {
        let isOutermost = !database.isInTransaction
        // IMMEDIATE: who is to write waits for others here, and not half-way, where waiting is of no use.
        try run(isOutermost ? "BEGIN IMMEDIATE" : "SAVEPOINT part")
        do throws(StoreFailure) {
            if isOutermost { try noticeOthers() }
            let result = try work()
            try run(isOutermost ? "COMMIT" : "RELEASE part")
            return result
        } catch {
            undo(isOutermost: isOutermost)
            throw error
        }
    }

    private func undo(isOutermost: Bool) {
        knowledge = FileKnowledge()
        ownAccounts.added = [:]
        // A bad failure has rolled everything back by itself.
        guard database.isInTransaction else { return }
        if isOutermost {
            try? run("ROLLBACK")
        } else {
            try? run("ROLLBACK TO part")
            try? run("RELEASE part")
        }
    }

    /// Forgets what is known where another process has changed the file.
    private func noticeOthers() throws(StoreFailure) {
        let version = try first("PRAGMA data_version") { $0.integer(0) }
        guard version != knowledge.version else { return }
        knowledge = FileKnowledge()
        knowledge.version = version
    }

    /// How far the log may have grown by a large load and stay so.
    ///
    /// More: a large load finds the room there; more room is taken for good.
    private static let largestIdleLog = 16 << 20
    /// How many pages of 4 KB the log may have before they are moved into the file, which waits for the disk.
    ///
    /// More: fewer such waits; a killed hub's successor reads a longer log first.
    private static let pagesBeforeCheckpoint = 4_000
}

/// What is known of a file without asking it: until another process changes it, or a change is undone.
struct FileKnowledge {
    /// By `PRAGMA data_version`.
    var version: Int64?
    /// The accounts' numbers, by what their names mean.
    var accounts: [String: Int64] = [:]
    /// How much an account's Recents are.
    var recents: [Int64: RecentsAmount] = [:]
    /// What directories have: the chunks that a load leaves alone need not be written.
    var images: [Int64: DirectoryImage] = [:]
}

/// Accounts that were added and erased, by their numbers.
struct OwnAccounts {
    var added: [Int64: String] = [:]
    var erased: Set<Int64> = []
}

/// A statement that is kept; a dictionary takes none that cannot be copied.
private final class PreparedStatement {
    var statement: Statement

    init(_ statement: consuming Statement) {
        self.statement = statement
    }
}
