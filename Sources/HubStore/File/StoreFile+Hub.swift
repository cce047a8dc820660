import HubAccountData
import HubEngine

/// Push subscriptions and the hub's own keys.
extension StoreFile {
    /// The push subscriptions of one account or of all.
    ///
    /// - Parameter account: The name of the account; nil: all accounts.
    /// - Returns: The subscriptions, the oldest first.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`.
    public func subscriptions(of account: String? = nil) throws(StoreError) -> [StoredPushSubscription] {
        var subscriptions: [StoredPushSubscription] = []
        try rows(
            """
            SELECT accounts.name, device, endpoint, p256dh, auth, push_subscriptions.created_at, last_used_at
            FROM push_subscriptions JOIN accounts ON accounts.id = account
            \(account == nil ? "" : "WHERE accounts.key = ?") ORDER BY push_subscriptions.created_at, endpoint
            """,
            account.map { [.text($0.nameKey)] } ?? []
        ) { row in
            subscriptions.append(
                StoredPushSubscription(
                    account: row.text(0),
                    device: row.text(1),
                    subscription: PushSubscription(endpoint: row.text(2), key: row.bytes(3), secret: row.bytes(4)),
                    createdAt: Instant(nanoseconds: row.integer(5)),
                    lastUsedAt: row.optionalInteger(6).map(Instant.init)
                )
            )
        }
        return subscriptions
    }

    /// Adds a subscription; one with the same endpoint is replaced, whatever account it belonged to.
    ///
    /// - Throws: `StoreError` of the kind `noSuchAccount` if the account is being erased; `full`, `readOnly`, `busy`,
    ///   `corrupt`, `inputOutput` or `fault` from the database; then nothing has changed.
    public func put(_ stored: StoredPushSubscription) throws(StoreError) {
        try atomically { () throws(StoreError) in
            try run(
                """
                INSERT OR REPLACE INTO push_subscriptions
                    (endpoint, account, device, p256dh, auth, created_at, last_used_at) VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                .text(stored.subscription.endpoint),
                .integer(try number(of: stored.account)),
                .text(stored.device),
                .blob(stored.subscription.key),
                .blob(stored.subscription.secret),
                .integer(stored.createdAt.nanoseconds),
                .optional(stored.lastUsedAt?.nanoseconds)
            )
        }
    }

    /// Records the time of a push message to an endpoint, if it is still subscribed.
    ///
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`; then nothing
    ///   has changed.
    public func recordUse(of endpoint: String) throws(StoreError) {
        try atomically { () throws(StoreError) in
            try run(
                "UPDATE push_subscriptions SET last_used_at = ? WHERE endpoint = ?",
                .integer(clock().nanoseconds),
                .text(endpoint)
            )
        }
    }

    /// Removes the subscription of an endpoint, if there is one.
    ///
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`; then nothing
    ///   has changed.
    public func removeSubscription(_ endpoint: String) throws(StoreError) {
        try atomically { () throws(StoreError) in
            try run("DELETE FROM push_subscriptions WHERE endpoint = ?", .text(endpoint))
        }
    }

    /// Reads a key of the hub's own, which is generated on first use.
    ///
    /// - Parameters:
    ///   - name: The name of the key.
    ///   - make: Generates the key.
    /// - Returns: The stored key; if two processes generate one, that of the first.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`; then nothing
    ///   has changed.
    public func secret(_ name: String, orGenerate make: () -> [UInt8]) throws(StoreError) -> [UInt8] {
        try atomically { () throws(StoreError) in
            if let kept = try first("SELECT value FROM secrets WHERE name = ?", .text(name), read: { $0.bytes(0) }) {
                return kept
            }
            let made = make()
            try run("INSERT INTO secrets (name, value) VALUES (?, ?)", .text(name), .blob(made))
            return made
        }
    }

    /// Stores or replaces a key of the hub's own.
    ///
    /// - Parameters:
    ///   - name: The name of the key.
    ///   - value: The key.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`; then nothing
    ///   has changed.
    public func setSecret(_ name: String, _ value: [UInt8]) throws(StoreError) {
        try atomically { () throws(StoreError) in
            try run("INSERT OR REPLACE INTO secrets (name, value) VALUES (?, ?)", .text(name), .blob(value))
        }
    }

    /// Removes the notices of a migration, which the hub has logged.
    ///
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`; then nothing
    ///   has changed.
    public func removeNotices() throws(StoreError) {
        try atomically { () throws(StoreError) in try run("DELETE FROM notices") }
    }

    /// The hub's own keys by name.
    func secrets() throws(StoreError) -> [String: [UInt8]] {
        var secrets: [String: [UInt8]] = [:]
        try rows("SELECT name, value FROM secrets") { secrets[$0.text(0)] = $0.bytes(1) }
        return secrets
    }

    /// The value of `PRAGMA data_version`, which differs from the last one if others have changed the database.
    ///
    /// It is 0 for a database in memory, which no other process can open: SQLite prepares the pragma again each time.
    func dataVersion() throws(StoreError) -> Int64 {
        guard !DatabasePath.isInMemory(path) else { return 0 }
        return try first("PRAGMA data_version") { $0.integer(0) } ?? 0
    }

    /// The size of the database in bytes, including pages that are only in the write-ahead log.
    var byteCount: Int64 {
        let pages = try? first("PRAGMA page_count") { $0.integer(0) }
        let size = try? first("PRAGMA page_size") { $0.integer(0) }
        return (pages ?? 0) * (size ?? 0)
    }
}
