/// A party built into every hub: a single client can try calls, audio, hold and swap with it (protocol.md 8).
public enum BuiltInParty: String, Hashable, Sendable, CaseIterable {
    /// Sends every packet back.
    case echo
    /// Plays a 440 Hz tone.
    case tone
    /// Plays the hold music.
    case music

    /// The handle by which it is called.
    public var handle: Handle { .generic(rawValue) }
}
