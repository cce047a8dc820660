import HubEngine

/// The packet statistics of a device, as sender and as listener, in one activation of its audio session.
///
/// Trivial: it is kept in the relay's flat memory and returned as a value when the activation ends
/// (`AudioRelay.setRoute`). The sum (`+=`) covers several activations of one call.
package struct LegQuality: Sendable {
    /// The session whose audio session it is.
    var session: SessionID
    /// The SSRC of the activation; each activation has its own.
    var ssrc: UInt32
    /// The part of the activation that the statistics cover.
    var coverage = Coverage.last
    /// Packets from the device.
    var sent = Sent()
    /// Packets to the device.
    var delivery = Delivery()
    /// The device's own receiver reports (docs/protocol.md, Audio, Reports).
    var reported = Reported()
    /// The kernel's statistics of its TCP connection.
    var path = Path()

    /// The drops that the client has not been notified of by the end; nil: there are none, or it did not ask.
    var lastDrops: DropReport?

    /// The last packet that arrived while the gate was open, to measure the silence until the next.
    private var last: (arrival: Int64, timestamp: UInt32)?
    /// The kernel's retransmission count when counting began.
    private var retransmissionsBefore: UInt32 = 0

    /// The part of an activation that statistics cover.
    enum Coverage: Sendable {
        /// All of it, or the rest of it: the activation has ended.
        case last
        /// The part on one loop; the device is on another one now.
        case moved
        /// The part up to now, for calls that have ended while the activation goes on.
        case interim
    }

    /// The device as a sender.
    struct Sent: Sendable {
        /// Packets of this activation received, those dropped afterwards included.
        var received: UInt64 = 0
        /// Packets forwarded, counted once for each receiver.
        var forwarded: UInt64 = 0
        /// Packets dropped, by `DropReason.rawValue`.
        var drops = InlineArray<12, UInt64>(repeating: 0)
        /// The number of sequence numbers that never arrived.
        var lost: Int64 = 0
        /// The longest time between two packets while the gate was open, up to the end included, in nanoseconds.
        var longestSilence: Int64 = 0
        /// The largest difference between packet spacing and timestamp spacing of two packets, in nanoseconds.
        var longestStall: Int64 = 0
        /// The number of stalls that were longer than `LegQuality.stall`.
        var stalls: UInt64 = 0
        /// The sum of the interarrival jitter (RFC 3550 section 6.4.1) after each packet, in ticks of 48 kHz.
        var jitterSum: UInt64 = 0
        /// The largest interarrival jitter, in ticks of 48 kHz.
        var jitterMax: UInt32 = 0
    }

    /// The device as a listener.
    struct Delivery: Sendable {
        /// Packets written to its socket or queued for it.
        var accepted: UInt64 = 0
        /// Packets that its socket did not accept in time.
        var droppedSlow: UInt64 = 0
        /// Packets that arrived while its connection was lost.
        var missedWhileDisconnected: UInt64 = 0
        /// The longest time that a packet was queued for its socket, in milliseconds.
        var longestQueueTime: UInt32 = 0
    }

    /// The receiver reports of the device.
    struct Reported: Sendable {
        /// The number of report blocks.
        var count: UInt64 = 0
        /// The largest fraction lost between two reports, in 256ths.
        var worstFractionLost: UInt8 = 0
        /// The cumulative number of packets lost, as in the last report block.
        var cumulativeLost: Int64 = 0
        /// The largest jitter, in ticks of 48 kHz.
        var jitterMax: UInt32 = 0
    }

    /// The device's TCP connection, as sampled.
    struct Path: Sendable {
        /// The longest smoothed round-trip time, in microseconds; 0: unknown.
        var roundTrip: UInt32 = 0
        /// Segments that were retransmitted.
        var retransmissions: UInt64 = 0
    }

    /// Makes statistics of an activation without packets.
    init(session: SessionID, ssrc: UInt32) {
        self.session = session
        self.ssrc = ssrc
    }

    /// The delay of a packet in nanoseconds, beyond its timestamp, from which it counts as a stall.
    ///
    /// Longer: only stalls beyond any jitter buffer count; shorter: stalls that are audible with some count, too.
    static let stall: Int64 = 100_000_000
}

