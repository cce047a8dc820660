public import HubEngine
public import HubWire

/// The invitations that let their receivers create accounts.
extension StoreFile {
    /// Creates the account that an invitation offers, once.
    ///
    /// - Parameters:
    ///   - secretHash: The SHA-256 of the invitation's secret.
    ///   - account: The account; its right to administer is the invitation's.
    /// - Returns: The invitation, or the reason for which nothing was created.
    /// - Throws: `StoreError` as ``register(_:)``; then nothing has changed, and the invitation can still be used.
    public func accept(
        secretHash: [UInt8],
        _ account: NewAccount
    ) throws(StoreError) -> Result<StoredInvitation, InvitationFault> {
        try atomically { () throws(StoreError) in
            guard var invitation = try invitation(secretHash: secretHash), var offer = invitation.offer else {
                return .failure(.unknown)
            }
            if let fault = invitation.fault(at: clock()) { return .failure(fault) }
            // Somebody administers the hub already: another hub's owner, or an account of the command line.
            if offer.role == .owner, try hasAccounts(administrators: true) { return .failure(.used) }
            var account = account
            account.isAdmin = offer.role != .user
            try register(account)
            let now = clock()
            (offer.account, offer.usedAt) = (account.name, now)
            invitation.purpose = .account(offer)
            try run(
                "UPDATE links SET account = ?, used_at = ? WHERE id = ?",
                .text(account.name),
                .integer(now.nanoseconds),
                .text(invitation.id.text)
            )
            return .success(invitation)
        }
    }

    /// Creates an account whose user has chosen its name, which nobody may have had before.
    ///
    /// - Throws: `StoreError` as ``addAccount(_:)``, and of the kind `accountExists` if data is stored under the name:
    ///   it may be another person's, who has signed in by a token or whose account was removed; then nothing has
    ///   changed.
    public func register(_ account: NewAccount) throws(StoreError) {
        try atomically { () throws(StoreError) in
            let known = try first("SELECT id FROM accounts WHERE key = ?", .text(account.name.nameKey)) {
                $0.integer(0)
            }
            guard known == nil else {
                let name = quoted(account.name)
                throw StoreError(.accountExists, "the name \(name) is taken; choose another name")
            }
            try addAccount(account)
        }
    }

    /// Stores the invitation of a hub's owner, unless there is an account, and revokes the older ones that were not
    /// used.
    ///
    /// - Parameters:
    ///   - id: An identifier that no invitation has yet.
    ///   - secretHash: The SHA-256 of its secret.
    ///   - end: The time at which it expires.
    /// - Returns: False if there is an account, so that nothing has changed.
    /// - Throws: `StoreError` of the kind `full`, `readOnly`, `busy`, `corrupt`, `inputOutput` or `fault`; then nothing
    ///   has changed, and an older invitation can still be used.
    public func replaceOwnerInvitation(
        by id: InvitationID,
        secretHash: [UInt8],
        until end: Instant
    ) throws(StoreError) -> Bool {
        try atomically { () throws(StoreError) in
            guard try !hasAccounts() else { return false }
            let now = clock()
            let owner = StoredInvitation.NewAccountOffer(role: .owner)
            try run(
                "UPDATE links SET revoked_at = ? WHERE purpose = ? AND used_at IS NULL AND revoked_at IS NULL",
                .integer(now.nanoseconds),
                .integer(owner.role.rawValue)
            )
            try add(
                StoredInvitation(id: id, for: .account(owner), createdAt: now, expiresAt: end),
                secretHash: secretHash
            )
            return true
        }
    }

    /// Indicates that there is an account that somebody may sign in to, or one that may administer the hub.
    private func hasAccounts(administrators: Bool = false) throws(StoreError) -> Bool {
        try accounts().contains { $0.isProvisioned && ($0.isAdmin || !administrators) }
    }
}
