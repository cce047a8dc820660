/// A party that every hub has, so that one client alone can try out call, audio, hold and swap (protocol.md 8).
public enum BuiltInParty: String, Hashable, Sendable, CaseIterable {
    /// Sends every packet back.
    case echo
    /// Plays a 440 Hz tone.
    case tone
    /// Plays the hold music.
    case music

    /// The handle that reaches it.
    public var handle: Handle { .generic(rawValue) }
}
