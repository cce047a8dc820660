import BenchmarkClient
import BenchmarkSupport

/// The results of the renewals trial.
struct RenewalsReport: TrialReport {
    /// The figures of a stretch of time.
    struct Figures: Encodable {
        var sent: Int
        var received: Int
        /// Packets that were lost, came twice or late, or were damaged or misdirected.
        var wrong: Int
        var endedCalls: Int
        var skipped: Int
        var latencyMicroseconds: Percentiles
        var longestGapMilliseconds: Double
        var sentLateP99Microseconds: Double

        init(_ statistics: CallStatistics) {
            (sent, received) = (statistics.sent, statistics.received)
            wrong = statistics.lost + statistics.disordered + statistics.damaged + statistics.misdirected
            endedCalls = statistics.ended
            skipped = statistics.skipped
            latencyMicroseconds = statistics.latency.percentiles()
            longestGapMilliseconds = Double(statistics.longestGapNanoseconds) / 1_000_000
            sentLateP99Microseconds = statistics.lateness.percentiles().p99
        }
    }

    /// The figures of one kind of certificate.
    struct Row: Encodable {
        var kind: String
        /// The certificates that new connections have seen after the first one.
        var certificates: Int
        var before: Figures
        var during: Figures
    }

    var calls: Int
    var packetsPerSecond: Int
    var rows: [Row]

    init(_ options: TrialOptions, _ rows: [Row]) {
        calls = options["--calls"]
        packetsPerSecond = options["--packets"]
        self.rows = rows
    }

    var checks: [Check] {
        rows.flatMap { row in
            [
                Check(
                    name: "\(row.kind): packets lost or wrong while the certificate is replaced, beyond those before",
                    value: Double(max(0, row.during.wrong - row.before.wrong)),
                    limit: 0
                ),
                // A connection that is closed ends the trial.
                Check(name: "\(row.kind): calls that ended", value: Double(row.during.endedCalls), limit: 0),
                Check(
                    name: "\(row.kind): new certificates that new connections saw",
                    value: Double(row.certificates),
                    limit: 1,
                    isLowest: true
                ),
            ]
        }
    }

    var doubts: [String] {
        rows.filter { $0.during.sentLateP99Microseconds > 20_000 }.map {
            "the generator was the limit: \($0.kind) (late by \(fixed($0.during.sentLateP99Microseconds, 0)) us)"
        }
    }

    var text: String {
        let heading = [
            "certificate", "replaced", "packets before", "wrong", "p99 us", "packets during", "wrong", "p99 us",
            "longest gap ms", "calls ended",
        ]
        let lines = rows.map { row in
            [
                row.kind, String(row.certificates), String(row.before.received), String(row.before.wrong),
                fixed(row.before.latencyMicroseconds.p99, 0), String(row.during.received), String(row.during.wrong),
                fixed(row.during.latencyMicroseconds.p99, 0), fixed(row.during.longestGapMilliseconds, 0),
                String(row.during.endedCalls),
            ]
        }
        return "\(calls) calls over TLS of \(packetsPerSecond) packets a second each way\n"
            + Table(lines: [heading] + lines).text
    }
}
