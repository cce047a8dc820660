import HubEngine
public import HubWire

/// The invitations by which users choose new passwords of their accounts.
extension StoreFile {
    /// Stores an invitation to choose a new password, and revokes the older ones of the account that were not used.
    ///
    /// - Parameters:
    ///   - invitation: An invitation whose identifier is not stored yet.
    ///   - secretHash: The SHA-256 of its secret.
    /// - Throws: `StoreError` of the kind `noSuchAccount` if no operator has created the account; `full`, `readOnly`,
    ///   `busy`, `corrupt`, `inputOutput` or `fault` from the database; then nothing has changed.
    public func addReset(_ invitation: StoredInvitation, secretHash: [UInt8]) throws(StoreError) {
        try atomically { () throws(StoreError) in
            let name = invitation.reset?.account ?? ""
            guard try provisionedAccountID(name) != nil else {
                throw StoreError(.noSuchAccount, "there is no account \(quoted(name)); add it first")
            }
            try revokeResets(of: name)
            try add(invitation, secretHash: secretHash)
        }
    }

    /// Replaces the password of the account that an invitation names, once.
    ///
    /// - Parameters:
    ///   - secretHash: The SHA-256 of the invitation's secret.
    ///   - passwordHash: The new password's hash.
    /// - Returns: The invitation, or the reason for which nothing was changed.
    /// - Throws: `StoreError` of the kind `noSuchAccount` if the account was removed meanwhile; `full`, `readOnly`,
    ///   `busy`, `corrupt`, `inputOutput` or `fault` from the database; then nothing has changed.
    public func acceptReset(
        secretHash: [UInt8],
        passwordHash: String
    ) throws(StoreError) -> Result<StoredInvitation, InvitationFault> {
        try atomically { () throws(StoreError) in
            guard let invitation = try invitation(secretHash: secretHash), let reset = invitation.reset else {
                return .failure(.unknown)
            }
            if let fault = invitation.fault(at: clock()) { return .failure(fault) }
            try setPasswordHash(passwordHash, of: reset.account ?? "")
            try run(
                "UPDATE links SET used_at = ? WHERE id = ?",
                .integer(clock().nanoseconds),
                .text(invitation.id.text)
            )
            return .success(invitation)
        }
    }

    /// Revokes the invitations of an account to choose a new password that were not used.
    func revokeResets(of account: String) throws(StoreError) {
        for invitation in try invitations()
        where invitation.reset?.account?.nameKey == account.nameKey && invitation.revokedAt == nil {
            try run(
                "UPDATE links SET revoked_at = ? WHERE id = ? AND used_at IS NULL",
                .integer(clock().nanoseconds),
                .text(invitation.id.text)
            )
        }
    }
}
