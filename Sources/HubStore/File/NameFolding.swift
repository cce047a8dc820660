import HubAccountData
import HubEngine

/// The migration of a database that compared names by case to one that does not.
///
/// Keys are computed anew. Accounts and handles that differ in case alone are told apart by a number
/// (`NameConflicts`); what others have stored about such an account, by its former handle, follows it: their block
/// lists, contacts and Recents.
enum NameFolding {
    /// Converts a database within an open transaction, in which the tables `notices` and `former_names` are new.
    static func convert(_ database: borrowing Database) throws(DatabaseError) {
        let stored = try accounts(in: database)
        let conflicts = NameConflicts(stored)
        try renameJournalAccounts(conflicts, in: database)
        try store(conflicts.accounts, in: database)
        var links = InvitationsToFormerHandles()
        for change in conflicts.changes {
            for handle in change.handles {
                try links.revoke(handle.former, handle.present, of: change.id, in: database)
                for column in HandleColumn.all {
                    try column.replace(handle.former, by: handle.present, in: database)
                }
            }
        }
        try foldBlockRules(in: database)
        for change in conflicts.changes {
            try database.rows(
                "INSERT INTO notices (text) VALUES (?)",
                [.text(change.notice(revokedLinks: links.count[change.id] ?? 0))]
            )
        }
    }

    // MARK: Accounts

    private static func accounts(in database: borrowing Database) throws(DatabaseError) -> [NameConflicts.Account] {
        var handles: [Int64: [Handle]] = [:]
        try database.rows("SELECT account, type, value FROM account_handles ORDER BY account, position") { row in
            handles[row.integer(0), default: []].append(Handle(stored: row.integer(1), row.text(2)))
        }
        var accounts: [NameConflicts.Account] = []
        // Data that a removed account has left takes no name away from an account that can be called.
        var removed: [NameConflicts.Account] = []
        try database.rows("SELECT id, name, created_at FROM accounts ORDER BY id") { row in
            let account = NameConflicts.Account(
                id: row.integer(0),
                name: row.text(1),
                handles: handles[row.integer(0)] ?? []
            )
            if row.isNull(2), account.handles.isEmpty { removed.append(account) } else { accounts.append(account) }
        }
        return accounts + removed
    }

    private static func store(
        _ accounts: [NameConflicts.Account],
        in database: borrowing Database
    ) throws(DatabaseError) {
        // In two steps, as a new key may be an old one of another row.
        try database.execute("UPDATE accounts SET key = '#' || id; DELETE FROM account_handles")
        for account in accounts {
            try database.rows(
                "UPDATE accounts SET key = ?, name = ? WHERE id = ?",
                [.text(account.name.nameKey), .text(account.name), .integer(account.id)]
            )
            for (position, handle) in account.handles.enumerated() {
                try database.rows(
                    "INSERT INTO account_handles (key, account, position, type, value) VALUES (?, ?, ?, ?, ?)",
                    [
                        .text(handle.storedKey), .integer(account.id), .integer(Int64(position)),
                        .integer(Int64(handle.type.rawValue)), .text(handle.value),
                    ]
                )
            }
        }
    }

    /// Stores the former names of renamed and erased accounts, which the journal of a killed hub may still have.
    private static func renameJournalAccounts(
        _ conflicts: NameConflicts,
        in database: borrowing Database
    ) throws(DatabaseError) {
        for change in conflicts.changes where change.nameOwner != nil {
            try database.rows(
                "INSERT INTO former_names (name, account) VALUES (?, ?)",
                [.text(change.formerName.key), .integer(change.id)]
            )
        }
        var erased: [String] = []
        try database.rows("SELECT key FROM erasures") { erased.append($0.text(0)) }
        try database.execute(
            "INSERT OR IGNORE INTO former_names (name) SELECT key FROM erasures; DELETE FROM erasures"
        )
        let present = Set(conflicts.accounts.map(\.name.nameKey))
        for key in Set(erased.map(\.nameKey)).subtracting(present) {
            try database.rows("INSERT INTO erasures (key) VALUES (?)", [.text(key)])
        }
    }

    // MARK: Block lists

    /// Computes the keys of blocked handles anew; of rules that have the same meaning now, the first stays.
    private static func foldBlockRules(in database: borrowing Database) throws(DatabaseError) {
        var keys: [Int64: String] = [:]
        var known: [Int64: Set<String>] = [:]
        var repeated: [Int64] = []
        try database.rows(
            "SELECT id, account, type, value FROM block_rules WHERE type IN (1, 3) ORDER BY id"
        ) { row in
            let key = Handle(stored: row.integer(2), row.text(3)).storedKey
            if known[row.integer(1), default: []].insert(key).inserted {
                keys[row.integer(0)] = key
            } else {
                repeated.append(row.integer(0))
            }
        }
        for id in repeated { try database.rows("DELETE FROM block_rules WHERE id = ?", [.integer(id)]) }
        try database.execute("UPDATE block_rules SET key = '#' || id WHERE type IN (1, 3)")
        for (id, key) in keys {
            try database.rows("UPDATE block_rules SET key = ? WHERE id = ?", [.text(key), .integer(id)])
        }
    }
}

extension NameConflicts.Change {
    /// The sentence for the operator.
    fileprivate func notice(revokedLinks: Int) -> String {
        var parts: [String] = []
        if let nameOwner {
            parts.append(
                "the account \(quoted(formerName)) is \(quoted(name)) now, as names are compared without case and "
                    + "\(nameOwner.text) keeps that name"
            )
        } else {
            parts.append("the account \(quoted(name)) is called otherwise now, as handles are compared without case")
        }
        for change in handles {
            let (former, present) = (quoted(change.former.value), quoted(change.present.value))
            parts.append("its handle \(former) is \(present) now, as \(change.owner.text) keeps it")
        }
        if revokedLinks > 0 { parts.append("the guest links to it (\(revokedLinks)) are revoked") }
        return parts.joined(separator: "; ")
    }
}

extension NameConflicts.Owner {
    /// The party in a sentence.
    fileprivate var text: String {
        switch self {
        case .account(let name): quoted(name)
        case .builtIn: "the hub itself"
        }
    }
}
