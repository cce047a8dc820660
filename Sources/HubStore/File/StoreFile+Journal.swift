import Glibc
import HubEngine

/// The position in the journal up to which its entries are in the database.
///
/// It is written in the entries' own transactions, so that each entry is stored once, and one that has been removed
/// since does not reappear.
extension StoreFile {
    /// The number and position of the journal that belongs to this database; nil: none.
    func journal() throws(StoreError) -> (id: Int64, position: UInt64)? {
        try first("SELECT id, position FROM journal") { row in
            (row.integer(0), UInt64(bitPattern: row.integer(1)))
        }
    }

    func setJournal(id: Int64, position: UInt64) throws(StoreError) {
        try run(
            "INSERT OR REPLACE INTO journal (only, id, position) VALUES (1, ?, ?)",
            .integer(id),
            .integer(Int64(bitPattern: position))
        )
    }

    /// Stores the entries of a journal that the database lacks, and begins a new journal.
    ///
    /// A full disk does not keep the hub from starting: then there is no journal for the time being, and the old one is
    /// kept.
    ///
    /// - Parameters:
    ///   - path: The path of the journal.
    ///   - capacity: The size of the new ring in bytes.
    ///   - warn: Called with a message for each entry or file that is unusable, and for each failure.
    /// - Returns: The new journal; nil: it could not be created.
    func recoverJournal(_ path: String, capacity: Int, warn: (String) -> Void) -> RecentsJournal? {
        do throws(StoreError) {
            try recoverJournal(path, warn)
            let journal = try RecentsJournal(replacing: path, capacity: capacity)
            try recordJournalID(journal, at: path)
            return journal
        } catch {
            warn("\(Self.unjournaledWarning): \(error)")
            return nil
        }
    }

    private static let unjournaledWarning =
        "calls that have just ended will be lost if the hub is killed: no journal can be created until there is free disk space"

    /// Records the journal's number in the database; deletes the journal if that fails.
    private func recordJournalID(_ journal: RecentsJournal, at path: String) throws(StoreError) {
        do throws(StoreError) {
            try atomically { () throws(StoreError) in try setJournal(id: journal.id, position: 0) }
        } catch {
            // It is empty, and would be mistaken for another database's at the next start.
            unlink(path)
            throw error
        }
    }

    private func recoverJournal(_ path: String, _ warn: (String) -> Void) throws(StoreError) {
        let known = try journal()
        switch JournalReader(path: path).read(id: known?.id, from: known?.position ?? 0) {
        case .nothing: break
        case .entries(let entries, let end):
            try atomically { () throws(StoreError) in
                for entry in entries { try addRecentOrSkip(entry, warn) }
                try setJournal(id: known?.id ?? 0, position: end)
            }
        case .unusable(let reason):
            let consequence = "calls that had just ended may be missing from Recents"
            warn("\(path) was renamed to \(renameUnusableJournal(path)): \(reason); \(consequence)")
        }
    }

    /// Stores an entry, or skips an invalid one with a warning, so that the hub starts all the same.
    private func addRecentOrSkip(_ entry: JournalEntry, _ warn: (String) -> Void) throws(StoreError) {
        do throws(StoreError) {
            guard let account = try presentName(of: entry.account) else { return }
            try addRecent(entry.call, of: account)
        } catch {
            guard !error.isTransient else { throw error }
            warn("a call of \(quoted(entry.account)) is missing from Recents: \(error)")
        }
    }

    /// The name of an account that a journal names, perhaps by its name before a migration; nil: it is erased.
    private func presentName(of name: String) throws(StoreError) -> String? {
        let renamed = try first(
            """
            SELECT accounts.name FROM former_names LEFT JOIN accounts ON accounts.id = account
            WHERE former_names.name = ?
            """,
            .text(name.key)
        ) { $0.optionalText(0) }
        guard let renamed else { return name }
        return renamed
    }

    private func renameUnusableJournal(_ path: String) -> String {
        let target = "\(path).damaged-\(clock().nanoseconds / 1_000_000_000)"
        return rename(path, target) == 0 ? target : "nothing, for it cannot be renamed"
    }
}
