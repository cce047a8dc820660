public import HubEngine

/// A rule for callers that an account blocks (row CK-11).
public enum BlockRule: Hashable, Sendable {
    /// The caller with this handle.
    case handle(Handle)
    /// Every telephone number that begins with these digits, country code first: `4930` is Berlin.
    case prefix(String)
    /// Every guest of an invitation, whatever their name and handle.
    case invitation(InvitationID)

    /// The approximate size in an answer, in bytes, for the limit of all rules of an account.
    var byteCount: Int {
        switch self {
        case .handle(let handle): handle.byteCount
        case .prefix(let digits): 16 + digits.utf8.count
        case .invitation(let invitation): 16 + invitation.text.utf8.count
        }
    }

    /// The normalised rule: two rules with the same meaning have the same key.
    package var key: BlockRule {
        switch self {
        case .handle(let handle): .handle(handle.key)
        case .prefix, .invitation: self
        }
    }
}
