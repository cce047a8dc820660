public import HubEngine

/// The invitations that were created, and those that were revoked individually.
extension StoreFile {
    /// All invitations that have not been removed since they expired, in the order of their creation.
    ///
    /// - Returns: The invitations, revoked ones included.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`.
    public func invitations() throws(StoreError) -> [StoredInvitation] { try invitations("TRUE", []) }

    /// Returns the invitation with a secret.
    ///
    /// - Parameter secretHash: The SHA-256 of the secret.
    /// - Returns: The invitation, whether or not it can still be used; nil: it is unknown.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`.
    public func invitation(secretHash: [UInt8]) throws(StoreError) -> StoredInvitation? {
        try invitations("secret_hash = ?", [.blob(secretHash)]).first
    }

    private func invitations(_ condition: String, _ values: [DatabaseValue]) throws(StoreError) -> [StoredInvitation] {
        var invitations: [StoredInvitation] = []
        try rows(
            """
            SELECT links.id, callee_type, callee, links.name, links.created_at, expires_at, revoked_at, purpose,
                accounts.name, links.account, guests_give_names, maximum_calls, calls, used_at,
                secret_hash IS NOT NULL
            FROM links LEFT JOIN accounts ON accounts.id = creator WHERE \(condition) ORDER BY links.rowid
            """,
            values
        ) { row in
            if let invitation = StoredInvitation(row) { invitations.append(invitation) }
        }
        return invitations
    }

