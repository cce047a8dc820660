import Glibc
import HubEngine

/// Up to where the journal's entries are in this file: written in the same transactions as they, so that each is in once,
/// and one that has been removed since does not come back.
extension StoreFile {
    /// The journal that this file knows; nil: none.
    func journal() throws(StoreFailure) -> (id: Int64, position: UInt64)? {
        try first("SELECT id, position FROM journal") { row in
            (row.integer(0), UInt64(bitPattern: row.integer(1)))
        }
    }

    func setJournal(id: Int64, position: UInt64) throws(StoreFailure) {
        try run(
            "INSERT OR REPLACE INTO journal (only, id, position) VALUES (1, ?, ?)",
            .integer(id),
            .integer(Int64(bitPattern: position))
        )
    }

    /// Takes over what a journal has that this file has not, and begins a new one.
    ///
    /// A disk without room does not keep the hub from starting: then there is no journal for the time being, and the old one waits.
    ///
    /// - Parameters:
    ///   - path: The journal's file.
    ///   - capacity: The new ring's bytes.
    ///   - warn: Told of what could not be trusted, or not be done.
    /// - Returns: The new journal, which this file knows; nil: none could be made.
    func takeOver(_ path: String, capacity: Int, warn: (String) -> Void) -> RecentsJournal? {
        do throws(StoreFailure) {
            try takeOver(path, warn)
            let journal = try RecentsJournal(replacing: path, capacity: capacity)
            try know(journal, at: path)
            return journal
        } catch {
            warn("\(Self.unjournaled): \(error)")
            return nil
        }
    }

    private static let unjournaled =
        "calls that have just ended will be lost if the hub is killed, for there is no journal until there is room"

    /// Writes which journal it is; where that cannot be done there is none.
    private func know(_ journal: RecentsJournal, at path: String) throws(StoreFailure) {
        do throws(StoreFailure) {
            try atomically { () throws(StoreFailure) in try setJournal(id: journal.id, position: 0) }
        } catch {
            // Empty, and next time it would be taken for another database's.
            unlink(path)
            throw error
        }
    }

    private func takeOver(_ path: String, _ warn: (String) -> Void) throws(StoreFailure) {
        let known = try journal()
        switch JournalReader(path: path).read(id: known?.id, from: known?.position ?? 0) {
        case .nothing: break
        case .entries(let entries, let end):
            try atomically { () throws(StoreFailure) in
                for entry in entries { try keepRegardless(entry, warn) }
                try setJournal(id: known?.id ?? 0, position: end)
            }
        case .unusable(let reason):
            let consequence = "calls that had just ended may be missing from Recents"
            warn("\(path) is set aside as \(setAside(path)): \(reason); \(consequence)")
        }
    }

    /// Keeps an entry, or leaves it out where it is the entry's fault: the hub must start all the same.
    private func keepRegardless(_ entry: JournalEntry, _ warn: (String) -> Void) throws(StoreFailure) {
        do throws(StoreFailure) {
            try keep(entry.call, of: entry.account)
        } catch {
            guard !error.isPassing else { throw error }
            warn("a call of \(quoted(entry.account)) is missing from Recents: \(error)")
        }
    }

    private func setAside(_ path: String) -> String {
        let target = "\(path).damaged-\(clock().nanoseconds / 1_000_000_000)"
        return rename(path, target) == 0 ? target : "nothing, for it cannot be renamed"
    }
}
