/// A reason for which an invitation cannot be used, in `data.reason` of the error `invitationInvalid`.
public enum InvitationFault: String, Error, Hashable, Sendable, CaseIterable {
    /// Its account was created, or all of its calls were made.
    case used
    /// Its time has passed.
    case expired
    /// It was revoked.
    case revoked
    /// No invitation has the secret.
    case unknown

    /// The sentence for the user.
    public var sentence: String {
        switch self {
        case .used: "the invitation was used already; ask for a new one"
        case .expired: "the invitation has expired; ask for a new one"
        case .revoked: "the invitation was revoked; ask for a new one"
        case .unknown: "this server has no such invitation; open the whole link, or ask for a new one"
        }
    }
}
