import BenchmarkClient
import BenchmarkSupport

/// The results of the abuse trial.
struct AbuseReport: TrialReport {
    /// The figures of one attack.
    struct Row: Encodable {
        var attack: String
        /// Figures of the calls.
        var sent: Int
        var lost: Int
        var isWhole: Bool
        var wrong: Int
        var ended: Int
        var latencyMicroseconds: Percentiles
        var longestGapMilliseconds: Double
        /// Figures of the generator: no gap can be shorter than its own longest pause.
        var longestPauseMilliseconds: Double
        var sentLateP99Microseconds: Double
        var skipped: Int
        /// Figures of the hub.
        var cpuShare: Double
        var residentBytes: Int
        /// Figures of the attackers.
        var tallies: [String: AttackTally]
        var seconds: Double

        init(
            attack: String,
            figures: CallFigures,
            tallies: [String: AttackTally],
            seconds: Double,
            cpuShare: Double,
            residentBytes: Int
        ) {
            self.attack = attack
            (sent, lost, isWhole, ended) = (figures.sent, figures.lost, figures.isWhole, figures.ended)
            wrong = figures.damaged + figures.disordered + figures.misdirected + figures.refused
            skipped = figures.skipped
            latencyMicroseconds = figures.latency.percentiles()
            longestGapMilliseconds = Double(figures.longestGapNanoseconds) / 1e6
            longestPauseMilliseconds = Double(figures.longestPauseNanoseconds) / 1e6
            sentLateP99Microseconds = figures.lateness.percentiles().p99
            self.tallies = tallies
            self.seconds = seconds
            self.cpuShare = cpuShare
            self.residentBytes = residentBytes
        }

        /// Indicates that the generator was the limit, so that the figures say nothing about the hub.
        var isDoubtful: Bool { sentLateP99Microseconds > 5_000 || skipped > 0 }

        /// The longest gap less the generator's own longest pause, in milliseconds.
        var gapOfHub: Double { max(0, longestGapMilliseconds - longestPauseMilliseconds) }

        var sentByAttackers: Double { Double(tallies.values.reduce(0) { $0 + $1.sent }) / seconds }
    }

    /// The limit of a gap in a listener's audio, in milliseconds: a jitter buffer of 120 ms and a packet.
    private static let longestGap = 140.0

    var calls: Int
    var strength: Int
    var rows: [Row]
    /// The error that ended the trial early: one of the calls was lost, or the hub ended.
    var failure: String?

    init(_ options: TrialOptions, _ rows: [Row], failure: String?) {
        self.failure = failure
        calls = options["--calls"]
        strength = options["--strength"]
        self.rows = rows
    }

    var checks: [Check] {
        let base = rows.first?.residentBytes ?? 0
        let failure = Check(name: "connections of the calls that were lost", value: failure == nil ? 0 : 1, limit: 0)
        return [failure]
            + rows.flatMap { row in
                [
                    Check(
                        name: "packets lost or wrong, calls ended: \(row.attack)",
                        value: Double(row.lost + row.wrong + row.ended),
                        limit: 0
                    ),
                    Check(name: "longest gap in ms: \(row.attack)", value: row.gapOfHub, limit: Self.longestGap),
                    Check(
                        name: "MB more than without: \(row.attack)",
                        value: Double(row.residentBytes - base) / 1_048_576,
                        limit: 64
                    ),
                ]
            }
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
            "longest gap ms", "generator's pause ms", "hub CPU", "hub MB",
        ]
        let lines = rows.map { row in
            [
                fixed(row.seconds, 1), row.attack, fixed(row.sentByAttackers, 0), String(row.sent), String(row.lost),
                String(row.wrong), String(row.ended), fixed(row.latencyMicroseconds.p50, 0),
                fixed(row.latencyMicroseconds.p99, 0), fixed(row.latencyMicroseconds.p999, 0),
                fixed(row.longestGapMilliseconds, 0), fixed(row.longestPauseMilliseconds, 0),
                fixed(row.cpuShare * 100, 0) + " %", fixed(Double(row.residentBytes) / 1_048_576, 1),
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
