import BenchmarkClient
import BenchmarkSupport

/// The results of the sign-ins trial.
struct SignInsReport: TrialReport {
    /// The figures of one stretch of time.
    struct Stretch {
        var load: SignInsTrial.Load
        /// The calls' figures in each second.
        var slices: [CallStatistics]
        var signIns: SignInLoad.Tally
        /// The shares of one core: the hub, and within that the thread that verifies passwords.
        var cpuShare: Double
        var passwordShare: Double
        var residentBytes: Int
    }

    /// The figures of all stretches with one load.
    struct Row: Encodable {
        var load: String
        /// Figures of the calls.
        var latencyMicroseconds: Percentiles
        /// The p99 of each second.
        var p99BySecond: [Double]
        var sent: Int
        var lost: Int
        var isWhole: Bool
        var sentLateP99Microseconds: Double
        var skipped: Int
        /// Figures of the clients that sign in; their times are the median and the p99.
        var signIns: Int
        var signInsPerSecond: Double
        var refused: [String: Int]
        var signInMilliseconds: [Double]
        /// Figures of the hub.
        var cpuShare: Double
        var passwordShare: Double
        var residentBytes: Int

        init(_ load: SignInsTrial.Load, _ stretches: [Stretch]) {
            self.load = load.rawValue
            let slices = stretches.flatMap(\.slices)
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
            skipped = slices.reduce(0) { $0 + $1.skipped }
            let times = stretches.flatMap(\.signIns.milliseconds).map { Double($0) }.sorted()
            let seconds = stretches.reduce(0) { $0 + $1.signIns.seconds }
            signIns = times.count
            signInsPerSecond = seconds > 0 ? Double(times.count) / seconds : 0
            signInMilliseconds = [median(times), times.isEmpty ? 0 : times[(times.count - 1) * 99 / 100]]
            refused = stretches.reduce(into: [:]) { $0.merge($1.signIns.refused, uniquingKeysWith: +) }
            cpuShare = median(stretches.map(\.cpuShare))
            passwordShare = median(stretches.map(\.passwordShare))
            residentBytes = stretches.map(\.residentBytes).max() ?? 0
        }

        /// The median of the seconds' p99.
        var medianP99: Double { median(p99BySecond) }
    }

    var calls: Int
    var packetsPerSecond: Int
    var clients: Int
    var rows: [Row]
    /// The median of the seconds' p99 while many sign in, as a multiple of that while none do.
    var ratio: Double?

    init(_ options: TrialOptions, _ stretches: [Stretch]) {
        calls = options["--calls"]
        packetsPerSecond = options["--packets"]
        clients = options["--clients"]
        rows = SignInsTrial.Load.allCases.map { load in Row(load, stretches.filter { $0.load == load }) }
        let (quiet, many) = (rows.first?.medianP99 ?? 0, rows.last?.medianP99 ?? 0)
        ratio = quiet > 0 ? many / quiet : nil
    }

    var checks: [Check] {
        [
            Check(
                name: "p99 of the calls while many sign in, as a multiple of that while nobody does",
                value: ratio,
                limit: Self.largestRatio
            ),
            Check(
                name: "packets of the calls that were lost or wrong",
                value: Double(rows.map { $0.isWhole ? 0 : max($0.lost, 1) }.reduce(0, +)),
                limit: 0
            ),
            Check(
                name: "right passwords that were refused, but for 503: too many wait",
                value: Double(rows.flatMap(\.refused).reduce(0) { $0 + ($1.key == "503" ? 0 : $1.value) }),
                limit: 0
            ),
            Check(
                name: "sign-ins while many sign in, as a multiple of those of one client after the other",
                value: rows[1].signInsPerSecond > 0 ? rows[2].signInsPerSecond / rows[1].signInsPerSecond : nil,
                limit: 0.8,
                isLowest: true
            ),
        ]
    }

    /// The limit of the growth of p99, as a multiple.
    ///
    /// The passwords' thread fills the second core, which the generator of the calls has had to itself: the time that
    /// one waits for the other, a fraction of the one millisecond of batching, is in the figure and not the hub's.
    private static let largestRatio = 1.5

    var doubts: [String] {
        rows.filter { $0.sentLateP99Microseconds > 5_000 || $0.skipped > 0 }.map {
            "the generator was the limit: \($0.load) (late by \(fixed($0.sentLateP99Microseconds, 0)) us, "
                + "\($0.skipped) packets not sent)"
        }
    }

    var text: String {
        let heading = [
            "s", "signing in", "sign-ins/s", "one p50 ms", "p99", "refused", "packets' p50 us", "p99", "p99 by second",
            "p99.9", "lost", "generator late p99 us", "hub CPU", "of it passwords", "hub MB",
        ]
        let lines = rows.map { row in
            [
                String(row.p99BySecond.count), row.load, fixed(row.signInsPerSecond, 1),
                fixed(row.signInMilliseconds[0], 0), fixed(row.signInMilliseconds[1], 0),
                String(row.refused.values.reduce(0, +)), fixed(row.latencyMicroseconds.p50, 0),
                fixed(row.latencyMicroseconds.p99, 0),
                "\(fixed(row.p99BySecond.min() ?? 0, 0)) to \(fixed(row.p99BySecond.max() ?? 0, 0))",
                fixed(row.latencyMicroseconds.p999, 0), String(row.lost), fixed(row.sentLateP99Microseconds, 0),
                fixed(row.cpuShare * 100, 0) + " %", fixed(row.passwordShare * 100, 0) + " %",
                fixed(Double(row.residentBytes) / 1_048_576, 1),
            ]
        }
        return "\(calls) calls of \(packetsPerSecond) packets a second each way; many: \(clients) clients at once\n"
            + Table(lines: [heading] + lines).text
    }
}
