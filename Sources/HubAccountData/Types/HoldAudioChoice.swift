public import HubEngine

/// A user's choice of the sound for parties on hold.
public enum HoldAudioChoice: String, Hashable, Sendable, CaseIterable {
    /// The hub's own choice.
    case hub
    /// None.
    case silence
    /// A short tone every ten seconds.
    case tone
    /// Music.
    case music

    /// Returns the sound.
    ///
    /// - Parameter hub: The hub's own choice.
    /// - Returns: The sound that the user's held parties receive.
    public func audio(ofHub hub: HoldAudio) -> HoldAudio {
        switch self {
        case .hub: hub
        case .silence: .silence
        case .tone: .tone
        case .music: .music
        }
    }
}
