import BenchmarkClient
import BenchmarkSupport

/// The results of the slow-listener trial.
struct SlowListenerReport: TrialReport {
    /// The figures of one stretch of time.
    struct Phase: Encodable {
        var name: String
        /// Figures of the other calls.
        var latencyMicroseconds: Percentiles
        /// The p99 of each second.
        var p99BySecond: [Double]
        var sent: Int
        var lost: Int
        var isWhole: Bool
        var longestGapMilliseconds: Double
        var sentLateP99Microseconds: Double
        /// The most bytes that the kernel held of the listener's connection.
        var held: SocketWatch.Held
        /// The packets that the listener received.
        var heard: SlowListener.ReceivedStatistics
        /// Packets that the hub dropped because the listener's socket was full.
        var dropped: Int
        var residentBytes: Int
        var cpuShare: Double

        init(
            name: String,
            slices: [CallStatistics],
            held: SocketWatch.Held,
            heard: SlowListener.ReceivedStatistics,
            dropped: Int,
            residentBytes: Int,
            cpuShare: Double
        ) {
            self.name = name
            var (latency, lateness) = (Samples(), Samples())
            for slice in slices {
                latency.add(slice.latency)
                lateness.add(slice.lateness)
            }
            latencyMicroseconds = latency.percentiles()
            sentLateP99Microseconds = lateness.percentiles().p99
            p99BySecond = slices.map { $0.latency.percentiles().p99 }
            sent = slices.reduce(0) { $0 + $1.sent }
            lost = slices.reduce(0) { $0 + $1.lost }
            isWhole = slices.allSatisfy(\.isWhole)
            longestGapMilliseconds = Double(slices.map(\.longestGapNanoseconds).max() ?? 0) / 1e6
            (self.held, self.heard, self.dropped) = (held, heard, dropped)
            (self.residentBytes, self.cpuShare) = (residentBytes, cpuShare)
        }

        /// The median of the seconds' p99.
        var medianP99: Double { median(p99BySecond) }
    }

    /// The allowed delay beyond 120 ms before a packet enters the sockets, in milliseconds.
    ///
    /// The generator reads every 20 ms, and the hub's clock of 1 ms and the scheduling of the machine are in it.
    private static let slackMilliseconds = 40.0

    var calls: Int
    var packetsPerSecond: Int
    var bitsPerSecond: Int
    var phases: [Phase]

    init(_ options: TrialOptions, _ phases: [Phase]) {
        calls = options["--calls"]
        packetsPerSecond = options["--packets"]
        bitsPerSecond = options["--bits"]
        self.phases = phases
    }

    private var undisturbed: [Phase] { phases.filter { ["before", "after"].contains($0.name) } }
    private var disturbed: [Phase] { phases.filter { !["before", "after"].contains($0.name) } }

    var checks: [Check] {
        let noise = undisturbed.flatMap(\.p99BySecond).max() ?? 0
        let memory = phases.map(\.residentBytes)
        return [
            Check(
                name: "ms that a packet of the slow listener's waited in the hub",
                value: phases.map(\.heard.longestInHubMilliseconds).max(),
                limit: 120 + Self.slackMilliseconds
            ),
            Check(
                name: "packets that the slow listener heard while it was slow",
                value: Double(disturbed.map(\.heard.packets).reduce(0, +)),
                limit: 1,
                isLowest: true
            ),
            Check(
                name: "age in ms of the oldest packet afterwards",
                value: phases.last?.heard.oldestMilliseconds,
                limit: 120 + Self.slackMilliseconds
            ),
            Check(
                name: "packets of the other calls that were lost or wrong",
                value: Double(phases.map { $0.isWhole ? 0 : max($0.lost, 1) }.reduce(0, +)),
                limit: 0
            ),
            Check(
                name: "p99 of the others during it, us; the limit is their worst second without it",
                value: disturbed.filter { $0.p99BySecond.count > 1 }.map(\.medianP99).max(),
                limit: noise
            ),
            Check(
                name: "KB that the hub has grown by",
                value: Double((memory.max() ?? 0) - (memory.first ?? 0)) / 1024,
                limit: 1024
            ),
        ]
    }

    var doubts: [String] {
        let late = phases.map(\.sentLateP99Microseconds).max() ?? 0
        return late > 5_000 ? ["the generator sent one packet of a hundred \(fixed(late, 0)) us late or later"] : []
    }

    var text: String {
        let heading = [
            "s", "listener", "others' p50 us", "p99", "p99 by second", "p99.9", "lost", "longest gap ms", "heard",
            "oldest ms", "in the hub ms", "held: hub B", "held: own B", "both", "dropped", "hub MB", "hub CPU",
        ]
        let lines = phases.map { phase in
            [
                String(phase.p99BySecond.count), phase.name, fixed(phase.latencyMicroseconds.p50, 0),
                fixed(phase.latencyMicroseconds.p99, 0),
                "\(fixed(phase.p99BySecond.min() ?? 0, 0)) to \(fixed(phase.p99BySecond.max() ?? 0, 0))",
                fixed(phase.latencyMicroseconds.p999, 0), String(phase.lost), fixed(phase.longestGapMilliseconds, 0),
                String(phase.heard.packets), fixed(phase.heard.oldestMilliseconds, 0),
                fixed(phase.heard.longestInHubMilliseconds, 0), String(phase.held.byHub), String(phase.held.byListener),
                String(phase.held.together), String(phase.dropped),
                fixed(Double(phase.residentBytes) / 1_048_576, 1), fixed(phase.cpuShare * 100, 0) + " %",
            ]
        }
        return "\(calls) calls of \(packetsPerSecond) packets a second each way, one of whose listeners is slow\n"
            + Table(lines: [heading] + lines).text
    }
}
