import HubAccountData
import HubEngine
import HubWire

/// The identities of OpenID providers by which accounts sign in.
extension StoreFile {
    /// Finds the account of an identity, or creates it at the first sign-in.
    ///
    /// A name that somebody has, or had, is never given to another identity: only an operator links the two. New
    /// accounts, and rights that the provider gives or takes, are in the audit log. The last administrator stays one.
    ///
    /// - Parameters:
    ///   - identity: The identity, whose provider was asked just now.
    ///   - claims: The provider's claims about the user.
    /// - Returns: The account; or the reason that there is none.
    /// - Throws: `StoreError` as ``addAccount(_:)``; then nothing has changed.
    public func signIn(
        by identity: ExternalIdentity,
        _ claims: ExternalProfile
    ) throws(StoreError) -> Result<ExternalSignIn, IdentityFault> {
        try atomically { () throws(StoreError) in
            if let known = try linkedAccount(of: identity) {
                guard known.isUsable else { return .failure(.disabled) }
                return .success(try update(known.name, by: claims))
            }
            guard let name = claims.newAccount else { return .failure(.unknown) }
            let taken = try first("SELECT 1 FROM accounts WHERE key = ?", .text(name.nameKey)) { _ in true } ?? false
            guard !taken, try handleOwner(.generic(name)) == nil else { return .failure(.nameTaken) }
            try addAccount(
                NewAccount(
                    name,
                    handles: [.generic(name)],
                    isAdmin: claims.isAdmin ?? false,
                    profile: claims.profile
                )
            )
            try linkIdentity(identity, to: name)
            let act = AuditAct("account.add", on: name, claims.isAdmin == true ? "administrator" : nil)
            try record(act, by: AuditActor(.provider, account: name))
            return .success(ExternalSignIn(account: name, isChanged: true))
        }
    }

    /// Links an identity to an account that an operator or an invitation has created.
    ///
    /// - Throws: `StoreError` of the kind `noSuchAccount` if there is no such account; `invalidArgument` if a part of
    ///   the identity is empty, or it is linked to another account; `full`, `readOnly`, `busy`, `corrupt`,
    ///   `inputOutput` or `fault` from the database; then nothing has changed.
    public func linkIdentity(_ identity: ExternalIdentity, to name: String) throws(StoreError) {
        guard !identity.issuer.isEmpty, !identity.subject.isEmpty else {
            throw StoreError(.invalidArgument, "an identity must have an issuer and a subject; say both")
        }
        try atomically { () throws(StoreError) in
            guard let id = try provisionedAccountID(name) else {
                throw StoreError(.noSuchAccount, "there is no account \(quoted(name)); add it first")
            }
            if let other = try linkedAccount(of: identity) {
                guard other.name.nameKey != name.nameKey else { return }
                let message = "that identity is linked to the account \(quoted(other.name)) already; unlink it first"
                throw StoreError(.invalidArgument, message)
            }
            try run(
                "INSERT INTO identities (issuer, subject, account, linked_at) VALUES (?, ?, ?, ?)",
                .text(identity.issuer),
                .text(identity.subject),
                .integer(id),
                .integer(clock().nanoseconds)
            )
        }
    }

    /// Removes the link of an identity to an account; the account's sessions must be ended, by any credentials.
    ///
    /// - Returns: False if there was no such link.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault` from the
    ///   database; then nothing has changed.
    public func unlinkIdentity(_ identity: ExternalIdentity, from name: String) throws(StoreError) -> Bool {
        try atomically { () throws(StoreError) in
            let id = try first(
                """
                DELETE FROM identities WHERE issuer = ? AND subject = ?
                    AND account = (SELECT id FROM accounts WHERE key = ?) RETURNING account
                """,
                .text(identity.issuer),
                .text(identity.subject),
                .text(name.nameKey)
            ) { $0.integer(0) }
            guard let id else { return false }
            // Sessions of an older version end, and the tokens by which they would return are no longer accepted.
            try run("UPDATE accounts SET password_version = password_version + 1 WHERE id = ?", .integer(id))
            return true
        }
    }

