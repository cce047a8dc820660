/// The settings of a call system.
public struct CallSystemSettings: Sendable {
    /// The carriers of a call's audio.
    public enum Carrier: Hashable, Sendable {
        /// The hub: a call goes to a handle of the hub, and its other end is there.
        case hub
        /// The app, by a network of its own; the hub orders the call among the others.
        case app
    }

    /// The carrier of calls that the app starts.
    public var carriesOutgoingCalls = Carrier.hub

    /// Creates the default settings.
    public init() {}
}
