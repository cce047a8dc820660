public import HubEngine

/// The passkeys of accounts.
extension StoreFile {
    /// Reads the passkeys of an account, the oldest first.
    ///
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`.
    public func passkeys(of account: String) throws(StoreError) -> [StoredPasskey] {
        var passkeys: [StoredPasskey] = []
        try rows(
            """
            SELECT \(Self.passkeyColumns) FROM passkeys JOIN accounts ON accounts.id = account
            WHERE accounts.key = ? AND accounts.created_at IS NOT NULL ORDER BY passkeys.created_at, passkeys.id
            """,
            [.text(account.nameKey)]
        ) { passkeys.append(StoredPasskey($0)) }
        return passkeys
    }

    /// Reads a passkey with its account; nil: there is none, or its account was removed.
    ///
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`.
    public func passkey(_ id: [UInt8]) throws(StoreError) -> PasskeyOwner? {
        try first(
            """
            SELECT \(Self.passkeyColumns), accounts.name, passkey_user, password_version
            FROM passkeys JOIN accounts ON accounts.id = account
            WHERE passkeys.id = ? AND accounts.created_at IS NOT NULL AND passkey_user IS NOT NULL
            """,
            .blob(id)
        ) {
            PasskeyOwner(
                passkey: StoredPasskey($0),
                account: $0.text(8),
                user: $0.bytes(9),
                passwordVersion: $0.integer(10)
            )
        }
    }

    /// Reads the user handle of an account, and stores a new one if it has none.
    ///
    /// - Parameters:
    ///   - account: The name of the account.
    ///   - fresh: The new user handle, random bytes.
    /// - Returns: The user handle.
    /// - Throws: `StoreError` of the kind `noSuchAccount` if no operator has created the account; `full`, `readOnly`,
    ///   `busy`, `corrupt`, `inputOutput` or `fault` from the database; then nothing has changed.
    public func passkeyUser(of account: String, orStore fresh: [UInt8]) throws(StoreError) -> [UInt8] {
        try atomically { () throws(StoreError) in
            let id = try requiredAccountID(account)
            try run(
                "UPDATE accounts SET passkey_user = ? WHERE id = ? AND passkey_user IS NULL",
                .blob(fresh),
                .integer(id)
            )
            return try first("SELECT passkey_user FROM accounts WHERE id = ?", .integer(id)) { $0.bytes(0) } ?? fresh
        }
    }

    /// Adds a passkey to an account.
    ///
    /// - Parameters:
    ///   - passkey: The passkey.
    ///   - account: The name of the account.
    /// - Returns: False if an account has the credential already.
    /// - Throws: `StoreError` of the kind `noSuchAccount` if no operator has created the account; `full`, `readOnly`,
    ///   `busy`, `corrupt`, `inputOutput` or `fault` from the database; then nothing has changed.
    public func add(_ passkey: StoredPasskey, to account: String) throws(StoreError) -> Bool {
        try atomically { () throws(StoreError) in
            let id = try requiredAccountID(account)
            let added = try first(
                """
                INSERT INTO passkeys (id, account, site, name, algorithm, public_key, counter, created_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING 1
                """,
                .blob(passkey.id),
                .integer(id),
                .text(passkey.site),
                .text(passkey.name),
                .integer(Int64(passkey.algorithm)),
                .blob(passkey.publicKey),
                .integer(Int64(passkey.counter)),
                .integer(passkey.createdAt.nanoseconds)
            ) { _ in true }
            return added ?? false
        }
    }

    /// Renames a passkey of an account; false: the account has no such passkey.
    ///
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`; then nothing
    ///   has changed.
    public func renamePasskey(_ id: [UInt8], of account: String, to name: String) throws(StoreError) -> Bool {
        try atomically { () throws(StoreError) in
            try first(
                """
                UPDATE passkeys SET name = ? WHERE id = ? AND account IN (SELECT id FROM accounts WHERE key = ?)
                RETURNING 1
                """,
                .text(name),
                .blob(id),
                .text(account.nameKey)
            ) { _ in true } ?? false
        }
    }

    /// Removes a passkey of an account; false: the account has no such passkey.
    ///
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`; then nothing
    ///   has changed.
    public func removePasskey(_ id: [UInt8], of account: String) throws(StoreError) -> Bool {
        try atomically { () throws(StoreError) in
            try first(
                """
                DELETE FROM passkeys WHERE id = ? AND account IN (SELECT id FROM accounts WHERE key = ?) RETURNING 1
                """,
                .blob(id),
                .text(account.nameKey)
            ) { _ in true } ?? false
        }
    }

    /// Stores the counter and the time of a sign-in.
    ///
    /// - Parameters:
    ///   - id: The ID of the credential.
    ///   - counter: The new signature counter; 0: the authenticator has none.
    ///   - now: The time of the sign-in.
    /// - Returns: False if the passkey is gone, or if another sign-in has stored a counter as high meanwhile.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`; then nothing
    ///   has changed.
    public func notePasskeyUse(_ id: [UInt8], counter: UInt32, at now: Instant) throws(StoreError) -> Bool {
        try atomically { () throws(StoreError) in
            try first(
                """
                UPDATE passkeys SET counter = ?1, last_used_at = ?2
                WHERE id = ?3 AND (counter < ?1 OR (counter = 0 AND ?1 = 0)) RETURNING 1
                """,
                .integer(Int64(counter)),
                .integer(now.nanoseconds),
                .blob(id)
            ) { _ in true } ?? false
        }
    }

    private func requiredAccountID(_ name: String) throws(StoreError) -> Int64 {
        guard let id = try provisionedAccountID(name) else {
            throw StoreError(.noSuchAccount, "there is no account \(quoted(name)); add it first")
        }
        return id
    }

    private static let passkeyColumns =
        "passkeys.id, site, passkeys.name, algorithm, public_key, counter, passkeys.created_at, last_used_at"
}

extension StoredPasskey {
    /// Decodes a row of `passkeyColumns`.
    fileprivate init(_ row: borrowing Row) {
        self.init(
            id: row.bytes(0),
            site: row.text(1),
            name: row.text(2),
            algorithm: Int(clamping: row.integer(3)),
            publicKey: row.bytes(4),
            counter: UInt32(clamping: row.integer(5)),
            createdAt: Instant(nanoseconds: row.integer(6))
        )
        lastUsedAt = row.optionalInteger(7).map(Instant.init)
    }
}
