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

    /// Creates the party with a name, in any case; nil: there is none.
    public init?(named name: String) {
        self.init(rawValue: FoldedName(name).text)
    }

    /// Creates the party that a handle reaches; nil: it reaches none.
    public init?(_ handle: Handle) {
        guard handle.type == .generic else { return nil }
        self.init(named: handle.value)
    }
}
