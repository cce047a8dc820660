public import HubAccountData
public import HubEngine

/// The accounts that may sign in, and those that have signed in.
extension StoreFile {
    /// All accounts, in the order of their creation.
    ///
    /// - Returns: The accounts that an operator has created, and those that have only signed in.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`.
    public func accounts() throws(StoreError) -> [StoredAccount] {
        var handles: [Int64: [Handle]] = [:]
        try rows("SELECT account, type, value FROM account_handles ORDER BY account, position") { row in
            let type = Handle.HandleType(rawValue: Int(row.integer(1))) ?? .generic
            handles[row.integer(0), default: []].append(Handle(type: type, value: row.text(2)))
        }
        var passkeys: [Int64: Set<[UInt8]>] = [:]
        try rows("SELECT account, id FROM passkeys") { passkeys[$0.integer(0), default: []].insert($0.bytes(1)) }
        var accounts: [StoredAccount] = []
        try rows(
            """
            SELECT id, name, password_hash, is_admin, is_disabled, created_at, first_seen_at, last_seen_at,
                password_version, person_name, department
            FROM accounts ORDER BY id
            """
        ) { row in
            accounts.append(
                StoredAccount(
                    name: row.text(1),
                    handles: handles[row.integer(0)] ?? [],
                    passwordCost: row.optionalText(2).map(Self.cost),
                    isAdmin: row.flag(3),
                    isDisabled: row.flag(4),
                    createdAt: row.optionalInteger(5).map(Instant.init),
                    firstSeenAt: Instant(nanoseconds: row.integer(6)),
                    lastSeenAt: Instant(nanoseconds: row.integer(7)),
                    passwordVersion: row.integer(8),
                    profile: PersonProfile(name: row.optionalText(9), department: row.optionalText(10)),
                    passkeys: passkeys[row.integer(0)] ?? []
                )
            )
        }
        return accounts
    }

    /// The cost parameters in the text of a hash, `$argon2id$v=19$m=65536,t=3,p=1$salt$hash`.
    ///
    /// - Returns: The parameters, such as `m=65536,t=3,p=1`; empty for a text of another form.
    private static func cost(ofHash text: String) -> String {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        return parts.count > 3 ? String(parts[3]) : ""
    }

    /// Creates an account; data that is stored under its name already becomes its own.
    ///
    /// - Throws: `StoreError` of the kind `invalidArgument` if the name or a handle is empty; `accountExists` if an
    ///   operator has created the account already; `handleTaken` if a handle is another account's, or occurs twice;
    ///   `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault` from the database; then nothing has changed.
    public func addAccount(_ account: NewAccount) throws(StoreError) {
        guard !account.name.isEmpty else {
            throw StoreError(.invalidArgument, "an account must have a name; say one")
        }
        try atomically { () throws(StoreError) in
            guard try provisionedAccountID(account.name) == nil else {
                let name = quoted(account.name)
                throw StoreError(.accountExists, "there is an account \(name) already; choose another name")
            }
            try removeErasures(of: [account.name])
            let id = try number(of: account.name)
            try run(
                """
                UPDATE accounts SET name = ?, created_at = ?, password_hash = ?, is_admin = ?, is_disabled = 0,
                    password_version = password_version + 1, person_name = ?, department = ? WHERE id = ?
                """,
                .text(account.name),
                .integer(clock().nanoseconds),
                account.passwordHash.map { .text($0) } ?? .null,
                .flag(account.isAdmin),
                account.profile.name.map { .text($0) } ?? .null,
                account.profile.department.map { .text($0) } ?? .null,
                .integer(id)
            )
            try put(account.handles, of: id)
        }
    }

    /// Removes an account's password, passkeys, handles and rights; its data stays until `erase`.
    ///
    /// - Throws: `StoreError` of the kind `noSuchAccount` if no operator has created the account; `full`, `readOnly`,
    ///   `busy`, `corrupt`, `inputOutput` or `fault` from the database; then nothing has changed.
    public func removeAccount(_ name: String) throws(StoreError) {
        try change(name) { id throws(StoreError) in
            // The next account of this name may be another person's.
            try revokeResets(of: name)
            try run(
                """
                UPDATE accounts SET created_at = NULL, password_hash = NULL, is_admin = 0, is_disabled = 0,
                    person_name = NULL, department = NULL WHERE id = ?
                """,
                .integer(id)
            )
            try run("DELETE FROM passkeys WHERE account = ?", .integer(id))
            try put([], of: id)
        }
    }

    /// Replaces an account's password; nil: none, it signs in by a token.
    ///
    /// Sessions that were authenticated by the old password must be ended.
    ///
    /// - Throws: `StoreError` of the kind `noSuchAccount` if no operator has created the account; `full`, `readOnly`,
    ///   `busy`, `corrupt`, `inputOutput` or `fault` from the database; then nothing has changed.
    public func setPasswordHash(_ hash: String?, of name: String) throws(StoreError) {
        try change(name) { id throws(StoreError) in
            try run(
                "UPDATE accounts SET password_hash = ?, password_version = password_version + 1 WHERE id = ?",
                hash.map { .text($0) } ?? .null,
                .integer(id)
            )
        }
    }

