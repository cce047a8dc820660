import HubEngine
import HubWire

/// Values of the last hour, sampled at a fixed interval into a bounded list.
struct HourlyHistory {
    /// The state of the counters at one moment.
    struct Counters {
        /// The number of calls.
        var calls = 0
        /// The number of signed-in devices.
        var sessions = 0
        /// Packets forwarded since the start.
        var relayed: UInt64 = 0
        /// The latencies since the start.
        var latency = LatencyHistogram()
        /// The refusals since the start, by limit.
        var refusals: [(limit: String, count: Int)] = []
    }

    private let interval: Duration?
    private var samples: [(sample: AdminHistory.Sample, refusals: [Int])] = []
    private var last = Counters()
    private(set) var nextDeadline: Instant?

    /// Makes an empty history.
    ///
    /// - Parameter interval: The time between two samples; nil: none are taken.
    init(every interval: Duration?) { self.interval = interval }

    /// Sets the time of the first sample.
    mutating func begin(at now: Instant) {
        if interval != nil { nextDeadline = now }
    }

    /// Indicates that a sample is due, and sets the time of the next one.
    mutating func isDue(at now: Instant) -> Bool {
        guard let interval, let due = nextDeadline, due <= now else { return false }
        nextDeadline = now + interval
        return true
    }

    /// Adds the counters' state at one moment.
    mutating func add(_ counters: Counters, at now: Instant) {
        // To the millisecond, as in messages: a client asks for those after the last one that it has.
        let now = Instant(nanoseconds: now.nanoseconds / 1_000_000 * 1_000_000)
        let sample = AdminHistory.Sample(
            at: now,
            calls: counters.calls,
            sessions: counters.sessions,
            packets: counters.relayed &- last.relayed,
            latencyMicroseconds: counters.latency.percentile99(since: last.latency).map { Int(clamping: $0 / 1_000) }
        )
        last = counters
        if samples.count == Self.capacity { samples.removeFirst() }
        samples.append((sample, counters.refusals.map(\.count)))
    }

    /// The samples after a moment; nil: all.
    func history(since moment: Instant?) -> AdminHistory {
        let chosen = samples.lazy.map(\.sample).filter { sample in moment.map { sample.at > $0 } ?? true }
        let seconds = interval.map { Int($0.components.seconds) } ?? 0
        return AdminHistory(intervalSeconds: seconds, samples: Array(chosen))
    }

    /// The refusals since the start and in the last hour.
    ///
    /// - Parameter current: The refusals since the start.
    /// - Returns: Both numbers of each limit.
    func refusals(_ current: [(limit: String, count: Int)]) -> [AdminStatus.Refusals] {
        // Before an hour has passed all of them are of the last hour.
        let before = samples.count == Self.capacity ? samples.first?.refusals ?? [] : []
        return current.enumerated().map { index, entry in
            let former = index < before.count ? before[index] : 0
            return AdminStatus.Refusals(limit: entry.limit, total: entry.count, lastHour: max(0, entry.count - former))
        }
    }

    /// The number of samples of an hour at an interval of ten seconds.
    ///
    /// More: a longer history; more memory, some 150 bytes a sample.
    private static let capacity = 360
}
