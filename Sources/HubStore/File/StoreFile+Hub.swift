import HubEngine

/// Where devices are woken up, and the hub's own keys.
extension StoreFile {
    /// The subscriptions of an account, or all.
    ///
    /// - Parameter account: Whose; nil: everybody's.
    /// - Returns: The oldest first.
    /// - Throws: `StoreFailure`.
    public func subscriptions(of account: String? = nil) throws(StoreFailure) -> [PushSubscription] {
        var subscriptions: [PushSubscription] = []
        try rows(
            """
            SELECT accounts.name, device, endpoint, p256dh, auth, push_subscriptions.created_at, last_used_at
            FROM push_subscriptions JOIN accounts ON accounts.id = account
            \(account == nil ? "" : "WHERE accounts.key = ?") ORDER BY push_subscriptions.created_at, endpoint
            """,
            account.map { [.text($0.key)] } ?? []
        ) { row in
            subscriptions.append(
                PushSubscription(
                    account: row.text(0),
                    device: row.text(1),
                    endpoint: row.text(2),
                    p256dh: row.bytes(3),
                    auth: row.bytes(4),
                    createdAt: Instant(nanoseconds: row.integer(5)),
                    lastUsedAt: row.optionalInteger(6).map(Instant.init)
                )
            )
        }
        return subscriptions
    }

    /// Adds a subscription, in place of the one of its endpoint, whosever that was.
    public func put(_ subscription: PushSubscription) throws(StoreFailure) {
        try atomically { () throws(StoreFailure) in
            try run(
                """
                INSERT OR REPLACE INTO push_subscriptions
                    (endpoint, account, device, p256dh, auth, created_at, last_used_at) VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                .text(subscription.endpoint),
                .integer(try number(of: subscription.account)),
                .text(subscription.device),
                .blob(subscription.p256dh),
                .blob(subscription.auth),
                .integer(subscription.createdAt.nanoseconds),
                .optional(subscription.lastUsedAt?.nanoseconds)
            )
        }
    }

    /// Notes that something was sent to an endpoint now, if it is still there.
    public func noteUse(of endpoint: String) throws(StoreFailure) {
        try atomically { () throws(StoreFailure) in
            try run(
                "UPDATE push_subscriptions SET last_used_at = ? WHERE endpoint = ?",
                .integer(clock().nanoseconds),
                .text(endpoint)
            )
        }
    }

    /// Removes the subscription of an endpoint, if it is there.
    public func removeSubscription(_ endpoint: String) throws(StoreFailure) {
        try atomically { () throws(StoreFailure) in
            try run("DELETE FROM push_subscriptions WHERE endpoint = ?", .text(endpoint))
        }
    }

    /// A key of the hub's own, which is made the first time that it is asked for.
    ///
    /// - Parameters:
    ///   - name: What it is for.
    ///   - make: Makes it.
    /// - Returns: The one that is kept: whoever asked first has chosen.
    /// - Throws: `StoreFailure`; then nothing has changed.
    public func secret(_ name: String, orMake make: () -> [UInt8]) throws(StoreFailure) -> [UInt8] {
        try atomically { () throws(StoreFailure) in
            if let kept = try first("SELECT value FROM secrets WHERE name = ?", .text(name), read: { $0.bytes(0) }) {
                return kept
            }
            let made = make()
            try run("INSERT INTO secrets (name, value) VALUES (?, ?)", .text(name), .blob(made))
            return made
        }
    }

    /// Puts another key in the place of one of the hub's own, or where there is none yet.
    ///
    /// - Parameters:
    ///   - name: What it is for.
    ///   - value: The key.
    /// - Throws: `StoreFailure`; then nothing has changed.
    public func setSecret(_ name: String, _ value: [UInt8]) throws(StoreFailure) {
        try atomically { () throws(StoreFailure) in
            try run("INSERT OR REPLACE INTO secrets (name, value) VALUES (?, ?)", .text(name), .blob(value))
        }
    }

    /// The hub's own keys, by what they are for.
    func secrets() throws(StoreFailure) -> [String: [UInt8]] {
        var secrets: [String: [UInt8]] = [:]
        try rows("SELECT name, value FROM secrets") { secrets[$0.text(0)] = $0.bytes(1) }
        return secrets
    }

    /// Changes by others since it was last asked, by `PRAGMA data_version`; any number but the one before means some.
    func versionByOthers() throws(StoreFailure) -> Int64 {
        try first("PRAGMA data_version") { $0.integer(0) } ?? 0
    }

    /// How large the file is, with what is not yet moved into it.
    var byteCount: Int64 {
        let pages = try? first("PRAGMA page_count") { $0.integer(0) }
        let size = try? first("PRAGMA page_size") { $0.integer(0) }
        return (pages ?? 0) * (size ?? 0)
    }
}