    /// Stores an invitation, and removes those that expired more than 30 days ago.
    ///
    /// - Parameters:
    ///   - invitation: An invitation whose identifier is not stored yet.
    ///   - secretHash: The SHA-256 of its secret; nil: a token opens it.
    /// - Throws: `StoreError` of the kind `noSuchAccount` if the account that creates it was erased; `full`,
    ///   `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault` (also if the identifier or the secret is stored); then
    ///   nothing has changed.
    public func add(_ invitation: StoredInvitation, secretHash: [UInt8]? = nil) throws(StoreError) {
        try atomically { () throws(StoreError) in
            let latestEnd = clock() + (.zero - Self.expiredInvitationRetention)
            try run("DELETE FROM links WHERE expires_at < ?", .integer(latestEnd.nanoseconds))
            let (calls, offer, reset) = (invitation.guestCalls, invitation.offer, invitation.reset)
            try run(
                """
                INSERT INTO links (id, callee_type, callee, name, created_at, expires_at, revoked_at, purpose,
                    secret_hash, creator, account, guests_give_names, maximum_calls, calls, used_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                .text(invitation.id.text),
                .optional(calls?.callee.map { Int64($0.type.rawValue) }),
                calls?.callee.map { .text($0.value) } ?? .null,
                (calls?.name ?? offer?.name).map { .text($0) } ?? .null,
                .integer(invitation.createdAt.nanoseconds),
                .integer(invitation.expiresAt.nanoseconds),
                .optional(invitation.revokedAt?.nanoseconds),
                .integer(reset == nil ? offer?.role.rawValue ?? 0 : Self.resetPurpose),
                secretHash.map { .blob($0) } ?? .null,
                .optional(try invitation.createdBy.map { name throws(StoreError) in try number(of: name) }),
                (offer?.account ?? reset?.account).map { .text($0) } ?? .null,
                .flag(calls?.guestsGiveNames ?? false),
                .optional(calls?.maximumCalls.map { Int64($0) }),
                .integer(Int64(calls?.calls ?? 0)),
                .optional((offer?.usedAt ?? reset?.usedAt)?.nanoseconds)
            )
        }
    }

    /// Counts calls that a guest has begun.
    ///
    /// - Parameters:
    ///   - count: The number of calls.
    ///   - id: The guest's invitation.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`; then nothing
    ///   has changed.
    public func count(calls count: Int, of id: InvitationID) throws(StoreError) {
        try atomically { () throws(StoreError) in
            try run("UPDATE links SET calls = calls + ? WHERE id = ?", .integer(Int64(count)), .text(id.text))
        }
    }

    /// Revokes an invitation.
    ///
    /// - Parameters:
    ///   - id: The invitation's identifier.
    ///   - end: The latest possible expiry of an invitation that is not stored, until which its revocation is kept.
    /// - Returns: The invitation as it was stored before; nil: it was not.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`; then nothing
    ///   has changed.
    @discardableResult
    public func revokeInvitation(_ id: InvitationID, endingBy end: Instant) throws(StoreError) -> StoredInvitation? {
        try atomically { () throws(StoreError) in
            let now = clock()
            let storedInvitation = try invitations().first { $0.id == id }
            guard storedInvitation != nil else {
                let unknown = StoredInvitation.Purpose.calls(StoredInvitation.GuestCalls(to: nil))
                try add(StoredInvitation(id: id, for: unknown, createdAt: now, expiresAt: end, revokedAt: now))
                return nil
            }
            try run(
                "UPDATE links SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL",
                .integer(now.nanoseconds),
                .text(id.text)
            )
            return storedInvitation
        }
    }

    /// Revokes a stored invitation; a revoked one stays as it is.
    ///
    /// - Parameters:
    ///   - id: The invitation's identifier.
    ///   - creator: The account that may revoke those that it has created; nil: an administrator, who may revoke all.
    /// - Returns: The invitation as it was stored before; nil: there is none, or it is another account's.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`; then nothing
    ///   has changed.
    public func revokeInvitation(_ id: InvitationID, createdBy creator: String?) throws(StoreError) -> StoredInvitation?
    {
        try atomically { () throws(StoreError) in
            guard let invitation = try invitations("links.id = ?", [.text(id.text)]).first,
                creator == nil || invitation.createdBy?.nameKey == creator?.nameKey
            else { return nil }
            try run(
                "UPDATE links SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL",
                .integer(clock().nanoseconds),
                .text(id.text)
            )
            return invitation
        }
    }

    /// Revokes all invitations of guests, by replacing the key that has signed the tokens.
    ///
    /// - Parameters:
    ///   - name: The name of the key among the hub's secrets.
    ///   - key: The new key.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`; then nothing
    ///   has changed.
    public func revokeInvitations(replacing name: String, by key: [UInt8]) throws(StoreError) {
        try atomically { () throws(StoreError) in
            try setSecret(name, key)
            try run("DELETE FROM links WHERE secret_hash IS NULL")
            // Kept, so that whoever opens one reads that it was revoked.
            try run(
                "UPDATE links SET revoked_at = ? WHERE purpose = 0 AND revoked_at IS NULL",
                .integer(clock().nanoseconds)
            )
        }
    }

    /// The invitations to the handles of an account.
    func invitations(to account: String) throws(StoreError) -> [StoredInvitation] {
        var handles: Set<String> = [Handle.generic(account).storedKey]
        try rows(
            """
            SELECT account_handles.key FROM account_handles JOIN accounts ON accounts.id = account WHERE accounts.key = ?
            """,
            [.text(account.nameKey)]
        ) { handles.insert($0.text(0)) }
        return try invitations().filter { $0.guestCalls?.callee.map { handles.contains($0.storedKey) } ?? false }
    }

    /// Removes an account from the invitations to it, and from the one that has created it.
    ///
    /// They keep their identifiers, and can be revoked.
    func eraseFromInvitations(_ account: String) throws(StoreError) {
        for invitation in try invitations()
        where (invitation.offer?.account ?? invitation.reset?.account)?.nameKey == account.nameKey {
            try run("UPDATE links SET account = NULL, name = NULL WHERE id = ?", .text(invitation.id.text))
        }
        for invitation in try invitations(to: account) {
            try run(
                "UPDATE links SET callee_type = NULL, callee = NULL, name = NULL WHERE id = ?",
                .text(invitation.id.text)
            )
        }
    }

    /// The invitations that were revoked individually.
    func revokedInvitations() throws(StoreError) -> Set<InvitationID> {
        var revoked: Set<InvitationID> = []
        try rows("SELECT id FROM links WHERE revoked_at IS NOT NULL") { row in
            if let id = InvitationID(row.text(0)) { revoked.insert(id) }
        }
        return revoked
    }

    /// The time for which an invitation is stored after its expiry.
    ///
    /// Longer: an operator sees older invitations; more rows.
    private static let expiredInvitationRetention = Duration.seconds(30 * 86_400)

    /// The column `purpose` of an invitation to choose a new password.
    fileprivate static let resetPurpose: Int64 = 4
}

extension StoredInvitation {
    /// Decodes a row of `invitations`; nil if a column is not valid.
    fileprivate init?(_ row: borrowing Row) {
        guard let id = InvitationID(row.text(0)) else { return nil }
        let purpose: Purpose
        if row.integer(7) == 0 {
            var calls = GuestCalls(
                to: row.optionalInteger(1).map { Handle(stored: $0, row.text(2)) },
                name: row.optionalText(3),
                guestsGiveNames: row.flag(10),
                maximumCalls: row.optionalInteger(11).map { Int(clamping: $0) }
            )
            calls.calls = Int(clamping: row.integer(12))
            purpose = .calls(calls)
        } else if row.integer(7) == StoreFile.resetPurpose {
            var reset = PasswordReset(of: row.optionalText(9))
            reset.usedAt = row.optionalInteger(13).map(Instant.init)
            purpose = .reset(reset)
        } else {
            guard let role = NewAccountOffer.Role(rawValue: row.integer(7)) else { return nil }
            var offer = NewAccountOffer(role: role, account: row.optionalText(9), name: row.optionalText(3))
            offer.usedAt = row.optionalInteger(13).map(Instant.init)
            purpose = .account(offer)
        }
        self.init(
            id: id,
            for: purpose,
            createdBy: row.optionalText(8),
            createdAt: Instant(nanoseconds: row.integer(4)),
            expiresAt: Instant(nanoseconds: row.integer(5)),
            revokedAt: row.optionalInteger(6).map(Instant.init)
        )
        hasSecret = row.flag(14)
    }
}
