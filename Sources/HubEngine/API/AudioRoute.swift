/// The audio route of a session: the part of the call state that the relay needs (protocol.md, Audio).
public struct AudioRoute: Hashable, Sendable {
    /// The reason why packets with the right SSRC are not forwarded; nil if they are.
    public var gateReason: GateReason?
    /// The SSRC that the session must send with; nil while its audio session is not active.
    public var ssrc: UInt32?
    /// The sessions that each packet is forwarded to, unchanged.
    ///
    /// Empty while there is a gate reason.
    public var sinks: [SessionID]
    /// The built-in sources that play to this session, with their SSRCs.
    public var playedSources: [BuiltInSource]
    /// The sound that plays to this session because its only call, or each of its group, is held at the other end.
    public var holdSource: HoldSource?

    /// The route of a session whose audio session is not active.
    public static let closed = AudioRoute(gateReason: .noSession, ssrc: nil, sinks: [], playedSources: [])
}

/// The hold audio of a session whose other party holds the call (rule CH-09).
public struct HoldSource: Hashable, Sendable {
    /// The kind of sound, never `silence`.
    public var audio: HoldAudio
    /// The account of the holder, whose music it is.
    public var account: String
    /// The SSRC of its packets; each hold has one of its own.
    public var ssrc: UInt32
}

/// A built-in party that plays to a session, and its SSRC.
public struct BuiltInSource: Hashable, Sendable {
    /// The built-in party.
    public var party: BuiltInParty
    /// The SSRC of its packets.
    public var ssrc: UInt32
}

/// The reason why the gate is shut for a session's packets (protocol.md, Audio).
public enum GateReason: UInt8, Hashable, Sendable, CaseIterable {
    /// The sender's audio session is not active.
    case noSession
    /// The call is not connected yet, or its other end is outside the hub.
    case notConnected
    /// Either end holds the call.
    case held
    /// The sender has muted itself on the call.
    case muted
}
