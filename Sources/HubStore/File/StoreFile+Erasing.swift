import HubEngine

/// Erasing accounts, so that nothing comes back of what was erased.
///
/// A hub that runs hears of it a moment later, and has calls of the account until then; another one may have been killed with such
/// a call in its journal. So the account's name stays behind, and keeps out whatever comes under it, until the hub has let go.
extension StoreFile {
    /// Erases all that is kept of an account, itself too.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - isToldHub: Whether a hub may run that knows it: then nothing more is kept under that name until the hub has let go of
    ///     it, or the next one has started, as `isBeingErased` says.
    /// - Returns: Whether there was anything.
    /// - Throws: `StoreFailure`; then nothing has changed.
    @discardableResult
    public func erase(_ name: String, tellingHub isToldHub: Bool = false) throws(StoreFailure) -> Bool {
        try atomically { () throws(StoreFailure) in
            try eraseCallee(name)
            let id = try first("DELETE FROM accounts WHERE key = ? RETURNING id", .text(name.key)) { $0.integer(0) }
            guard let id else { return false }
            knowledge = FileKnowledge()
            ownAccounts.erased.insert(id)
            if isToldHub { try run("INSERT OR IGNORE INTO erasures (key) VALUES (?)", .text(name.key)) }
            return true
        }
    }

    /// Erases all that is kept of an account that nobody made; one that an operator made stays.
    ///
    /// - Parameter name: Its name.
    /// - Returns: Whether there was anything to erase.
    /// - Throws: `StoreFailure`; then nothing has changed.
    @discardableResult
    public func eraseUnregistered(_ name: String) throws(StoreFailure) -> Bool {
        try atomically { () throws(StoreFailure) in
            try registered(name) == nil ? try erase(name) : false
        }
    }

    /// Erases the accounts that nobody made and that were not here for longest, where there are more than so many.
    ///
    /// - Parameter count: How many are kept.
    /// - Returns: The names of those erased.
    /// - Throws: `StoreFailure`; then nothing has changed.
    @discardableResult
    public func eraseUnseen(keeping count: Int) throws(StoreFailure) -> [String] {
        try atomically { () throws(StoreFailure) in
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
            knowledge = FileKnowledge()
            ownAccounts.erased.formUnion(ids)
            return names
        }
    }

    // MARK: Until the hub has let go

    /// Whether an account was erased, and the hub has not let go of it yet: nothing is kept under that name meanwhile.
    ///
    /// - Parameter name: Its name.
    /// - Returns: True from `erase` to `forgetErasures`.
    /// - Throws: `StoreFailure`.
    public func isBeingErased(_ name: String) throws(StoreFailure) -> Bool {
        guard knowledge.accounts[name.key] == nil else { return false }
        return try first("SELECT 1 FROM erasures WHERE key = ?", .text(name.key)) { _ in true } ?? false
    }

    /// Nobody has anything of erased accounts any more: their names go too, and may be somebody else's.
    ///
    /// - Parameter names: The accounts; nil: all of them.
    /// - Throws: `StoreFailure`; then nothing has changed.
    public func forgetErasures(of names: [String]? = nil) throws(StoreFailure) {
        guard let names else { return try run("DELETE FROM erasures") }
        try atomically { () throws(StoreFailure) in
            for name in names { try run("DELETE FROM erasures WHERE key = ?", .text(name.key)) }
        }
    }
}
