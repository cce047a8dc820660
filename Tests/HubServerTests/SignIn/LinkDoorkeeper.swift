import HubEngine
import HubServer
import HubWire
import Synchronization

/// An authenticator for which a token is the identifier of a call link to Bob, with the display name `Visitor`.
///
/// An account name is accepted without a password.
final class LinkDoorkeeper: Doorkeeper {
    private let guests = Atomic(0)
    private let revoked: Set<CallLinkID>

    /// Creates an authenticator that admits the guests of all links, some of which it then reports as revoked.
    init(revoked: Set<CallLinkID> = []) {
        self.revoked = revoked
    }

    func isRevoked(_ link: CallLinkID) -> Bool { revoked.contains(link) }

    func admit(
        _ credentials: Credentials,
        _ then: @escaping @Sendable (Result<Admission, AdmissionRefusal>) -> Void
    ) {
        if let account = credentials.account {
            return then(.success(Admission(account: account, handles: [.generic(account)])))
        }
        let name = "guest-\(guests.add(1, ordering: .relaxed).newValue)"
        var admission = Admission(account: name, handles: [.generic(name)], permissions: [.call])
        (admission.displayName, admission.onlyCallee) = ("Visitor", .generic("bob"))
        admission.link = credentials.token.flatMap(CallLinkID.init)
        then(.success(admission))
    }
}
