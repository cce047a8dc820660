/// A step from a version of the database to the next one; the steps there are, in their order, are the versions.
struct Migration {
    /// The statements that make it.
    let sql: String
}

/// Brings a database to its program's version.
struct Migrator {
    /// All steps there ever were: a step that was once out is never changed.
    let migrations: [Migration]
    /// What tells the program's databases from others (https://www.sqlite.org/pragma.html#pragma_application_id).
    let applicationID: Int64

    /// Takes all steps that are missing, each whole or not at all.
    ///
    /// Two processes may do so at once: one waits for the other, and then finds nothing to do.
    ///
    /// - Parameters:
    ///   - database: A database of this program's, or a new one.
    ///   - path: Its name in sentences.
    /// - Throws: `StoreFailure`, for a database of another program or a newer version; then nothing is changed.
    func migrate(_ database: borrowing Database, at path: String) throws(StoreFailure) {
        while try version(of: database, at: path) < migrations.count {
            do throws(DatabaseError) {
                try database.execute("BEGIN IMMEDIATE")
                try step(database)
                try database.execute("COMMIT")
            } catch {
                try? database.execute("ROLLBACK")
                throw StoreFailure(error)
            }
        }
    }

    /// With the transaction open, so that nobody else does the same.
    private func step(_ database: borrowing Database) throws(DatabaseError) {
        let version = try database.integer("PRAGMA user_version")
        guard version >= 0, version < migrations.count else { return }
        try database.execute(migrations[Int(version)].sql)
        try database.execute("PRAGMA user_version = \(version + 1)")
        try database.execute("PRAGMA application_id = \(applicationID)")
    }

    /// The version that a database has; 0: it is new.
    private func version(of database: borrowing Database, at path: String) throws(StoreFailure) -> Int64 {
        do throws(DatabaseError) {
            // All of one moment: another process may be at the same.
            try database.execute("BEGIN")
            defer { try? database.execute("ROLLBACK") }
            let version = try database.integer("PRAGMA user_version")
            guard try database.integer("PRAGMA application_id") == applicationID else {
                let isEmpty = try database.integer("SELECT count(*) FROM sqlite_schema") == 0
                guard isEmpty, version == 0 else { throw DatabaseError(foreign, "") }
                return 0
            }
            guard version <= migrations.count else { throw DatabaseError(newer, "\(version)") }
            return version
        } catch {
            switch error.code {
            case foreign: throw .foreign(path)
            case newer: throw .newerVersion(path, found: error.message, known: migrations.count)
            default: throw StoreFailure(error)
            }
        }
    }

    // No codes of SQLite's: they only leave the block above.
    private var foreign: CInt { -1 }
    private var newer: CInt { -2 }
}