    /// Replaces an account's password by its user's new one, unless it has changed meanwhile.
    ///
    /// - Parameters:
    ///   - hash: The stored hash.
    ///   - fresh: The hash of the new password.
    ///   - name: The name of the account.
    /// - Returns: The version of the new password; nil: the stored hash is another one.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`; then nothing
    ///   has changed.
    public func replacePassword(_ hash: String, by fresh: String, of name: String) throws(StoreError) -> Int64? {
        try atomically { () throws(StoreError) in
            try first(
                """
                UPDATE accounts SET password_hash = ?, password_version = password_version + 1
                WHERE key = ? AND created_at IS NOT NULL AND password_hash = ? RETURNING password_version
                """,
                .text(fresh),
                .text(name.nameKey),
                .text(hash)
            ) { $0.integer(0) }
        }
    }

    /// Disables or enables an account's sign-in.
    ///
    /// - Throws: `StoreError` of the kind `noSuchAccount` if no operator has created the account; `full`, `readOnly`,
    ///   `busy`, `corrupt`, `inputOutput` or `fault` from the database; then nothing has changed.
    public func setDisabled(_ isDisabled: Bool, _ name: String) throws(StoreError) {
        try change(name) { id throws(StoreError) in
            try run("UPDATE accounts SET is_disabled = ? WHERE id = ?", .flag(isDisabled), .integer(id))
        }
    }

    /// Gives an account the right to administer the hub, or withdraws it.
    ///
    /// - Throws: `StoreError` of the kind `noSuchAccount` if no operator has created the account; `full`, `readOnly`,
    ///   `busy`, `corrupt`, `inputOutput` or `fault` from the database; then nothing has changed.
    public func setAdmin(_ isAdmin: Bool, _ name: String) throws(StoreError) {
        try change(name) { id throws(StoreError) in
            try run("UPDATE accounts SET is_admin = ? WHERE id = ?", .flag(isAdmin), .integer(id))
        }
    }

    /// Refuses to take the last administrator away, for those who could not give the right back.
    ///
    /// - Parameter name: The account that is to be disabled or removed, or to lose the right.
    /// - Throws: `StoreError` of the kind `lastAdministrator` if no other account that may sign in administers the hub;
    ///   `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault` from the database.
    public func requireOtherAdministrator(than name: String) throws(StoreError) {
        guard try isLastAdministrator(name) else { return }
        throw StoreError(
            .lastAdministrator,
            "\(quoted(name)) is the last administrator; give another account the right first"
        )
    }

    /// Indicates that an account administers the hub, and no other one that may sign in.
    func isLastAdministrator(_ name: String) throws(StoreError) -> Bool {
        let others = try first(
            """
            SELECT count(*) FROM accounts
            WHERE key <> ? AND created_at IS NOT NULL AND is_admin = 1 AND is_disabled = 0
            """,
            .text(name.nameKey)
        ) { $0.integer(0) }
        let isAdministrator = try first(
            "SELECT 1 FROM accounts WHERE key = ? AND created_at IS NOT NULL AND is_admin = 1 AND is_disabled = 0",
            .text(name.nameKey)
        ) { _ in true }
        return isAdministrator == true && others == 0
    }

    /// Changes an account's name or department in the directory of the house.
    ///
    /// - Parameters:
    ///   - name: The new name; nil: unchanged, empty: none.
    ///   - department: The new department; nil: unchanged, empty: none.
    ///   - account: The name of the account.
    /// - Throws: `StoreError` of the kind `noSuchAccount` if no operator has created the account; `full`, `readOnly`,
    ///   `busy`, `corrupt`, `inputOutput` or `fault` from the database; then nothing has changed.
    public func setProfile(name: String?, department: String?, of account: String) throws(StoreError) {
        try change(account) { id throws(StoreError) in
            for (column, value) in [("person_name", name), ("department", department)] {
                guard let value else { continue }
                let stored = value.isEmpty ? DatabaseValue.null : .text(value)
                try run("UPDATE accounts SET \(column) = ? WHERE id = ?", stored, .integer(id))
            }
        }
    }

    /// Replaces an account's handles, in their order.
    ///
    /// - Throws: `StoreError` of the kind `noSuchAccount` if no operator has created the account; `invalidArgument` if
    ///   a handle is empty; `handleTaken` if a handle is another account's, or occurs twice; `full`, `readOnly`,
    ///   `busy`, `corrupt`, `inputOutput` or `fault` from the database; then nothing has changed.
    public func setHandles(_ handles: [Handle], of name: String) throws(StoreError) {
        try change(name) { id throws(StoreError) in try put(handles, of: id) }
    }

