import HubEngine

/// What became of a device's packets, and of those meant for it, in one activation of its audio session.
///
/// Trivial: it is kept in the relay's flat memory and handed out as a value when the activation ends (`AudioRelay.setRoute`).
/// Of several activations of one call it is the sum (`+=`).
struct LegQuality: Sendable {
    /// Whose audio session it is.
    var session: SessionID
    /// Which activation: each has an SSRC of its own.
    var ssrc: UInt32
    /// What of the activation it is about.
    var share = Share.last
    /// What came from the device.
    var sent = Sent()
    /// What went to it.
    var heard = Heard()
    /// What its own receiver reports said (docs/protocol.md, Audio, Reports).
    var reported = Reported()
    /// What the kernel knows of its connection.
    var link = Link()

    /// The last packet that came while the gate was open, for the silence until the next.
    private var last: (arrival: Int64, timestamp: UInt32)?
    /// What the kernel had sent again when the counting began.
    private var retransmissionsBefore: UInt32 = 0

    /// What of an activation figures are about.
    enum Share: Sendable {
        /// All, or all that is left: it has ended.
        case last
        /// What was on one loop; the device is on another one now.
        case moved
        /// What there is so far, for calls that have ended while it goes on.
        case interim
    }

    /// The device as a sender.
    struct Sent: Sendable {
        /// Packets of this activation received, those dropped afterwards included.
        var received: UInt64 = 0
        /// Passed on, counted once for each listener.
        var passedOn: UInt64 = 0
        /// Not passed on, by `DropReason.rawValue`.
        var drops = InlineArray<12, UInt64>(repeating: 0)
        /// Sequence numbers that never came.
        var lost: Int64 = 0
        /// The longest time between two packets while the gate was open, up to the end included.
        var longestSilence: Int64 = 0
        /// The longest time by which a packet came later after the one before than their timestamps say.
        var longestStall: Int64 = 0
        /// How many such stalls were longer than `LegQuality.stall`.
        var stalls: UInt64 = 0
        /// The interarrival jitter (RFC 3550 section 6.4.1) after each packet, in ticks of 48 kHz, added up.
        var jitterSum: UInt64 = 0
        /// The largest of them.
        var jitterMax: UInt32 = 0
    }

    /// The device as a listener.
    struct Heard: Sendable {
        /// Packets written to its socket or kept for it.
        var taken: UInt64 = 0
        /// Packets that its socket did not take in time.
        var droppedSlow: UInt64 = 0
        /// Packets that came while its connection was lost.
        var missedWhileLost: UInt64 = 0
        /// The longest wait of a packet for its socket, in milliseconds.
        var longestWait: UInt32 = 0
    }

    /// What the device reported of what it received.
    struct Reported: Sendable {
        /// Report blocks.
        var count: UInt64 = 0
        /// The largest share lost between two reports, in 256ths.
        var worstFractionLost: UInt8 = 0
        /// Lost in all, as the last one said.
        var cumulativeLost: Int64 = 0
        /// The largest jitter, in ticks of 48 kHz.
        var jitterMax: UInt32 = 0
    }

    /// The device's TCP connection, as far as it was looked at.
    struct Link: Sendable {
        /// The longest smoothed round trip, in microseconds; 0: not known.
        var roundTrip: UInt32 = 0
        /// Segments that were sent again.
        var retransmissions: UInt64 = 0
    }

    /// Nothing has come yet.
    init(session: SessionID, ssrc: UInt32) {
        self.session = session
        self.ssrc = ssrc
    }

    /// Longer: only what nobody's jitter buffer covers counts as a stall; shorter: what some may hear.
    static let stall: Int64 = 100_000_000
}

extension LegQuality {
    /// A packet of the activation has come.
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

    /// A packet of the device was not passed on.
    @inline(__always)
    mutating func dropped(_ reason: DropReason) {
        sent.drops[Int(reason.rawValue)] &+= 1
    }

    /// The gate was shut or opened: silence is nobody's fault from here on.
    mutating func gateMoved() {
        last = nil
    }

    /// The device says what it received.
    mutating func reported(fractionLost: UInt8, cumulativeLost: Int32, jitter: UInt32) {
        reported.count &+= 1
        reported.worstFractionLost = max(reported.worstFractionLost, fractionLost)
        reported.cumulativeLost = Int64(cumulativeLost)
        reported.jitterMax = max(reported.jitterMax, jitter)
    }

    /// The connection is another one, or the counting begins.
    mutating func linkBegan(_ state: LinkState?) {
        retransmissionsBefore = state?.retransmissions ?? 0
    }

    /// What the connection has to tell, before it is gone or at the end.
    mutating func note(_ state: LinkState?) {
        guard let state else { return }
        heard.longestWait = max(heard.longestWait, state.longestWait)
        heard.droppedSlow &+= UInt64(state.dropped)
        link.roundTrip = max(link.roundTrip, state.roundTrip)
        link.retransmissions &+= UInt64(state.retransmissions &- retransmissionsBefore)
        retransmissionsBefore = state.retransmissions
    }

    /// The silence up to the end counts, too: of a device that has fallen silent nothing else tells.
    mutating func ended(at now: Int64, lost: Int64) {
        if let last { sent.longestSilence = max(sent.longestSilence, now &- last.arrival) }
        sent.lost = lost
    }

    /// Adds another activation of the same call.
    static func += (left: inout LegQuality, right: LegQuality) {
        left.sent.received &+= right.sent.received
        left.sent.passedOn &+= right.sent.passedOn
        for index in left.sent.drops.indices { left.sent.drops[index] &+= right.sent.drops[index] }
        left.sent.lost &+= right.sent.lost
        left.sent.longestSilence = max(left.sent.longestSilence, right.sent.longestSilence)
        left.sent.longestStall = max(left.sent.longestStall, right.sent.longestStall)
        left.sent.stalls &+= right.sent.stalls
        left.sent.jitterSum &+= right.sent.jitterSum
        left.sent.jitterMax = max(left.sent.jitterMax, right.sent.jitterMax)
        left.heard.taken &+= right.heard.taken
        left.heard.droppedSlow &+= right.heard.droppedSlow
        left.heard.missedWhileLost &+= right.heard.missedWhileLost
        left.heard.longestWait = max(left.heard.longestWait, right.heard.longestWait)
        left.reported.count &+= right.reported.count
        left.reported.worstFractionLost = max(left.reported.worstFractionLost, right.reported.worstFractionLost)
        left.reported.cumulativeLost &+= right.reported.cumulativeLost
        left.reported.jitterMax = max(left.reported.jitterMax, right.reported.jitterMax)
        left.link.roundTrip = max(left.link.roundTrip, right.link.roundTrip)
        left.link.retransmissions &+= right.link.retransmissions
    }
}

/// What a connection knows of itself, beside what is sent on it.
struct LinkState: Sendable {
    /// The longest wait of an audio packet since the last look, in milliseconds.
    var longestWait: UInt32 = 0
    /// Audio packets dropped since the last send that told.
    var dropped: UInt32 = 0
    /// The kernel's smoothed round trip, in microseconds.
    var roundTrip: UInt32 = 0
    /// Segments sent again since the connection began.
    var retransmissions: UInt32 = 0
}
