/// The estimate of the playout delay, behind the fastest packet, with which nearly all packets are in time.
///
/// The target is a percentile of the relative delay over ten seconds plus a margin, up to 500 ms; how much is a matter
/// of ``JitterBufferSettings``. It rises at once and falls by 40 ms per second. Delays above 500 ms are outages: they
/// count only once they have lasted.
struct DelayEstimator {
    /// The result of an observation.
    enum Verdict: Equatable {
        /// The packet belongs to the present timeline.
        case normal
        /// The sender's timeline has jumped; the estimate starts again with this packet.
        case restarted
    }

    /// The target delay behind the fastest packet, in nanoseconds, from the settings' minimum to 500,000,000.
    private(set) var targetNanoseconds: Int64

    /// The arrival time of the fastest packet minus its media time, in nanoseconds: the zero of all delays.
    private(set) var baseNanoseconds: Int64 = 0

    /// The offsets (arrival minus media time) of the last ten seconds in order of arrival, oldest first from `start`.
    private var window: [(arrival: Int64, offset: Int64)] = []
    private var start = 0
    /// The same offsets in ascending order.
    private var sorted: [Int64] = []
    private var lastArrival: Int64?
    /// A run of delays too long for jitter: the arrival of its first and last packet, and the number of packets.
    private var outage: (since: Int64, last: Int64, count: Int)?

    private let settings: JitterBufferSettings

    init(_ settings: JitterBufferSettings = .listening) {
        self.settings = settings
        targetNanoseconds = settings.minimumDelay
        window.reserveCapacity(2 * Self.maximumObservations)
        sorted.reserveCapacity(Self.maximumObservations + 1)
    }

    /// Adds one packet to the estimate.
    ///
    /// - Parameters:
    ///   - media: The packet's position in the sender's timeline, in nanoseconds.
    ///   - arrival: The packet's time of arrival, in nanoseconds.
    ///   - marker: True if the packet begins a talk spurt, so that a jump is accepted at once.
    /// - Returns: `restarted` if the sender's timeline has jumped, else `normal`.
    mutating func observe(media: Int64, arrival: Int64, marker: Bool) -> Verdict {
        let offset = arrival - media
        guard let fastest = sorted.first else {
            restart(arrival: arrival, offset: offset)
            return .normal
        }
        // Timestamps that jump ahead do not mean a faster path: the timeline has jumped.
        if offset < fastest - Self.outageNanoseconds {
            restart(arrival: arrival, offset: offset)
            return .restarted
        }
        if offset > fastest + Self.outageNanoseconds {
            if marker || isLastingShift(arrival) {
                restart(arrival: arrival, offset: offset)
                return .restarted
            }
            lowerTarget(to: computedTarget, at: arrival)
            return .normal
        }
        // The rest of the burst after an outage counts as part of it, until a packet is in time again.
        if let outage, offset - fastest > targetNanoseconds, arrival - outage.last < Self.burstNanoseconds {
            lowerTarget(to: computedTarget, at: arrival)
            return .normal
        }
        outage = nil
        record(arrival: arrival, offset: offset)
        baseNanoseconds = sorted.first ?? offset
        lowerTarget(to: computedTarget, at: arrival)
        return .normal
    }

    /// Returns the delay, in nanoseconds, of a position in the sender's timeline if it is played at `now`.
    func delay(ofMedia media: Int64, playedAt now: Int64) -> Int64 {
        now - media - baseNanoseconds
    }

    private mutating func restart(arrival: Int64, offset: Int64) {
        window.removeAll(keepingCapacity: true)
        sorted.removeAll(keepingCapacity: true)
        start = 0
        outage = nil
        record(arrival: arrival, offset: offset)
        baseNanoseconds = offset
        lastArrival = arrival
        targetNanoseconds = settings.minimumDelay
    }

    /// Indicates that long delays have lasted for seconds: a burst after a stall arrives at once, a shift goes on.
    private mutating func isLastingShift(_ arrival: Int64) -> Bool {
        let since = outage?.since ?? arrival
        let count = (outage?.count ?? 0) + 1
        outage = (since, arrival, count)
        return count >= Self.shiftObservations && arrival - since >= Self.shiftNanoseconds
    }

    private mutating func record(arrival: Int64, offset: Int64) {
        while start < window.count,
            window[start].arrival < arrival - Self.windowNanoseconds || window.count - start >= Self.maximumObservations
        {
            let insertionIndex = Self.insertionIndex(of: window[start].offset, in: sorted)
            if insertionIndex < sorted.count { sorted.remove(at: insertionIndex) }
            start += 1
        }
        if start >= Self.maximumObservations {
            window.removeFirst(start)
            start = 0
        }
        window.append((arrival, offset))
        sorted.insert(offset, at: Self.insertionIndex(of: offset, in: sorted))
    }

    private var computedTarget: Int64 {
        guard let fastest = sorted.first else { return settings.minimumDelay }
        let rank = min(sorted.count - 1, sorted.count * settings.percentile / 100)
        return min(max(sorted[rank] - fastest + settings.margin, settings.minimumDelay), Self.maximumNanoseconds)
    }

    private mutating func lowerTarget(to wanted: Int64, at arrival: Int64) {
        let passed = max(0, arrival - (lastArrival ?? arrival))
        lastArrival = max(lastArrival ?? arrival, arrival)
        let lowered = targetNanoseconds - min(passed, 1_000_000_000) / 1_000 * Self.decayPerMillisecond / 1_000
        targetNanoseconds = max(wanted, lowered)
    }

    /// Returns the first index in the sorted list whose value is not below `offset`.
    private static func insertionIndex(of offset: Int64, in sorted: [Int64]) -> Int {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The maximum delay, 500 ms; higher: too much for a conversation.
    private static let maximumNanoseconds: Int64 = 500_000_000
    /// The delay, 500 ms, above which a packet is part of an outage, not of jitter.
    private static let outageNanoseconds: Int64 = 500_000_000
    /// The time after an outage in which late packets still count as its burst; longer: later jitter is missed.
    private static let burstNanoseconds: Int64 = 1_000_000_000
    /// The length of the window; longer: the delay stays high after bad times; shorter: rare jitter is missed.
    private static let windowNanoseconds: Int64 = 10_000_000_000
    /// The window's capacity: ten seconds of 10 ms packets.
    private static let maximumObservations = 1_000
    /// A shift is accepted after so many packets over so much time.
    private static let shiftObservations = 30
    private static let shiftNanoseconds: Int64 = 2_000_000_000
    /// The speed at which the target falls, in nanoseconds per millisecond: 40 ms per second.
    private static let decayPerMillisecond: Int64 = 40_000
}
