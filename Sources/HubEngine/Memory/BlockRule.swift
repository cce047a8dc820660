/// Whom an account's user does not want to be called by (row CK-11).
public enum BlockRule: Hashable, Sendable {
    /// Whoever has this handle.
    case handle(Handle)
    /// Every telephone number that begins with these digits, country code first: `4930` is Berlin.
    case prefix(String)
    /// Every guest of a link, whatever name and handle the guest has.
    case link(CallLinkID)

    /// About how much it is in an answer, for the limit on all of an account's.
    var byteCount: Int {
        switch self {
        case .handle(let handle): handle.byteCount
        case .prefix(let digits): 16 + digits.utf8.count
        case .link(let link): 16 + link.text.utf8.count
        }
    }

    /// What two rules that mean the same have in common.
    package var key: BlockRule {
        switch self {
        case .handle(let handle): .handle(handle.key)
        case .prefix, .link: self
        }
    }
}
