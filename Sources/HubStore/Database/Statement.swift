import CSQLite

/// A prepared statement.
struct Statement: ~Copyable {
    private let handle: OpaquePointer
    private let connection: OpaquePointer
    private let sql: String

    init(_ handle: OpaquePointer, of connection: OpaquePointer, sql: String) {
        self.handle = handle
        self.connection = connection
        self.sql = sql
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Binds all parameters, in their order.
    mutating func bind(_ values: [DatabaseValue]) throws(DatabaseError) {
        for (index, value) in values.enumerated() {
            let code = bind(value, at: CInt(index) + 1)
            guard code == SQLITE_OK else { throw DatabaseError(code, of: connection, sql: sql) }
        }
    }

    /// Steps to the next row; false: there is none, and the statement is done.
    mutating func next() throws(DatabaseError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw DatabaseError(code, of: connection, sql: sql)
        }
    }

    /// The row of the last step.
    var row: Row { Row(handle) }

    /// Resets the statement for another run, and clears its parameters.
    mutating func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    private func bind(_ value: DatabaseValue, at index: CInt) -> CInt {
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let integer): return sqlite3_bind_int64(handle, index, integer)
        case .text(var text):
            // With its length, since a NUL is a character like others.
            return text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { bytes in
                    guard let start = bytes.baseAddress else { return hub_sqlite3_bind_text(handle, index, "", 0) }
                    return hub_sqlite3_bind_text(handle, index, start, UInt64(bytes.count))
                }
            }
        case .blob(let blob):
            return blob.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress else { return sqlite3_bind_zeroblob(handle, index, 0) }
                return hub_sqlite3_bind_blob(handle, index, start, UInt64(bytes.count))
            }
        }
    }
}

/// A value of a statement's parameter.
enum DatabaseValue {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    /// A Boolean value, which SQLite stores as 1 or 0.
    static func flag(_ isSet: Bool) -> DatabaseValue { .integer(isSet ? 1 : 0) }

    /// An integer or null.
    static func optional(_ integer: Int64?) -> DatabaseValue { integer.map { .integer($0) } ?? .null }
}

/// A row of a result, valid until the next step; columns are counted from 0.
///
/// SQLite converts a column of another type than the requested one, so that no file can make this fail.
struct Row: ~Copyable {
    private let handle: OpaquePointer

    fileprivate init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    func integer(_ column: CInt) -> Int64 { sqlite3_column_int64(handle, column) }

    func flag(_ column: CInt) -> Bool { integer(column) != 0 }

    func isNull(_ column: CInt) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    func optionalInteger(_ column: CInt) -> Int64? { isNull(column) ? nil : integer(column) }

    func text(_ column: CInt) -> String {
        // In this order: the conversion to text determines the length.
        guard let start = sqlite3_column_text(handle, column) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    func optionalText(_ column: CInt) -> String? { isNull(column) ? nil : text(column) }

    func bytes(_ column: CInt) -> [UInt8] {
        guard let start = sqlite3_column_blob(handle, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }
}
