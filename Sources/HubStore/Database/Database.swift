import CSQLite

/// A connection to an SQLite database, for one thread at a time.
struct Database: ~Copyable {
    private let handle: OpaquePointer

    /// Opens a database file, which is created if it is missing; `:memory:` is a database without a file.
    init(path: String, busyTimeoutMilliseconds: CInt = 5_000) throws(DatabaseError) {
        var opened: OpaquePointer?
        // Only one thread at a time uses the connection, so that the library's mutex is unnecessary.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            // SQLite returns a handle for a failed open too, for its error message.
            let error = DatabaseError(code, of: opened)
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        sqlite3_busy_timeout(handle, busyTimeoutMilliseconds)
    }

    deinit {
        // Version 2: the connection stays until its last statement is finalized.
        sqlite3_close_v2(handle)
    }

    /// Prepares a statement that may be used many times.
    borrowing func prepare(_ sql: String) throws(DatabaseError) -> Statement {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw DatabaseError(code, of: handle, sql: sql) }
        return Statement(statement, of: handle, sql: sql)
    }

    /// Runs statements without parameters, one after another.
    borrowing func execute(_ sql: String) throws(DatabaseError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw DatabaseError(code, of: handle, sql: sql) }
    }

    /// The first column of the only row of a statement's result; 0: there is no row.
    borrowing func integer(_ sql: String) throws(DatabaseError) -> Int64 {
        var statement = try prepare(sql)
        return try statement.next() ? statement.row.integer(0) : 0
    }

    /// Runs a statement, and reads its rows.
    borrowing func rows(
        _ sql: String,
        _ values: [DatabaseValue] = [],
        _ read: (borrowing Row) -> Void = { _ in }
    ) throws(DatabaseError) {
        var statement = try prepare(sql)
        try statement.bind(values)
        while try statement.next() { read(statement.row) }
    }

    /// Indicates that a transaction is open; some errors roll it back automatically.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// The row ID of the last inserted row.
    var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// The number of rows that the last statement changed.
    var changedRows: Int { Int(sqlite3_changes64(handle)) }
    /// The number of rows inserted, changed and deleted since the database was opened.
    var totalChangedRows: Int64 { sqlite3_total_changes64(handle) }

    /// Copies the database to another one, `pagesAtOnce` pages per step, and reports the share that is copied, 0 to 1.
    borrowing func copy(
        to target: borrowing Database,
        pagesAtOnce: CInt,
        _ progress: (Double) -> Void
    ) throws(DatabaseError) {
        guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
            throw DatabaseError(sqlite3_extended_errcode(target.handle), of: target.handle)
        }
        var code = sqlite3_backup_step(backup, pagesAtOnce)
        while code == SQLITE_OK {
            progress(1 - Double(sqlite3_backup_remaining(backup)) / Double(max(1, sqlite3_backup_pagecount(backup))))
            code = sqlite3_backup_step(backup, pagesAtOnce)
        }
        if code == SQLITE_DONE { progress(1) }
        sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE else { throw DatabaseError(code, String(cString: sqlite3_errstr(code))) }
    }
}
