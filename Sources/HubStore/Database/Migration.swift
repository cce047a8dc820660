/// A step from one version of the schema to the next; the number of steps taken is the version.
struct Migration {
    /// The statements of the step.
    let sql: String
    /// The conversion of rows that SQL cannot express, after the statements; nil: there is none.
    var convert: (@Sendable (borrowing Database) throws(DatabaseError) -> Void)?
}

/// Migrates a database to the program's version of the schema.
struct Migrator {
    /// All steps in order; a step that was released is never changed.
    let migrations: [Migration]
    /// The ID that marks the program's databases (https://www.sqlite.org/pragma.html#pragma_application_id).
    let applicationID: Int64

    /// Takes all missing steps, each in a transaction.
    ///
    /// Two processes may do so at once: one waits for the other, and then finds nothing to do.
    ///
    /// - Parameters:
    ///   - database: A new database, or one of this program's.
    ///   - path: The database's path, for error messages.
    /// - Throws: `StoreError` for a database of another program or of a newer version, which is left unchanged, and
    ///   for errors of SQLite.
    func migrate(_ database: borrowing Database, at path: String) throws(StoreError) {
        while try version(of: database, at: path) < migrations.count {
            do throws(DatabaseError) {
                try database.execute("BEGIN IMMEDIATE")
                try step(database)
                try database.execute("COMMIT")
            } catch {
                try? database.execute("ROLLBACK")
                throw StoreError(error)
            }
        }
    }

    /// Indicates that a database has tables of an older version.
    func isOutdated(_ database: borrowing Database, at path: String) throws(StoreError) -> Bool {
        (1..<Int64(migrations.count)).contains(try version(of: database, at: path))
    }

    /// Takes the next step within the open transaction, if another process has not taken it meanwhile.
    private func step(_ database: borrowing Database) throws(DatabaseError) {
        let version = try database.integer("PRAGMA user_version")
        guard version >= 0, version < migrations.count else { return }
        let migration = migrations[Int(version)]
        try database.execute(migration.sql)
        try migration.convert?(database)
        try database.execute("PRAGMA user_version = \(version + 1)")
        try database.execute("PRAGMA application_id = \(applicationID)")
    }

    /// The schema version of a database; 0: it is new.
    private func version(of database: borrowing Database, at path: String) throws(StoreError) -> Int64 {
        do throws(DatabaseError) {
            // Both values are read in one transaction, since another process may be migrating.
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
            default: throw StoreError(error)
            }
        }
    }

    // Codes that SQLite does not use: they only leave the block above.
    private var foreign: CInt { -1 }
    private var newer: CInt { -2 }
}
