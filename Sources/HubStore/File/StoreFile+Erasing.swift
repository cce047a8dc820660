import HubEngine

/// Erasing accounts so that no erased data can reappear.
///
/// A running hub notices an erasure only a moment later, and may have calls of the account until then; a killed hub may
/// have left such a call in its journal. So the account's name is kept, and all data under it is refused, until the hub
/// has released the account.
extension StoreFile {
    /// Erases an account and all of its data.
    ///
    /// - Parameters:
    ///   - name: The name of the account.
    ///   - notifiesHub: True if a running hub may have the account loaded. Then data under that name is refused until
    ///   the
    ///     hub has released it, or the next one has started (`isBeingErased`).
    /// - Returns: True if there was such an account.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`; then nothing
    ///   has changed.
    @discardableResult
    public func erase(_ name: String, notifyingHub notifiesHub: Bool = false) throws(StoreError) -> Bool {
        try atomically { () throws(StoreError) in
            try eraseFromInvitations(name)
            let id = try first("DELETE FROM accounts WHERE key = ? RETURNING id", .text(name.nameKey)) {
                $0.integer(0)
            }
            guard let id else { return false }
            cache = FileCache()
            ownAccounts.erased.insert(id)
            if notifiesHub { try run("INSERT OR IGNORE INTO erasures (key) VALUES (?)", .text(name.nameKey)) }
            return true
        }
    }

    /// Erases all data of an account unless an operator has created it.
    ///
    /// - Parameter name: The name of the account.
    /// - Returns: True if there was anything to erase.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`; then nothing
    ///   has changed.
    @discardableResult
    public func eraseUnprovisioned(_ name: String) throws(StoreError) -> Bool {
        try atomically { () throws(StoreError) in
            try provisionedAccountID(name) == nil ? try erase(name) : false
        }
    }

    /// Erases the accounts that no operator has created, but for the most recently seen ones.
    ///
    /// - Parameter count: The number of accounts to keep.
    /// - Returns: The names of the erased accounts.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`; then nothing
    ///   has changed.
    @discardableResult
    public func eraseLeastRecentlySeen(keeping count: Int) throws(StoreError) -> [String] {
        try atomically { () throws(StoreError) in
            var names: [String] = []
            var ids: [Int64] = []
            try rows(
                """
                DELETE FROM accounts WHERE id IN (
                    SELECT id FROM accounts WHERE created_at IS NULL ORDER BY last_seen_at DESC, id DESC LIMIT -1 OFFSET ?
                ) RETURNING name, id
                """,
                [.integer(Int64(max(0, count)))]
            ) { row in
                names.append(row.text(0))
                ids.append(row.integer(1))
            }
            cache = FileCache()
            ownAccounts.erased.formUnion(ids)
            return names
        }
    }

    // MARK: Pending erasures

    /// Indicates that an account was erased and the hub has not released it yet, so that no data is stored for it.
    ///
    /// - Parameter name: The name of the account.
    /// - Returns: True from `erase` until `removeErasures`.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`.
    public func isBeingErased(_ name: String) throws(StoreError) -> Bool {
        guard cache.accounts[name.nameKey] == nil else { return false }
        return try first("SELECT 1 FROM erasures WHERE key = ?", .text(name.nameKey)) { _ in true } ?? false
    }

    /// Removes the names of erased accounts, which may be used again.
    ///
    /// - Parameter names: The names of the accounts; nil: all of them.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`; then nothing
    ///   has changed.
    public func removeErasures(of names: [String]? = nil) throws(StoreError) {
        guard let names else {
            try run("DELETE FROM former_names")
            return try run("DELETE FROM erasures")
        }
        try atomically { () throws(StoreError) in
            for name in names { try run("DELETE FROM erasures WHERE key = ?", .text(name.nameKey)) }
        }
    }
}
