import HubEngine

/// Detects changes of the accounts by other processes, by polling.
struct ExternalChangeDetector {
    private var version: Int64
    private var names: [Int64: String]

    init(_ file: StoreFile) throws(StoreError) {
        version = try file.dataVersion()
        names = try file.accountNames()
    }

    /// The current state after a change by another process; nil: there was none.
    mutating func changes(of file: StoreFile) throws(StoreError) -> AccountsChange? {
        if !file.ownAccounts.added.isEmpty { names.merge(file.ownAccounts.added) { $1 } }
        for id in file.ownAccounts.erased { names[id] = nil }
        file.ownAccounts = OwnAccounts()
        let now = try file.dataVersion()
        guard now != version else { return nil }
        let found = try file.accountNames()
        let erased = names.filter { found[$0.key] == nil }.map(\.value).sorted()
        let change = AccountsChange(
            accounts: try file.accounts(),
            erased: erased,
            secrets: try file.secrets(),
            revokedInvitations: try file.revokedInvitations()
        )
        (version, names) = (now, found)
        return change
    }
}

extension StoreFile {
    /// All accounts' names by row ID, which is never reused.
    fileprivate func accountNames() throws(StoreError) -> [Int64: String] {
        var names: [Int64: String] = [:]
        try rows("SELECT id, name FROM accounts") { names[$0.integer(0)] = $0.text(1) }
        return names
    }

    /// Indicates that a transaction is open; some errors roll it back automatically.
    var isInTransaction: Bool { database.isInTransaction }
}
