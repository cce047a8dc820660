import HubEngine

/// Why a packet was not passed on: the words of docs/protocol.md, Audio, and the labels of the metrics.
enum DropReason: UInt8, CaseIterable {
    /// The sender's audio session is not active.
    case noSession
    /// It carries an SSRC that is not the one of the sender's current audio session.
    case staleSession
    /// Either end holds the call.
    case held
    /// The sender has muted itself.
    case muted
    /// The call is not connected yet.
    case notConnected
    /// Not RTP as docs/protocol.md wants it, or not an Opus packet.
    case malformed
    /// More bytes than an audio packet may have.
    case tooLarge
    /// Too far behind the pace of its own timestamps.
    case late
    /// Its sender goes on sending more than twice real time.
    case tooFast
    /// The listener's connection took no more.
    case slowConsumer
    /// The listener's connection is lost, for now.
    case listenerLost
    /// The hub itself was too slow: the packet had grown old on its way from one loop to another.
    case overload

    /// The engine's reason for a shut gate.
    init(_ obstacle: AudioObstacle) {
        switch obstacle {
        case .noSession: self = .noSession
        case .notConnected: self = .notConnected
        case .held: self = .held
        case .muted: self = .muted
        }
    }

    /// The metric's label.
    var label: String { "\(self)" }
}
