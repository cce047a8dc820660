/// A policer that compares the arrival of packets with their timestamps (docs/protocol.md, Audio, Pace).
///
/// A trivial value, one for each audio session; times are nanoseconds of one clock.
struct StreamPolicer {
    /// The verdict on a packet.
    enum Verdict {
        case onTime
        /// Further behind the pace than is allowed: the backlog of a stall, of which the newest packets are forwarded.
        case late
        /// The sender has exceeded twice real time for long enough.
        case tooFast
    }

    /// The pause in nanoseconds after which a talk spurt sets a new pace.
    static let spurtPause: Int64 = 500_000_000
    /// The time in nanoseconds after which lateness that does not shrink sets a new pace.
    ///
    /// The sender's timestamps have stood still then (a suspended page, say).
    static let rebaseDelay: Int64 = 1_000_000_000
    /// The burst, in nanoseconds of audio, by which a sender may exceed twice real time.
    ///
    /// Larger: longer bursts pass; smaller: shorter queues.
    static let burst: Int64 = 3_000_000_000

    private var hasBegun = false
    private var lastTimestamp: UInt32 = 0
    /// The media time in nanoseconds since the first packet, unwrapped.
    private var mediaTime: Int64 = 0
    /// The smallest delay against the media time so far, which defines the pace.
    private var baseDelay: Int64 = 0
    private var lateSince: Int64 = 0
    private var latenessAtStart: Int64 = 0
    private var tokens: Int64 = StreamPolicer.burst
    private var lastArrival: Int64 = 0

    /// Polices the next packet.
    ///
    /// A packet that opens a talk spurt after a pause sets a new pace: its sender may not have counted the silence.
    ///
    /// - Parameters:
    ///   - timestamp: The RTP timestamp in ticks of 48 kHz.
    ///   - duration: The packet's audio in nanoseconds.
    ///   - startsTalkSpurt: The RTP marker.
    ///   - arrival: The time in nanoseconds.
    ///   - lateAfter: The delay in nanoseconds behind the pace beyond which the packet is late.
    /// - Returns: The verdict; a packet that is not on time is to be dropped.
    mutating func police(
        timestamp: UInt32,
        duration: Int64,
        startsTalkSpurt: Bool = false,
        at arrival: Int64,
        lateAfter: Int64
    ) -> Verdict {
        guard hasBegun else {
            hasBegun = true
            lastTimestamp = timestamp
            lastArrival = arrival
            baseDelay = arrival
            return consume(duration, at: arrival)
        }
        // The signed difference unwraps the 32 bits; 48 ticks are a millisecond.
        mediaTime &+= Int64(Int32(bitPattern: timestamp &- lastTimestamp)) &* 1_000_000 / 48
        lastTimestamp = timestamp
        let delay = arrival &- mediaTime
        // One packet with an unusually low delay, or a fast clock, may have set the pace: it drifts back by 0.1 %.
        let pause = max(0, arrival &- lastArrival)
        baseDelay = startsTalkSpurt && pause > Self.spurtPause ? delay : min(delay, baseDelay &+ pause / 1000)
        return isLate(by: delay &- baseDelay, delay, at: arrival, lateAfter: lateAfter)
            ? lateVerdict(at: arrival) : consume(duration, at: arrival)
    }

    private mutating func isLate(
        by lateness: Int64,
        _ delay: Int64,
        at arrival: Int64,
        lateAfter: Int64
    ) -> Bool {
        guard lateness > lateAfter else {
            lateSince = 0
            return false
        }
        if lateSince == 0 {
            lateSince = arrival
            latenessAtStart = lateness
        } else if arrival &- lateSince > Self.rebaseDelay {
            if lateness > latenessAtStart &- Self.rebaseDelay / 4 {
                baseDelay = delay
                lateSince = 0
                return false
            }
            lateSince = arrival
            latenessAtStart = lateness
        }
        return true
    }

    private mutating func lateVerdict(at arrival: Int64) -> Verdict {
        refill(at: arrival)
        return .late
    }

    private mutating func consume(_ duration: Int64, at arrival: Int64) -> Verdict {
        refill(at: arrival)
        guard tokens >= duration else { return .tooFast }
        tokens &-= duration
        return .onTime
    }

    private mutating func refill(at arrival: Int64) {
        let elapsed = max(0, min(arrival &- lastArrival, Self.burst))
        tokens = min(Self.burst, tokens &+ 2 &* elapsed)
        lastArrival = arrival
    }
}
