/// Says how far behind the fastest packet sound must be played so that nearly all packets are in time.
///
/// The rules are the measured ones: the 97th percentile of the relative delay over ten seconds plus 20 ms, from 40 to
/// 500 ms; up at once, down by 40 ms a second. Delays above 500 ms are outages: they count only once they have lasted.
struct DelayEstimator {
    /// What an observation means for the stream.
    enum Verdict: Equatable {
        /// The packet belongs to the timeline so far.
        case normal
        /// The sender's timeline has jumped; the estimate starts anew from this packet.
        case restarted
    }

    /// The delay to play at, behind the fastest packet.
    private(set) var targetNanoseconds = Self.floor

    /// The arrival time of the fastest packet less its media time: where delay 0 is.
    private(set) var baseNanoseconds: Int64 = 0

    /// The offsets (arrival less media time) of the last ten seconds in order of arrival, oldest first from `start`.
    private var window: [(arrival: Int64, offset: Int64)] = []
    private var start = 0
    /// The same offsets by size.
    private var sorted: [Int64] = []
    private var lastArrival: Int64?
    /// A run of delays that are too long to be jitter: when the first and the last came, and how many.
    private var outage: (since: Int64, last: Int64, count: Int)?

    init() {
        window.reserveCapacity(2 * Self.mostObservations)
        sorted.reserveCapacity(Self.mostObservations + 1)
    }

    /// Takes note of one packet.
    ///
    /// - Parameters:
    ///   - media: The packet's place in the sender's timeline, in nanoseconds.
    ///   - arrival: When it came, in nanoseconds.
    ///   - marker: Whether the packet opens a talk spurt, so that a jump may be believed at once.
    /// - Returns: Whether the packet belongs to the timeline so far.
    mutating func observe(media: Int64, arrival: Int64, marker: Bool) -> Verdict {
        let offset = arrival - media
        guard let fastest = sorted.first else {
            restart(arrival: arrival, offset: offset)
            return .normal
        }
        // A sender whose timestamps leap ahead is not faster than light: the timeline has jumped.
        if offset < fastest - Self.outageNanoseconds {
            restart(arrival: arrival, offset: offset)
            return .restarted
        }
        if offset > fastest + Self.outageNanoseconds {
            if marker || isLastingShift(arrival) {
                restart(arrival: arrival, offset: offset)
                return .restarted
            }
            lowerTarget(to: wantedTarget, at: arrival)
            return .normal
        }
        // The rest of the burst after an outage belongs to it, until a packet is in time again.
        if let outage, offset - fastest > targetNanoseconds, arrival - outage.last < Self.burstNanoseconds {
            lowerTarget(to: wantedTarget, at: arrival)
            return .normal
        }
        outage = nil
        record(arrival: arrival, offset: offset)
        baseNanoseconds = sorted.first ?? offset
        lowerTarget(to: wantedTarget, at: arrival)
        return .normal
    }

    /// The delay of a place in the sender's timeline if it is played at some moment.
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
        targetNanoseconds = Self.floor
    }

    /// A burst after a stall comes all at once; a shift goes on for seconds.
    private mutating func isLastingShift(_ arrival: Int64) -> Bool {
        let since = outage?.since ?? arrival
        let count = (outage?.count ?? 0) + 1
        outage = (since, arrival, count)
        return count >= Self.shiftObservations && arrival - since >= Self.shiftNanoseconds
    }

    private mutating func record(arrival: Int64, offset: Int64) {
        while start < window.count,
            window[start].arrival < arrival - Self.windowNanoseconds || window.count - start >= Self.mostObservations
        {
            let place = Self.place(of: window[start].offset, in: sorted)
            if place < sorted.count { sorted.remove(at: place) }
            start += 1
        }
        if start >= Self.mostObservations {
            window.removeFirst(start)
            start = 0
        }
        window.append((arrival, offset))
        sorted.insert(offset, at: Self.place(of: offset, in: sorted))
    }

    private var wantedTarget: Int64 {
        guard let fastest = sorted.first else { return Self.floor }
        let rank = min(sorted.count - 1, sorted.count * Self.percentile / 100)
        return min(max(sorted[rank] - fastest + Self.margin, Self.floor), Self.ceiling)
    }

    private mutating func lowerTarget(to wanted: Int64, at arrival: Int64) {
        let passed = max(0, arrival - (lastArrival ?? arrival))
        lastArrival = max(lastArrival ?? arrival, arrival)
        let lowered = targetNanoseconds - min(passed, 1_000_000_000) / 1_000 * Self.decayPerMillisecond / 1_000
        targetNanoseconds = max(wanted, lowered)
    }

    /// The first place in the sorted list whose value is not below this one.
    private static func place(of offset: Int64, in sorted: [Int64]) -> Int {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Higher conceals less and delays more; 97 was the best compromise measured.
    private static let percentile = 97
    /// Added to the percentile; covers the player's own steps of 20 ms.
    private static let margin: Int64 = 20_000_000
    /// The least delay; lower would starve at the first late frame.
    private static let floor: Int64 = 40_000_000
    /// The most delay; beyond it a conversation is no longer one.
    private static let ceiling: Int64 = 500_000_000
    /// What is taken for an outage, not jitter.
    private static let outageNanoseconds: Int64 = 500_000_000
    /// How long after an outage late packets still count as its burst; longer is blind for jitter that follows.
    private static let burstNanoseconds: Int64 = 1_000_000_000
    /// How long the past counts; longer keeps the delay up after bad times, shorter forgets rare jitter.
    private static let windowNanoseconds: Int64 = 10_000_000_000
    /// The memory: ten seconds of 10 ms packets.
    private static let mostObservations = 1_000
    /// A shift is believed after so many packets over so much time.
    private static let shiftObservations = 30
    private static let shiftNanoseconds: Int64 = 2_000_000_000
    /// How fast the target comes down, in nanoseconds a millisecond: 40 ms a second.
    private static let decayPerMillisecond: Int64 = 40_000
}
