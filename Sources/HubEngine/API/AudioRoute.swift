/// Where a session's packets go now: what the relay needs to know, and nothing else (protocol.md 6).
public struct AudioRoute: Hashable, Sendable {
    /// What stands in the way of a packet that carries the right SSRC; nil: nothing.
    public var obstacle: AudioObstacle?
    /// The SSRC that the session must send with; nil: its audio session is not active.
    public var ssrc: UInt32?
    /// The sessions that are to get each packet, unchanged.
    ///
    /// Empty where there is an obstacle.
    public var sinks: [SessionID]
    /// What the hub itself plays to this session, and with which SSRCs.
    public var plays: [BuiltInSource]

    /// The route of a session whose audio session is not active.
    public static let closed = AudioRoute(obstacle: .noSession, ssrc: nil, sinks: [], plays: [])
}

/// A party of the hub's own that plays to a session.
public struct BuiltInSource: Hashable, Sendable {
    /// Who plays.
    public var party: BuiltInParty
    /// The SSRC it sends with.
    public var ssrc: UInt32
}

/// Why the gate is shut (protocol.md 6).
public enum AudioObstacle: UInt8, Hashable, Sendable, CaseIterable {
    /// The sender's audio session is not active.
    case noSession
    /// The call is not connected yet, or its other end is not the hub's.
    case notConnected
    /// Either end holds the call.
    case held
    /// The sender has muted itself on the call.
    case muted
}