    /// Replaces a hash by another one of the same password, unless the password has changed meanwhile.
    ///
    /// - Parameters:
    ///   - hash: The stored hash.
    ///   - fresh: The new hash.
    ///   - name: The name of the account.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`; then nothing
    ///   has changed.
    public func replacePasswordHash(_ hash: String, by fresh: String, of name: String) throws(StoreError) {
        try atomically { () throws(StoreError) in
            try run(
                "UPDATE accounts SET password_hash = ? WHERE key = ? AND password_hash = ?",
                .text(fresh),
                .text(name.nameKey),
                .text(hash)
            )
        }
    }

    /// The hash and version of an account's password; nil: there is no such account, or it has none.
    ///
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`.
    public func password(of name: String) throws(StoreError) -> StoredPassword? {
        try first(
            """
            SELECT password_hash, password_version FROM accounts
            WHERE key = ? AND created_at IS NOT NULL AND password_hash IS NOT NULL
            """,
            .text(name.nameKey)
        ) { StoredPassword(hash: $0.text(0), version: $0.integer(1)) }
    }

    /// Records that an account has signed in, and creates a row for an unknown one.
    ///
    /// - Parameters:
    ///   - name: The name of the account.
    ///   - handles: The handles in the account's token; ignored for an account that an operator has created.
    ///   - profile: The name and department in the token; ignored likewise, and if the token has neither.
    /// - Throws: `StoreError` of the kind `invalidArgument` if a handle is empty; `handleTaken` if a handle is another
    ///   account's, or occurs twice; `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault` from the database;
    ///   then nothing has changed.
    public func recordSignIn(
        _ name: String,
        handles: [Handle] = [],
        profile: PersonProfile = PersonProfile()
    ) throws(StoreError) {
        try atomically { () throws(StoreError) in
            guard try !isBeingErased(name) else { return }
            let id = try number(of: name)
            try run(
                "UPDATE accounts SET last_seen_at = max(last_seen_at, ?) WHERE id = ?",
                .integer(clock().nanoseconds),
                .integer(id)
            )
            guard try provisionedAccountID(name) == nil else { return }
            try put(handles, of: id)
            guard profile != PersonProfile() else { return }
            try run(
                "UPDATE accounts SET person_name = ?, department = ? WHERE id = ?",
                profile.name.map { .text($0) } ?? .null,
                profile.department.map { .text($0) } ?? .null,
                .integer(id)
            )
        }
    }

    // MARK: Parts

    /// The row ID of an account, which is created if it is missing.
    func number(of name: String) throws(StoreError) -> Int64 {
        let key = name.nameKey
        if let id = cache.accounts[key] { return id }
        guard try !isBeingErased(name) else { throw .erased }
        var id = try first("SELECT id FROM accounts WHERE key = ?", .text(key)) { $0.integer(0) }
        if id == nil {
            let now = DatabaseValue.integer(clock().nanoseconds)
            try run(
                "INSERT INTO accounts (key, name, first_seen_at, last_seen_at) VALUES (?, ?, ?, ?)",
                .text(key),
                .text(name),
                now,
                now
            )
            id = database.lastInsertedRow
            ownAccounts.added[database.lastInsertedRow] = name
        }
        cache.accounts[key] = id
        return id ?? 0
    }

    /// The row ID of an account that an operator has created; nil: there is none.
    func provisionedAccountID(_ name: String) throws(StoreError) -> Int64? {
        try first("SELECT id FROM accounts WHERE key = ? AND created_at IS NOT NULL", .text(name.nameKey)) {
            $0.integer(0)
        }
    }

    private func change(_ name: String, _ work: (Int64) throws(StoreError) -> Void) throws(StoreError) {
        try atomically { () throws(StoreError) in
            guard let id = try provisionedAccountID(name) else {
                throw StoreError(.noSuchAccount, "there is no account \(quoted(name)); add it first")
            }
            try work(id)
        }
    }

    private func put(_ handles: [Handle], of id: Int64) throws(StoreError) {
        try run("DELETE FROM account_handles WHERE account = ?", .integer(id))
        for (position, handle) in handles.enumerated() {
            guard !handle.value.isEmpty else {
                throw StoreError(.invalidArgument, "a handle must not be empty; say one")
            }
            let owner = try first(
                "SELECT accounts.name FROM account_handles JOIN accounts ON accounts.id = account WHERE account_handles.key = ?",
                .text(handle.storedKey)
            ) { $0.text(0) }
            if let owner {
                throw StoreError(
                    .handleTaken,
                    "\(quoted(handle.value)) is a handle of \(quoted(owner)) already; a handle is one account's, once"
                )
            }
            try run(
                "INSERT INTO account_handles (key, account, position, type, value) VALUES (?, ?, ?, ?, ?)",
                .text(handle.storedKey),
                .integer(id),
                .integer(Int64(position)),
                .integer(Int64(handle.type.rawValue)),
                .text(handle.value)
            )
        }
    }
}

/// Untrusted text in quotes for a message: 60 characters at most, without control characters.
func quoted(_ text: String) -> String {
    let shown = text.unicodeScalars.prefix(60).map { $0.value < 0x20 || $0.value == 0x7F ? "?" : String($0) }.joined()
    return "\"\(shown)\(text.unicodeScalars.count > 60 ? "..." : "")\""
}
