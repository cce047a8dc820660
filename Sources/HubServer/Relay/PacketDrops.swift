import HubEngine
import HubWire

/// Packets of one audio session that were dropped, as the relay counts them.
struct PacketDrops: Sendable {
    /// The device's own packets that were dropped, by `DropReason.rawValue`.
    var sent = InlineArray<12, UInt64>(repeating: 0)
    /// Packets to the device that its socket did not accept in time.
    var slow: UInt64 = 0

    /// True if there are drops that a client is notified of: not those caused by other parties or by the hub.
    var concernsClient: Bool {
        slow > 0 || DropReason.allCases.contains { $0.senderReason != nil && sent[Int($0.rawValue)] > 0 }
    }

    /// Drops since an earlier count, which may be of an audio session before it.
    static func - (left: PacketDrops, right: PacketDrops) -> PacketDrops {
        var difference = left
        for index in left.sent.indices { difference.sent[index] &-= right.sent[index] }
        difference.slow &-= right.slow
        return difference
    }
}

/// The drops of an audio session that its client is to be notified of.
package struct DropReport: Sendable {
    /// The session whose audio session it is.
    var session: SessionID
    /// The SSRC of the audio session.
    var ssrc: UInt32
    /// The drops since the last report.
    var drops: PacketDrops
}

extension DropReason {
    /// The protocol's name of a drop that the sender's own state causes, on its own loop; nil: any other.
    var senderReason: DroppedPackets.Reason? {
        switch self {
        case .noSession: .noSession
        case .staleSession: .staleSession
        case .held: .held
        case .muted: .muted
        case .notConnected: .notConnected
        case .malformed: .malformed
        case .tooLarge: .tooLarge
        case .late: .late
        case .tooFast: .tooFast
        case .slowConsumer, .listenerLost, .overload: nil
        }
    }
}
