import BenchmarkSupport
import HubTestSupport

/// The results of the networks trial.
struct NetworksReport: TrialReport {
    /// The results of one phone.
    struct PhoneResult {
        var callFigures: NetworkPhone.PhoneCallStatistics
        /// The samples played, from the first frame on.
        var heard: [Int16]
    }

    /// One direction of a call under one condition.
    struct Row: Encodable {
        var condition: NetworkCondition
        var direction: String
        /// The median mouth-to-ear delay of all stretches of 150 ms that were found.
        var medianMilliseconds: Double
        /// The 5th and 95th percentile of the delay, since a sweep in a wrong place may match by accident.
        var soonestMilliseconds: Double
        var latestMilliseconds: Double
        /// The median delay over the last five seconds, in which an outage must not show.
        var lastMilliseconds: Double
        /// The median delay before the outage, or over the first half.
        var firstMilliseconds: Double
        /// The share of stretches that were found as they were sent, in percent.
        var heardPercent: Double
        /// Silences of 60 ms and more, after the first second.
        var gaps: Int
        var gapMilliseconds: Double
        var longestGapMilliseconds: Double
        var concealedMilliseconds: Int
        var latePackets: Int
        var losses: Int
        var resumes: Int
        /// Indicates that both ends of the call were connected at the end, and nothing had ended before.
        var survived: Bool
        var link: EmulatedLink.Counts

        init(
            _ condition: NetworkCondition,
            _ direction: String,
            from speaker: (sent: PhoneResult, seed: UInt64),
            to listener: PhoneResult,
            _ link: EmulatedLink.Counts,
            _ seconds: Int
        ) {
            self.condition = condition
            self.direction = direction
            self.link = link
            var pattern = SoundPattern(seed: speaker.seed)
            let sent = pattern.next(seconds * 48_000)
            // A frame is sent when it has been recorded whole: the mouth is 20 ms ahead of the sending.
            let mouth = speaker.sent.callFigures.start - 20_000_000
            let headStart = Int((listener.callFigures.start - mouth) * 48 / 1_000_000)
            let stretches = PatternMatch(sent, in: listener.heard, headStart: headStart).stretches
            let times = stretches.compactMap(\.milliseconds).sorted()
            medianMilliseconds = median(times)
            soonestMilliseconds = times.isEmpty ? 0 : times[times.count / 20]
            latestMilliseconds = times.isEmpty ? 0 : times[times.count - 1 - times.count / 20]
            let end = stretches.last?.second ?? 0
            lastMilliseconds = median(stretches.filter { $0.second > end - 5 }.compactMap(\.milliseconds))
            let half = condition.outageSeconds > 0 ? Double(seconds - condition.outageSeconds - 10) / 2 : end / 2
            firstMilliseconds = median(stretches.filter { $0.second < half - 1 }.compactMap(\.milliseconds))
            heardPercent = 100 * Double(times.count) / Double(max(1, stretches.count))
            let gaps = Sound.gaps(Array(listener.heard.dropFirst(48_000))).filter { $0.count >= 48 * 60 }
            self.gaps = gaps.count
            gapMilliseconds = Double(gaps.reduce(0) { $0 + $1.count }) / 48
            longestGapMilliseconds = Double(gaps.map(\.count).max() ?? 0) / 48
            concealedMilliseconds = listener.callFigures.concealedMilliseconds
            latePackets = listener.callFigures.latePackets
            (losses, resumes) = (listener.callFigures.losses, listener.callFigures.resumes)
            survived = [speaker.sent, listener].allSatisfy { $0.callFigures.isConnected && $0.callFigures.ends == 0 }
        }
    }

    var rows: [Row]

    init(_ rows: [Row]) { self.rows = rows }

    var checks: [Check] {
        var checks = [
            Check(
                name: "calls that did not live to their end",
                value: Double(rows.count { !$0.survived }) / 2,
                limit: 0
            )
        ]
        for row in rows where row.condition.outageSeconds > 0 {
            let name = "\(row.condition.outageSeconds) s, \(row.direction)"
            checks += [
                Check(
                    name: "ms by which it is later in the end: outage of \(name)",
                    value: row.lastMilliseconds > 0 ? row.lastMilliseconds - row.firstMilliseconds : nil,
                    limit: 60
                ),
                Check(
                    name: "ms of silence beyond the outage: outage of \(name)",
                    value: row.longestGapMilliseconds - Double(1_000 * row.condition.outageSeconds),
                    limit: 3_000
                ),
            ]
        }
        for row in rows where row.condition.lossPercent == 0 && row.condition.outageSeconds == 0 {
            checks.append(
                Check(
                    name: "ms from mouth to ear beyond the network's delay: \(row.condition.name), \(row.direction)",
                    value: row.medianMilliseconds - Double(row.condition.delayMilliseconds),
                    limit: 150
                )
            )
        }
        return checks
    }

    var doubts: [String] {
        // Over a perfect network the two phones must receive nearly everything; if not, this machine is too slow.
        let first = rows.filter { $0.condition.name == NetworkCondition().name }
        return first.allSatisfy { $0.heardPercent > 90 }
            ? [] : ["the phones receive too little of each other even over a perfect network"]
    }

    var text: String {
        let heading = [
            "", "network", "direction", "mouth to ear ms", "soonest 5 %", "latest 5 %", "in the end", "heard %", "gaps",
            "gaps ms", "longest", "concealed ms", "late", "resumes", "IP packets lost",
        ]
        let lines = rows.map { row in
            [
                "", row.condition.name, row.direction, fixed(row.medianMilliseconds, 0),
                fixed(row.soonestMilliseconds, 0), fixed(row.latestMilliseconds, 0), fixed(row.lastMilliseconds, 0),
                fixed(row.heardPercent, 0), String(row.gaps), fixed(row.gapMilliseconds, 0),
                fixed(row.longestGapMilliseconds, 0), String(row.concealedMilliseconds), String(row.latePackets),
                String(row.resumes), "\(row.link.lost + row.link.overflowed) of \(row.link.passed)",
            ]
        }
        return Table(lines: [heading] + lines).text
    }
}
