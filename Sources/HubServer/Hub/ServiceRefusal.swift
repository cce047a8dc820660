/// Why one of the services that a hub is given does not do what a client asks.
public struct ServiceRefusal<Kind: Hashable & Sendable>: Error, Hashable, Sendable {
    /// Whose fault it is.
    public var kind: Kind
    /// One sentence: what is wrong and what would be right.
    public var message: String

    /// A refusal of its parts.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}
