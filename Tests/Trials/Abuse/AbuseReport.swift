import BenchmarkClient
import BenchmarkSupport

/// The results of the abuse trial.
struct AbuseReport: TrialReport {
    /// The results of one attack.
    struct Row: Encodable {
        var attack: String
        /// Of the calls.
        var sent: Int
        var lost: Int
        var isWhole: Bool
        var wrong: Int
        var ended: Int
        var latencyMicroseconds: Percentiles
        var longestGapMilliseconds: Double
        /// Of the generator: no gap can be shorter than its own longest pause.
        var longestPauseMilliseconds: Double
        var sentLateP99Microseconds: Double
        var skipped: Int
        /// Of the hub.
        var cpuShare: Double
        var residentBytes: Int
        /// CPU time for one hostile request in microseconds, without that of the calls; nil where it is not measured.
        var microsecondsPerRequest: Double?
        /// Of the attackers.
        var tallies: [String: AttackTally]
        var seconds: Double

        init(
            attack: String,
            statistics: CallStatistics,
            tallies: [String: AttackTally],
            seconds: Double,
            cpuShare: Double,
            residentBytes: Int,
            cpuShareBefore: Double? = nil
        ) {
            self.attack = attack
            (sent, lost, isWhole, ended) = (statistics.sent, statistics.lost, statistics.isWhole, statistics.ended)
            wrong = statistics.damaged + statistics.disordered + statistics.misdirected + statistics.refused
            skipped = statistics.skipped
            latencyMicroseconds = statistics.latency.percentiles()
            longestGapMilliseconds = Double(statistics.longestGapNanoseconds) / 1e6
            longestPauseMilliseconds = Double(statistics.longestPauseNanoseconds) / 1e6
            sentLateP99Microseconds = statistics.lateness.percentiles().p99
            self.tallies = tallies
            self.seconds = seconds
            self.cpuShare = cpuShare
            self.residentBytes = residentBytes
            let requests = tallies.values.reduce(0) { $0 + $1.sent }
            if let cpuShareBefore, requests > 0 {
                microsecondsPerRequest = max(0, cpuShare - cpuShareBefore) * seconds * 1e6 / Double(requests)
            }
        }

        /// Answers and endings that the hub must not give.
        var wrongOfHub: Int { tallies.values.reduce(0) { $0 + $1.wrong.values.reduce(0, +) } }

        /// Sign-ins of others that were not granted; nil if no other client tried to sign in.
        var legitimateSignInsRefused: Int? {
            let refused = tallies.values.reduce(0) { $0 + $1.friendRefusals.values.reduce(0, +) }
            return tallies.values.contains { $0.friendSignIns > 0 } || refused > 0 ? refused : nil
        }

        /// Indicates that the generator was the limit, so that the figures are not the hub's.
        var isDoubtful: Bool { sentLateP99Microseconds > 5_000 || skipped > 0 }

        /// The longest gap without the generator's own part in it.
        var gapOfHub: Double { max(0, longestGapMilliseconds - longestPauseMilliseconds) }

        var sentByAttackers: Double { Double(tallies.values.reduce(0) { $0 + $1.sent }) / seconds }
    }

    var calls: Int
    var strength: Int
    var rows: [Row]
    /// The reason why the trial ended early, a lost call or a hub that has ended; nil: it did not.
    var failure: String?

    init(_ options: TrialOptions, _ rows: [Row], failure: String?) {
        self.failure = failure
        calls = options["--calls"]
        strength = options["--strength"]
        self.rows = rows
    }

    var doubts: [String] {
        rows.filter(\.isDoubtful).map {
            "the generator was the limit: \($0.attack) (late by \(fixed($0.sentLateP99Microseconds, 0)) us, "
                + "\($0.skipped) packets not sent)"
        }
    }

    var text: String {
        let heading = [
            "s", "attack", "sent/s", "calls' packets", "lost", "wrong", "ended", "p50 us", "p99", "p99.9",
            "longest gap ms", "generator's pause ms", "hub CPU", "hub MB", "us a request",
        ]
        let lines = rows.map { row in
            [
                fixed(row.seconds, 1), row.attack, fixed(row.sentByAttackers, 0), String(row.sent), String(row.lost),
                String(row.wrong), String(row.ended), fixed(row.latencyMicroseconds.p50, 0),
                fixed(row.latencyMicroseconds.p99, 0), fixed(row.latencyMicroseconds.p999, 0),
                fixed(row.longestGapMilliseconds, 0), fixed(row.longestPauseMilliseconds, 0),
                fixed(row.cpuShare * 100, 0) + " %", fixed(Double(row.residentBytes) / 1_048_576, 1),
                row.microsecondsPerRequest.map { fixed($0, 0) } ?? "-",
            ]
        }
        let got = rows.flatMap { row in
            row.tallies.sorted { $0.key < $1.key }.map { tally in
                let name = row.tallies.count > 1 ? "\(row.attack), \(tally.key)" : tally.key
                return "\(name): \(tally.value.summary)\n"
            }
        }
        return "\(calls) calls, measured while their hub is troubled\n" + Table(lines: [heading] + lines).text
            + "\nwhat the attackers got\n" + got.joined() + (failure.map { "\nBROKEN OFF: \($0)\n" } ?? "")
    }
}
