import Foundation
public import HubCrypto
import HubEngine
package import HubStore

/// The invitation of a hub's first administrator, of which one at a time can be used, until there is an account.
public struct OwnerInvitation: Sendable {
    /// The secret of its link.
    public let secret: InvitationSecret

    /// The time in hours for which it can be used.
    public static let hours = 24

    /// Stores a new invitation in a database, and revokes the one before; nil: the hub has an account.
    ///
    /// - Parameter file: The hub's database.
    /// - Throws: `StoreError` as `StoreFile.replaceOwnerInvitation`.
    package init?(in file: StoreFile) throws(StoreError) {
        let secret = InvitationSecret()
        guard let id = InvitationID(UUID().uuidString.lowercased()) else { return nil }
        let end = Instant.now + .seconds(Self.hours * 3_600)
        guard try file.replaceOwnerInvitation(by: id, secretHash: secret.hash, until: end) else { return nil }
        self.secret = secret
    }
}
