import CSQLite
import Glibc

/// What SQLite did not do: its result code, what it says of it, and the statement (https://www.sqlite.org/rescode.html).
struct DatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The extended result code.
    let code: CInt
    /// What SQLite says.
    let message: String
    /// The statement; empty: it was none.
    let sql: String
    /// What the system said to SQLite, where it was asked; 0: nothing.
    let systemError: CInt

    init(_ code: CInt, _ message: String, sql: String = "", systemError: CInt = 0) {
        self.code = code
        self.message = message
        self.sql = sql
        self.systemError = systemError
    }

    /// The last failure of a connection; to be asked at once, since the next call has another one.
    init(_ code: CInt, of connection: OpaquePointer?, sql: String = "") {
        self.init(
            code,
            sqlite3_errmsg(connection).map { String(cString: $0) } ?? String(cString: sqlite3_errstr(code)),
            sql: sql,
            systemError: code & 0xFF == SQLITE_IOERR ? connection.map { hub_sqlite3_write_errno($0) } ?? 0 : 0
        )
    }

    /// The code without what extends it.
    var primaryCode: CInt { code & 0xFF }

    /// Whether there is no room: on the disk, in the user's quota, or below a limit that was set.
    var isFull: Bool {
        primaryCode == SQLITE_FULL
            || primaryCode == SQLITE_IOERR && [ENOSPC, EDQUOT, EFBIG].contains(systemError)
    }

    /// Whether another process had the file for longer than we wait.
    var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }

    /// Whether the file is damaged, or no database.
    var isCorrupt: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

    /// Whether the file is something else altogether.
    var isNoDatabase: Bool { primaryCode == SQLITE_NOTADB }

    /// Whether the file may be read and not written.
    var isReadOnly: Bool { primaryCode == SQLITE_READONLY }

    /// Whether the system could not open, read or write.
    var isInputOutput: Bool { [SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_NOMEM].contains(primaryCode) }

    /// Whether a rule of the schema was broken.
    var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }

    var description: String {
        "SQLite says \"\(message)\" (\(code))" + (sql.isEmpty ? "" : " to \"\(sql)\"")
            + (systemError == 0 ? "" : ", the system \"\(String(cString: strerror(systemError)))\"")
    }
}
