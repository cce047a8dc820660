import BenchmarkClient
import BenchmarkSupport

/// The most calls that the hub carries, and its latency with half of them.
struct HalfLoad: Codable {
    /// The figures of a program at half the load.
    struct Line: Codable {
        /// The program's name.
        var program: String
        /// The time from the sending client's send to the receiving client's receive, in microseconds.
        var latencyMicroseconds: Percentiles
        /// Indicates that the generator kept pace, so that the figures are valid.
        var keptPace: Bool
    }

    /// The limit of a loop's busy share, 0 to 1: above it queues grow in any program.
    private static let busyLimit = 0.7
    private static let startCalls = 200
    private static let mostCalls = 4000

    /// The most calls carried, with 50 packets a second each way.
    var mostCalls: Int
    /// The share of one core that the hub took with them.
    var busy: Double
    /// The reason why no more calls were carried.
    var limit: String
    /// Half as many calls.
    var halfCalls: Int
    /// The figures of the programs with half as many.
    var lines: [Line]

    /// Finds the most calls with short slices, then measures the hub and the programs beside it with half of them.
    static func measure(
        _ hub: ProgramUnderTest,
        beside: [ProgramUnderTest],
        _ options: Options
    ) throws(BenchmarkError) -> HalfLoad {
        var half = HalfLoad(mostCalls: 0, busy: 0, limit: "no more were tried", halfCalls: 0, lines: [])
        var calls = startCalls
        while calls <= mostCalls {
            Progress.show("how many calls \(hub.name) carries: \(calls)")
            let load = Load(calls: calls, packetsPerSecond: 50)
            var figures = Measurement(hub.name, load, [try Slice.measure(hub, load: load, seconds: 2)])
            if limit(figures) != nil {
                // Another program may have been busy just then.
                figures = Measurement(hub.name, load, [try Slice.measure(hub, load: load, seconds: 2)])
            }
            if let limit = limit(figures) {
                half.limit = limit
                break
            }
            (half.mostCalls, half.busy) = (calls, figures.busyShare)
            calls += max(calls / 5, 1)
        }
        half.halfCalls = max(half.mostCalls / 2, 1)
        try half.measureHalf([hub] + beside, options)
        return half
    }

    /// The hub's threshold: a p99 of at most 2000 µs.
    var check: Check {
        let line = lines.first
        return Check(
            name: "p99 in microseconds at half load, \(halfCalls) calls",
            value: line.flatMap { $0.keptPace ? $0.latencyMicroseconds.p99 : nil },
            limit: 2000
        )
    }

    /// The figures as a table, with the load that they refer to.
    var text: String {
        let heading = ["calls", "half load", "p50", "p90", "p99", "p99.9", "max", "kept pace"]
        let rows = lines.map { line in
            let latency = line.latencyMicroseconds
            let times = [latency.p50, latency.p90, latency.p99, latency.p999, latency.max].map { fixed($0, 0) }
            return [String(halfCalls), line.program] + times + [line.keptPace ? "yes" : "NO"]
        }
        return "The most calls at 50 packets/s: \(mostCalls), \(fixed(busy * 100, 0)) % busy; \(limit).\n"
            + Table(lines: [heading] + rows).text
    }

    /// The reason why this load is not carried; nil if it is.
    private static func limit(_ figures: Measurement) -> String? {
        let calls = figures.load.calls
        if figures.busyShare > busyLimit {
            return "with \(calls) it was \(fixed(figures.busyShare * 100, 0)) % busy"
        }
        if !figures.isCarried {
            return "with \(calls) it lost packets"
        }
        return figures.generator.keptPace ? nil : "with \(calls) the generator did not keep pace: it is the limit"
    }

    private mutating func measureHalf(_ subjects: [ProgramUnderTest], _ options: Options) throws(BenchmarkError) {
        let load = Load(calls: halfCalls, packetsPerSecond: 50)
        var slices = subjects.map { _ in [Slice]() }
        for turn in 0..<options.slices {
            for (index, subject) in subjects.enumerated() {
                Progress.show("half load, slice \(turn + 1) of \(options.slices): \(subject.name)")
                slices[index].append(try Slice.measure(subject, load: load, seconds: options.seconds))
            }
        }
        Progress.clear()
        lines = zip(subjects, slices).map { subject, slices in
            let figures = Measurement(subject.name, load, slices)
            return Line(
                program: subject.name,
                latencyMicroseconds: figures.latencyMicroseconds,
                keptPace: figures.generator.keptPace
            )
        }
    }
}
