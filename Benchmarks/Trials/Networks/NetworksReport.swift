import BenchmarkSupport
import HubTestSupport

/// What the trial of networks has found out.
struct NetworksReport: TrialReport {
    /// What a phone knows in the end.
    struct Spoken {
        var diary: NetworkPhone.Diary
        /// From its first frame on.
        var heard: [Int16]
    }

    /// One direction of a call under one condition.
    struct Row: Encodable {
        var condition: NetworkCondition
        var direction: String
        /// From mouth to ear, of all stretches of 150 ms that were heard.
        var medianMilliseconds: Double
        /// Of twenty stretches one was heard sooner, and one later: a sweep in the wrong place may look like the right one.
        var soonestMilliseconds: Double
        var latestMilliseconds: Double
        /// Of the last five seconds, which an outage must not show in.
        var lastMilliseconds: Double
        /// Of the seconds before the outage, or of the first half.
        var firstMilliseconds: Double
        /// Of a hundred stretches, how many were heard as they were spoken.
        var heardPercent: Double
        /// Stretches without any sound, of 60 ms and more, after the first second.
        var gaps: Int
        var gapMilliseconds: Double
        var longestGapMilliseconds: Double
        var concealedMilliseconds: Int
        var latePackets: Int
        var losses: Int
        var resumes: Int
        /// Whether both ends of the call were there when the time was over, and nothing had ended before.
        var survived: Bool
        var link: EmulatedLink.Counts

        init(
            _ condition: NetworkCondition,
            _ direction: String,
            from speaker: (spoken: Spoken, seed: UInt64),
            to listener: Spoken,
            _ link: EmulatedLink.Counts,
            _ seconds: Int
        ) {
            self.condition = condition
            self.direction = direction
            self.link = link
            var pattern = SoundPattern(seed: speaker.seed)
            let spoken = pattern.next(seconds * 48_000)
            // A frame is sent when it has been spoken whole: the mouth is 20 ms ahead of the sending.
            let mouth = speaker.spoken.diary.start - 20_000_000
            let headStart = Int((listener.diary.start - mouth) * 48 / 1_000_000)
            let stretches = HeardPattern(spoken, in: listener.heard, headStart: headStart).stretches
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
            concealedMilliseconds = listener.diary.concealedMilliseconds
            latePackets = listener.diary.latePackets
            (losses, resumes) = (listener.diary.losses, listener.diary.resumes)
            survived = [speaker.spoken, listener].allSatisfy { $0.diary.isConnected && $0.diary.ends == 0 }
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
        // Without a network between them two phones hear each other whole, or this machine has no time for them.
        let first = rows.filter { $0.condition.name == NetworkCondition().name }
        return first.allSatisfy { $0.heardPercent > 90 }
            ? [] : ["the phones do not even hear each other without a delay"]
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
