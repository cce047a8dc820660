/// The refusal of a client's request by one of the hub's external services.
public struct ServiceRefusal<Kind: Hashable & Sendable>: Error, Hashable, Sendable {
    /// The category of the refusal.
    public var kind: Kind
    /// The message for the client, in one sentence: the fault and its remedy.
    public var message: String

    /// Makes a refusal from its parts.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}
