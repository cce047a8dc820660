import CSQLite
import Glibc

/// An error of SQLite: its result code, message and statement (https://www.sqlite.org/rescode.html).
struct DatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The extended result code.
    let code: CInt
    /// SQLite's message.
    let message: String
    /// The statement; empty: the call had none.
    let sql: String
    /// The `errno` of the failed system call; 0: none or unknown.
    let systemError: CInt

    init(_ code: CInt, _ message: String, sql: String = "", systemError: CInt = 0) {
        self.code = code
        self.message = message
        self.sql = sql
        self.systemError = systemError
    }

    /// Reads the last error of a connection; only valid directly after the failed call.
    init(_ code: CInt, of connection: OpaquePointer?, sql: String = "") {
        self.init(
            code,
            sqlite3_errmsg(connection).map { String(cString: $0) } ?? String(cString: sqlite3_errstr(code)),
            sql: sql,
            systemError: code & 0xFF == SQLITE_IOERR ? connection.map { hub_sqlite3_write_errno($0) } ?? 0 : 0
        )
    }

    /// The primary result code.
    var primaryCode: CInt { code & 0xFF }

    /// Indicates that there is no space: on the disk, in the user's quota, or below a file size limit.
    var isFull: Bool {
        primaryCode == SQLITE_FULL
            || primaryCode == SQLITE_IOERR && [ENOSPC, EDQUOT, EFBIG].contains(systemError)
    }

    /// Indicates that another process has held the file for longer than the busy timeout.
    var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }

    /// Indicates that the file is damaged, or no database.
    var isCorrupt: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

    /// Indicates that the file is no database at all.
    var isNoDatabase: Bool { primaryCode == SQLITE_NOTADB }

    /// Indicates that the file may be read but not written.
    var isReadOnly: Bool { primaryCode == SQLITE_READONLY }

    /// Indicates that the system could not open, read or write the file, or had no memory.
    var isInputOutput: Bool { [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_NOMEM].contains(primaryCode) }

    /// Indicates that a constraint of the schema was violated.
    var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }

    var description: String {
        "SQLite error: \"\(message)\" (\(code))" + (sql.isEmpty ? "" : " to \"\(sql)\"")
            + (systemError == 0 ? "" : ", the system \"\(String(cString: strerror(systemError)))\"")
    }
}
