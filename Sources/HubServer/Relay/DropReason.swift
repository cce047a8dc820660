import HubEngine

/// The reason for which a packet is dropped; its cases are the names in docs/protocol.md, Audio, and in the metrics.
package enum DropReason: UInt8, CaseIterable {
    /// The sender's audio session is not active.
    case noSession
    /// The packet's SSRC is not that of the sender's current audio session.
    case staleSession
    /// Either end holds the call.
    case held
    /// The sender has muted itself.
    case muted
    /// The call is not connected yet.
    case notConnected
    /// The packet is not RTP as docs/protocol.md defines it, or not Opus.
    case malformed
    /// The message has more bytes than an audio packet may have.
    case tooLarge
    /// The packet is too far behind the pace of its timestamps.
    case late
    /// The sender keeps sending at more than twice real time.
    case tooFast
    /// The listener's connection did not accept the packet.
    case slowConsumer
    /// The listener's connection is lost, for now.
    case listenerLost
    /// The hub was too slow: the packet had become stale, or the ring full, on its way from one loop to another.
    case overload

    /// Converts the engine's reason for a shut gate.
    init(_ gateReason: GateReason) {
        switch gateReason {
        case .noSession: self = .noSession
        case .notConnected: self = .notConnected
        case .held: self = .held
        case .muted: self = .muted
        }
    }

    /// The metric's label.
    var label: String { "\(self)" }
}
