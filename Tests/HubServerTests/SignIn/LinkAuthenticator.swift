import HubEngine
import HubServer
import HubWire
import Synchronization

/// An authenticator for which a token is the identifier of a call link to Bob, with the display name `AcceptedSocket`.
///
/// An account name is accepted without a password. Guests of a link whose identifier begins with `named-` may give a
/// name of their own.
final class LinkAuthenticator: Authenticator {
    private let guests = Atomic(0)
    private let revoked: Set<InvitationID>

    /// Creates an authenticator that admits the guests of all links, some of which it then reports as revoked.
    init(revoked: Set<InvitationID> = []) {
        self.revoked = revoked
    }

    func isRevoked(_ link: InvitationID) -> Bool { revoked.contains(link) }

    func authenticate(
        _ credentials: Credentials,
        _ then: @escaping @Sendable (Result<AuthenticatedIdentity, AuthenticationRefusal>) -> Void
    ) {
        if let account = credentials.account {
            return then(.success(AuthenticatedIdentity(account: account, handles: [.generic(account)])))
        }
        let name = "guest-\(guests.add(1, ordering: .relaxed).newValue)"
        var identity = AuthenticatedIdentity(account: name, handles: [.generic(name)], permissions: [.call])
        (identity.displayName, identity.onlyCallee) = ("Visitor", .generic("bob"))
        identity.invitation = credentials.token.flatMap(InvitationID.init)
        identity.mayGiveName = credentials.token?.hasPrefix("named-") == true
        then(.success(identity))
    }
}
