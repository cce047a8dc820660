/// A party built into every hub, for tests with a single client (protocol.md, Built-in handles).
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
