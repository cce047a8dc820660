import Foundation
package import HubCrypto
package import HubEngine
package import HubStore
package import HubWire

/// An invitation that the operator has made on the hub's machine, without signing in.
package struct OperatorInvitation: Sendable {
    /// The identifier by which it is revoked.
    package let id: InvitationID
    /// The secret of its link.
    package let secret: InvitationSecret

    /// The time in hours for which an invitation for an account can be used, unless another one is asked for.
    package static let usualHoursOfAccounts = 168

    /// Stores a new invitation in a database, with its entry in the audit log.
    ///
    /// - Parameters:
    ///   - purpose: The right of its receiver: an account, or calls of guests.
    ///   - end: The time at which it expires.
    ///   - operator: The system user who has made it.
    ///   - file: The hub's database.
    /// - Throws: `StoreError` as `StoreFile.add`; then nothing has changed.
    package init(
        for purpose: StoredInvitation.Purpose,
        until end: Instant,
        by operator: AuditActor,
        in file: StoreFile
    ) throws(StoreError) {
        let secret = InvitationSecret()
        guard let id = InvitationID(UUID().uuidString.lowercased()) else {
            throw StoreError(.fault, "no identifier of an invitation was made")
        }
        let invitation = StoredInvitation(id: id, for: purpose, createdAt: .now, expiresAt: end)
        _ = try file.audited(AuditAct(creating: invitation), by: `operator`) { () throws(StoreError) in
            try file.add(invitation, secretHash: secret.hash)
        }.get()
        (self.id, self.secret) = (id, secret)
    }
}
