import Glibc

/// Copying the database while it is in use.
extension StoreFile {
    /// Copies the current state of the database to a new file, and checks the integrity of the copy.
    ///
    /// A hub may go on using the database; its later changes are not in the copy.
    ///
    /// - Parameters:
    ///   - target: The path of the copy, where no file may exist.
    ///   - progress: Called repeatedly with the share that is copied; 1: all, and the copy is being checked.
    /// - Throws: `StoreError` of the kind `unusable` if the file exists, is one of the database's own or cannot be
    ///   created; `corrupt` if the copy is damaged; `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`
    ///   from the database; then there is no copy.
    public func backup(to target: String, progress: (_ share: Double) -> Void = { _ in }) throws(StoreError) {
        guard !isDatabaseFile(target) else {
            let reason = "that is a file of the database's own"
            throw .cannot("written", target, reason, instead: "name a new file that has another name")
        }
        let descriptor = open(target, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = errno == EEXIST ? "it is there already" : String(cString: strerror(errno))
            throw .cannot("written", target, reason, instead: "name a new file that this user may write")
        }
        close(descriptor)
        do throws(StoreError) {
            try copy(to: target, progress)
            try Self.check(target)
        } catch {
            for suffix in ["", "-wal", "-shm", "-journal"] { unlink(target + suffix) }
            throw error
        }
    }

    /// Indicates that a path is that of a file which SQLite or the hub keeps next to the database.
    private func isDatabaseFile(_ target: String) -> Bool {
        func resolvedPath(_ path: String) -> String? {
            let parts = path.split(separator: "/", omittingEmptySubsequences: true)
            guard let name = parts.last else { return nil }
            let folder = path.dropLast(path.reversed().prefix { $0 != "/" }.count)
            guard let resolved = realpath(folder.isEmpty ? "." : String(folder), nil) else { return nil }
            defer { free(resolved) }
            return String(cString: resolved) + "/" + name
        }
        guard let target = resolvedPath(target) else { return false }
        // If the path of the database is a symbolic link, those files are next to its target.
        let resolved = realpath(path, nil)
        defer { free(resolved) }
        let names = [resolvedPath(path), resolved.map { String(cString: $0) }].compactMap(\.self)
        return names.contains { name in
            ["-wal", "-shm", "-journal", ".lock", ".recents"].contains { target == name + $0 }
        }
    }

    private func copy(to target: String, _ progress: (Double) -> Void) throws(StoreError) {
        // A read transaction fixes the state: without it, each change by the hub would restart the copy.
        let opensReadTransaction = !database.isInTransaction
        if opensReadTransaction {
            try run("BEGIN")
            _ = try first("SELECT count(*) FROM sqlite_schema") { $0.integer(0) }
        }
        defer { if opensReadTransaction { try? run("ROLLBACK") } }
        do throws(DatabaseError) {
            let copy = try Database(path: target)
            try database.copy(to: copy, pagesAtOnce: Self.pagesAtOnce, progress)
        } catch {
            throw StoreError(error)
        }
    }

    /// Checks the integrity of a copy, and makes it one file.
    static func check(_ target: String) throws(StoreError) {
        let verdict: String
        do throws(DatabaseError) {
            let copy = try Database(path: target)
            // The copy is one file, without a write-ahead log next to it.
            try copy.execute("PRAGMA journal_mode = DELETE")
            var statement = try copy.prepare("PRAGMA integrity_check")
            verdict = try statement.next() ? statement.row.text(0) : "nothing"
        } catch {
            throw StoreError(error)
        }
        guard verdict == "ok" else {
            throw StoreError(
                .corrupt,
                "the copy is damaged, as the database most likely is; restore an older backup",
                detail: verdict
            )
        }
    }

    /// The number of pages that are copied in one step.
    ///
    /// More: fewer steps; for a database in memory, other users wait longer for each.
    private static let pagesAtOnce: CInt = 1_024
}
