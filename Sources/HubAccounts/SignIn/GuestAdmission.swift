import HubEngine
import HubServer

/// A register of invitations that admits the guests of those that are for calls.
protocol GuestAdmission: Sendable {
    /// Verifies the secret of an invitation.
    ///
    /// - Parameters:
    ///   - secret: The text of the secret, as the client sent it.
    ///   - then: Called once, on any thread, with the guest or the refusal.
    func admit(
        _ secret: String,
        _ then: @escaping @Sendable (Result<AuthenticatedIdentity, AuthenticationRefusal>) -> Void
    )
}
