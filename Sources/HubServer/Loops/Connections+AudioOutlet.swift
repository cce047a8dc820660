/// The sockets of a loop as the destination of its relay's packets.
extension Connections: AudioOutlet {
    /// Discards queued audio of a connection after a change of its route or audio session.
    ///
    /// - Parameters:
    ///   - id: The receiving connection; may be closed already.
    ///   - ssrc: The SSRC of the packets to be discarded; nil: all packets.
    package func dropQueuedAudio(of id: ConnectionID, from ssrc: UInt32?) {
        guard let state = stateIfPresent(id) else { return }
        if let ssrc { dropAudio(of: state, from: ssrc) } else { dropAudio(of: state) }
    }

    /// The number of packets of clients that were written to a socket.
    package var relayedPackets: UInt64 { UInt64(clamping: counters.pointee.audioRelayed) }

    /// The number of packets of clients that were dropped from a queue for a reason.
    package func droppedFromQueue(_ reason: DropReason) -> UInt64 {
        let counters = counters.pointee
        switch reason {
        case .slowConsumer: return UInt64(clamping: counters.audioDroppedForRoom + counters.audioDroppedStale)
        case .staleSession: return UInt64(clamping: counters.audioDroppedUnrouted)
        case .listenerLost: return UInt64(clamping: counters.audioDroppedClosed)
        case .noSession, .held, .muted, .notConnected, .malformed, .tooLarge, .late, .tooFast, .overload: return 0
        }
    }
}
