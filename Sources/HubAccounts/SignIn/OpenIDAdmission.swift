import Foundation
import HubServer
import HubWire

/// A sign-in by an OpenID provider that admits the clients whose users the provider has signed in.
protocol OpenIDAdmission: Sendable {
    /// Verifies a proof.
    ///
    /// - Parameters:
    ///   - proof: The proof as the client has sent it.
    ///   - now: The current time.
    /// - Returns: The identity of the account.
    /// - Throws: `AuthenticationRefusal` of the kind `openIDInvalid`.
    func admit(
        _ proof: SessionOpenRequest.OpenIDProof,
        at now: Date
    ) throws(AuthenticationRefusal) -> AuthenticatedIdentity
}
