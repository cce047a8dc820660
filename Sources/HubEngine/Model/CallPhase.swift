/// The call states that the rules of callkit-semantics.md 2.2 distinguish.
enum CallPhase: Hashable {
    /// An incoming call rings.
    case ringing
    /// An incoming call is being answered.
    case answering
    /// An outgoing call that is not connected.
    case outgoing
    /// Connected and not held.
    case active
    /// Held by its owner.
    case held

    /// True if the call is connected, held or not.
    var isConnected: Bool { self == .active || self == .held }

    /// The phase as words of an error sentence.
    var errorText: String {
        switch self {
        case .ringing: "ringing"
        case .answering: "being answered"
        case .outgoing: "outgoing and not connected"
        case .active: "active"
        case .held: "held"
        }
    }
}
