import BenchmarkSupport

/// The record of a trial while it runs.
struct KillRecord {
    /// A difference from the expected state.
    struct Finding: Codable {
        /// The number of kills before it.
        var kill: Int
        var seed: Int
        /// A sentence that names the difference and the account.
        var text: String
    }

    /// Hubs killed under load.
    var kills = 0
    /// Hubs killed while they started.
    var killedStarts = 0
    /// Of these, hubs that listened already.
    var startsTooLate = 0
    /// The time from each start until the address was printed.
    var startMilliseconds: [Double] = []
    /// The number of checks of the whole file.
    var wholeLooks = 0
    var databaseBytes = 0
    var findings: [Finding] = []
    /// The error that ended the trial early.
    var failure: String?
}

/// The results of killing a hub again and again.
struct KillReport: TrialReport {
    var seed: Int
    var kills: Int
    var killedStarts: Int
    var killedStartsThatListened: Int
    var seconds: Double
    var startMillisecondsMedian: Double
    var startMillisecondsMost: Double
    var callsEnded: Int
    var callsEndedByKind: [String: Int]
    var callsCut: Int
    var recentsEntriesSeen: Int
    var changesAnswered: Int
    var changesCut: Int
    var loads: Int
    var incrementalLoads: Int
    var loadsCut: Int
    var directoryEntries: Int
    var lookUps: Int
    var wholeLooks: Int
    var databaseBytes: Int
    var findings: [KillRecord.Finding]
    var failure: String?

    init(_ options: TrialOptions, _ record: KillRecord, _ counts: KillCounts, seconds: Double) {
        seed = options["--seed"]
        (kills, killedStarts, killedStartsThatListened) = (record.kills, record.killedStarts, record.startsTooLate)
        self.seconds = seconds
        startMillisecondsMedian = median(record.startMilliseconds)
        startMillisecondsMost = record.startMilliseconds.max() ?? 0
        (callsEnded, callsEndedByKind, callsCut) = (counts.ended, counts.endedByKind, counts.cut)
        recentsEntriesSeen = counts.entries
        (changesAnswered, changesCut) = (counts.changes, counts.cutChanges)
        (loads, incrementalLoads, loadsCut) = (counts.loads, counts.steps, counts.cutLoads)
        directoryEntries = options["--entries"]
        (lookUps, wholeLooks, databaseBytes) = (counts.lookUps, record.wholeLooks, record.databaseBytes)
        (findings, failure) = (record.findings, record.failure)
    }

    var checks: [Check] {
        [
            Check(name: "hubs that did not come to listen, or ended", value: failure == nil ? 0 : 1, limit: 0),
            Check(name: "findings", value: Double(findings.count), limit: 0),
        ]
    }

    var doubts: [String] {
        var doubts: [String] = []
        if callsEnded < 20 * kills { doubts.append("fewer than 20 calls have ended a kill") }
        if changesAnswered < 20 * kills { doubts.append("fewer than 20 changes were answered a kill") }
        if loads == 0 || loadsCut * 4 < kills {
            doubts.append("a load of the directory was under way at fewer than one kill of four")
        }
        return doubts
    }

    var text: String {
        let kinds = callsEndedByKind.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        let starts = "\(fixed(startMillisecondsMedian, 0)), \(fixed(startMillisecondsMost, 0))"
        let rows: [[String]] = [
            ["", "figure", "value"],
            ["", "seed, seconds", "\(seed), \(fixed(seconds, 0))"],
            ["", "kills under load", "\(kills)"],
            ["", "kills of a start, of these it listened", "\(killedStarts), \(killedStartsThatListened)"],
            ["", "ms to listen: median, most", starts],
            ["", "calls ended, under way at a kill", "\(callsEnded), \(callsCut)"],
            ["", "entries of Recents looked at", "\(recentsEntriesSeen)"],
            ["", "changes answered, under way at a kill", "\(changesAnswered), \(changesCut)"],
            ["", "loads, incremental, under way at a kill", "\(loads), \(incrementalLoads), \(loadsCut)"],
            ["", "entries of the directory, looked up", "\(directoryEntries), \(lookUps)"],
            ["", "looks at the whole file, its MB", "\(wholeLooks), \(fixed(Double(databaseBytes) / 1_048_576, 1))"],
            ["", "findings", "\(findings.count)"],
        ]
        return Table(lines: rows).text + "\ncalls: \(kinds.joined(separator: ", "))\n"
            + findings.map { "FOUND after kill \($0.kill) of seed \($0.seed): \($0.text)\n" }.joined()
            + (failure.map { "BROKEN OFF \($0)\n" } ?? "")
    }
}