    /// Replaces the key of the tokens by which users of providers open sessions again.
    ///
    /// All tokens so far are void then; sessions of accounts with linked identities must be ended, by any credentials.
    ///
    /// - Parameter key: The new key, as `SigningKey.stored`.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault` from the
    ///   database; then nothing has changed.
    public func replaceOpenIDKey(by key: [UInt8]) throws(StoreError) {
        try atomically { () throws(StoreError) in
            try setSecret(Self.openIDKey, key)
            // Sessions of an older version end.
            try run(
                "UPDATE accounts SET password_version = password_version + 1 WHERE id IN (SELECT account FROM identities)"
            )
        }
    }

    /// The name of the key of the tokens by which users of providers open sessions again.
    public static let openIDKey = "openid-key"

    /// The identities that are linked to an account, or to any.
    ///
    /// - Parameter name: The name of the account; nil: all accounts.
    /// - Returns: The links, the oldest first.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`.
    public func identities(of name: String? = nil) throws(StoreError) -> [LinkedIdentity] {
        var found: [LinkedIdentity] = []
        try rows(
            """
            SELECT issuer, subject, name, linked_at FROM identities JOIN accounts ON accounts.id = account
            WHERE ? IS NULL OR key = ? ORDER BY linked_at, issuer, subject
            """,
            [name.map { .text($0.nameKey) } ?? .null, name.map { .text($0.nameKey) } ?? .null]
        ) { row in
            found.append(
                LinkedIdentity(
                    identity: ExternalIdentity(issuer: row.text(0), subject: row.text(1)),
                    account: row.text(2),
                    linkedAt: Instant(nanoseconds: row.integer(3))
                )
            )
        }
        return found
    }

    // MARK: Parts

    private func linkedAccount(
        of identity: ExternalIdentity
    ) throws(StoreError) -> (name: String, isUsable: Bool)? {
        try first(
            """
            SELECT name, created_at IS NOT NULL AND NOT is_disabled FROM identities
            JOIN accounts ON accounts.id = account WHERE issuer = ? AND subject = ?
            """,
            .text(identity.issuer),
            .text(identity.subject)
        ) { ($0.text(0), $0.flag(1)) }
    }

    private func handleOwner(_ handle: Handle) throws(StoreError) -> Int64? {
        try first("SELECT account FROM account_handles WHERE key = ?", .text(handle.storedKey)) { $0.integer(0) }
    }

    /// Changes an account to what its provider claims now.
    private func update(_ name: String, by claims: ExternalProfile) throws(StoreError) -> ExternalSignIn {
        var signIn = ExternalSignIn(account: name)
        let stored = try first(
            "SELECT person_name, department, is_admin FROM accounts WHERE key = ?",
            .text(name.nameKey)
        ) { row in
            (PersonProfile(name: row.optionalText(0), department: row.optionalText(1)), row.flag(2))
        }
        guard let (profile, isAdmin) = stored else { return signIn }
        let newName = claims.profile.name.flatMap { $0 == profile.name ? nil : $0 }
        let newDepartment = claims.profile.department.flatMap { $0 == profile.department ? nil : $0 }
        if newName != nil || newDepartment != nil {
            try setProfile(name: newName, department: newDepartment, of: name)
        }
        signIn.isChanged = newName != nil || newDepartment != nil
        guard let newRight = claims.isAdmin, newRight != isAdmin else { return signIn }
        if !newRight, try isLastAdministrator(name) {
            signIn.staysLastAdministrator = true
        } else {
            try setAdmin(newRight, name)
            let act = AuditAct("account.admin", on: name, newRight ? "on" : "off")
            try record(act, by: AuditActor(.provider, account: name))
            signIn.isChanged = true
        }
        return signIn
    }
}