extension LegQuality {
    /// Counts a packet of the activation.
    @inline(__always)
    mutating func received(timestamp: UInt32, jitter: UInt32, isOpen: Bool, at arrival: Int64) {
        sent.received &+= 1
        sent.jitterSum &+= UInt64(jitter)
        sent.jitterMax = max(sent.jitterMax, jitter)
        guard isOpen else {
            last = nil
            return
        }
        if let last {
            let silence = arrival &- last.arrival
            let media = Int64(Int32(bitPattern: timestamp &- last.timestamp)) &* 1_000_000 / 48
            sent.longestSilence = max(sent.longestSilence, silence)
            let stall = silence &- media
            sent.longestStall = max(sent.longestStall, stall)
            if stall > Self.stall { sent.stalls &+= 1 }
        }
        last = (arrival, timestamp)
    }

    /// All drops so far.
    var drops: PacketDrops { PacketDrops(sent: sent.drops, slow: delivery.droppedSlow) }

    /// Counts a packet of the device that was dropped.
    @inline(__always)
    mutating func dropped(_ reason: DropReason) {
        sent.drops[Int(reason.rawValue)] &+= 1
    }

    /// Ends the measurement of silence, since the gate was shut or opened.
    mutating func gateChanged() {
        last = nil
    }

    /// Counts a report block from the device.
    mutating func reported(fractionLost: UInt8, cumulativeLost: Int32, jitter: UInt32) {
        reported.count &+= 1
        reported.worstFractionLost = max(reported.worstFractionLost, fractionLost)
        reported.cumulativeLost = Int64(cumulativeLost)
        reported.jitterMax = max(reported.jitterMax, jitter)
    }

    /// Sets the base of the retransmission count, for a new connection or a new activation.
    mutating func resetRetransmissionBase(_ state: PathStatistics?) {
        retransmissionsBefore = state?.retransmissions ?? 0
    }

    /// Adds the state of the connection, before it is lost or at the end.
    mutating func add(_ state: PathStatistics?) {
        guard let state else { return }
        delivery.longestQueueTime = max(delivery.longestQueueTime, state.longestQueueTime)
        delivery.droppedSlow &+= UInt64(state.dropped)
        path.roundTrip = max(path.roundTrip, state.roundTrip)
        path.retransmissions &+= UInt64(state.retransmissions &- retransmissionsBefore)
        retransmissionsBefore = state.retransmissions
    }

    /// Completes the statistics; silence up to the end counts, as it alone shows that a device stopped sending.
    mutating func ended(at now: Int64, lost: Int64) {
        if let last { sent.longestSilence = max(sent.longestSilence, now &- last.arrival) }
        sent.lost = lost
    }

    /// Adds the statistics of another activation of the same call.
    static func += (left: inout LegQuality, right: LegQuality) {
        left.sent.received &+= right.sent.received
        left.sent.forwarded &+= right.sent.forwarded
        for index in left.sent.drops.indices { left.sent.drops[index] &+= right.sent.drops[index] }
        left.sent.lost &+= right.sent.lost
        left.sent.longestSilence = max(left.sent.longestSilence, right.sent.longestSilence)
        left.sent.longestStall = max(left.sent.longestStall, right.sent.longestStall)
        left.sent.stalls &+= right.sent.stalls
        left.sent.jitterSum &+= right.sent.jitterSum
        left.sent.jitterMax = max(left.sent.jitterMax, right.sent.jitterMax)
        left.delivery.accepted &+= right.delivery.accepted
        left.delivery.droppedSlow &+= right.delivery.droppedSlow
        left.delivery.missedWhileDisconnected &+= right.delivery.missedWhileDisconnected
        left.delivery.longestQueueTime = max(left.delivery.longestQueueTime, right.delivery.longestQueueTime)
        left.reported.count &+= right.reported.count
        left.reported.worstFractionLost = max(left.reported.worstFractionLost, right.reported.worstFractionLost)
        left.reported.cumulativeLost &+= right.reported.cumulativeLost
        left.reported.jitterMax = max(left.reported.jitterMax, right.reported.jitterMax)
        left.path.roundTrip = max(left.path.roundTrip, right.path.roundTrip)
        left.path.retransmissions &+= right.path.retransmissions
    }
}
