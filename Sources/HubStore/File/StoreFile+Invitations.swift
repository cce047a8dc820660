public import HubEngine

/// The invitations that were created, and those that were revoked individually.
extension StoreFile {
    /// All invitations that have not been removed since they expired, in the order of their creation.
    ///
    /// - Returns: The invitations, revoked ones included.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`.
    public func invitations() throws(StoreError) -> [StoredInvitation] {
        var invitations: [StoredInvitation] = []
        try rows(
            """
            SELECT id, callee_type, callee, name, created_at, expires_at, revoked_at, guests_give_names
            FROM links ORDER BY rowid
            """
        ) { row in
            guard let id = InvitationID(row.text(0)) else { return }
            invitations.append(
                StoredInvitation(
                    id: id,
                    callee: row.optionalInteger(1).map { Handle(stored: $0, row.text(2)) },
                    name: row.isNull(3) ? nil : row.text(3),
                    guestsGiveNames: row.flag(7),
                    createdAt: Instant(nanoseconds: row.integer(4)),
                    expiresAt: Instant(nanoseconds: row.integer(5)),
                    revokedAt: row.optionalInteger(6).map(Instant.init)
                )
            )
        }
        return invitations
    }

    /// Stores an invitation, and removes those that expired more than 30 days ago.
    ///
    /// - Parameter invitation: An invitation whose identifier is not stored yet.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault` (also if the
    ///   identifier is stored); then nothing has changed.
    public func add(_ invitation: StoredInvitation) throws(StoreError) {
        try atomically { () throws(StoreError) in
            let latestEnd = clock() + (.zero - Self.expiredInvitationRetention)
            try run("DELETE FROM links WHERE expires_at < ?", .integer(latestEnd.nanoseconds))
            try run(
                """
                INSERT INTO links (
                    id, callee_type, callee, name, created_at, expires_at, revoked_at, guests_give_names
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                .text(invitation.id.text),
                .optional(invitation.callee.map { Int64($0.type.rawValue) }),
                invitation.callee.map { .text($0.value) } ?? .null,
                invitation.name.map { .text($0) } ?? .null,
                .integer(invitation.createdAt.nanoseconds),
                .integer(invitation.expiresAt.nanoseconds),
                .optional(invitation.revokedAt?.nanoseconds),
                .flag(invitation.guestsGiveNames)
            )
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
                try add(StoredInvitation(id: id, callee: nil, createdAt: now, expiresAt: end, revokedAt: now))
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

    /// Revokes all invitations by replacing the key that has signed them.
    ///
    /// - Parameters:
    ///   - name: The name of the key among the hub's secrets.
    ///   - key: The new key.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`; then nothing
    ///   has changed.
    public func revokeInvitations(replacing name: String, by key: [UInt8]) throws(StoreError) {
        try atomically { () throws(StoreError) in
            try setSecret(name, key)
            try run("DELETE FROM links")
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
        return try invitations().filter { $0.callee.map { handles.contains($0.storedKey) } ?? false }
    }

    /// Removes the callee from the invitations to an account; they keep their identifiers, and can be revoked.
    func eraseCallee(_ account: String) throws(StoreError) {
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
}
