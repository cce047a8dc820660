/// The sound that a user's held parties receive from the hub (rule CH-09).
public enum HoldAudio: String, Hashable, Sendable, CaseIterable {
    /// None.
    case silence
    /// A short tone every ten seconds.
    case tone
    /// Music: the user's own, or else the hub's.
    case music

    /// The built-in party under whose handle clients are shown the source; nil: there is no source.
    package var party: BuiltInParty? {
        switch self {
        case .silence: nil
        case .tone: .tone
        case .music: .music
        }
    }
}
