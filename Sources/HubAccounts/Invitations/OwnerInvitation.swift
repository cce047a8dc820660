import Foundation
public import HubCrypto
import HubEngine
package import HubStore
package import HubWire

/// The invitation of a hub's first administrator, of which one at a time can be used, until there is an account.
public struct OwnerInvitation: Sendable {
    /// The secret of its link.
    public let secret: InvitationSecret

    /// The time in hours for which it can be used.
    public static let hours = 24

    /// Stores a new invitation in a database, and revokes the one before; nil: the hub has an account.
    ///
    /// Its entry in the audit log is stored with it.
    ///
    /// - Parameters:
    ///   - operator: The system user who has made it.
    ///   - file: The hub's database.
    /// - Throws: `StoreError` as `StoreFile.replaceOwnerInvitation` and `StoreFile.record`; then nothing has changed.
    package init?(by operator: AuditActor, in file: StoreFile) throws(StoreError) {
        let secret = InvitationSecret()
        guard let id = InvitationID(UUID().uuidString.lowercased()) else { return nil }
        let end = Instant.now + .seconds(Self.hours * 3_600)
        let isStored = try file.atomically { () throws(StoreError) in
            guard try file.replaceOwnerInvitation(by: id, secretHash: secret.hash, until: end) else { return false }
            try file.record(AuditAct("invitation.create", on: id.text, InvitationKind.owner.rawValue), by: `operator`)
            return true
        }
        guard isStored else { return nil }
        self.secret = secret
    }
}
