import BenchmarkClient
import BenchmarkSupport
import Foundation
import Glibc
import HubSimulation

/// Kills a hub under load at random moments, and checks that the next one has all acknowledged data.
struct KillTrial {
    private let options: TrialOptions
    private let folder: TrialFolder
    private let users: [any KillTrialUser]
    private let loaders: [KillDirectoryUser]
    private var random: SeededRandom
    private var record = KillRecord()

    /// The calls that the hubs keep of an account: more than end between two kills.
    private static let recentsLimit = 2_000

    /// No rate limits.
    private static let configuration = """
        {
          limits: {
            maximumRecents: \(recentsLimit), messagesPerSecond: 1000000,
            callsToAccountPerSecond: 1000000, callsByAccountPerMinute: 1000000,
            causedMessagesPerSecond: 1000000, causedBytesPerSecond: 1073741824, maximumQueuedTextBytes: 268435456,
          },
        }
        """

    /// Runs the trial.
    static func run(_ options: TrialOptions) async throws(BenchmarkError) -> KillReport {
        guard options["--least"] <= options["--most"] else {
            throw BenchmarkError("--least is more than --most; let it be less")
        }
        say("seed \(options["--seed"])")
        var trial = try KillTrial(options)
        return try await trial.run()
    }

    private init(_ options: TrialOptions) throws(BenchmarkError) {
        self.options = options
        folder = try TrialFolder()
        let seed = UInt64(options["--seed"])
        random = SeededRandom(seed: seed)
        // One loader whose writes are large, and one whose writes are frequent.
        loaders = [
            KillDirectoryUser("loader", seed: seed, entries: options["--entries"]),
            KillDirectoryUser("quick loader", seed: seed, entries: options["--entries"] / 20),
        ]
        let pairs = (0..<options["--pairs"]).map {
            KillCallingPair(number: $0, seed: seed, recentsLimit: Self.recentsLimit)
        }
        users = pairs + [KillSettingsUser(seed: seed), KillRecentsUser(seed: seed)] + loaders
    }

    private mutating func run() async throws(BenchmarkError) -> KillReport {
        let began = monotonicNanoseconds()
        while record.kills < options["--times"], record.findings.count < Self.enough, record.failure == nil {
            await attempt { trial throws(BenchmarkError) in try await trial.round() }
            await show()
        }
        if record.failure == nil { await attempt { trial throws(BenchmarkError) in try await trial.end() } }
        var counts = KillCounts()
        for user in users { counts = counts + (await user.counts) }
        return KillReport(options, record, counts, seconds: Double(monotonicNanoseconds() - began) / 1e9)
    }

    /// Performs a part of the trial; an error ends the trial, since without a hub there is nothing more to check.
    private mutating func attempt(_ part: (inout KillTrial) async throws(BenchmarkError) -> Void) async {
        do throws(BenchmarkError) {
            try await part(&self)
        } catch {
            record.failure = "after kill \(record.kills): \(error)"
        }
    }

    // MARK: Hubs

    /// Starts a hub, checks, uses and kills it, and then perhaps kills some more while they start.
    private mutating func round() async throws(BenchmarkError) {
        let hub = try await start()
        let life = Task { [users] in await Self.each(users) { await $0.runLoad() } }
        let milliseconds = Int.random(in: options["--least"]...options["--most"], using: &random)
        let microseconds = Int.random(in: 0..<1_000, using: &random)
        try? await Task.sleep(for: .microseconds(milliseconds * 1_000 + microseconds))
        if hub.child.hasEnded { throw BenchmarkError("the hub has ended by itself\(hub.child.lastOutput)") }
        hub.child.end(SIGKILL)
        record.kills += 1
        for unexpectedError in await life.value { addFinding(unexpectedError) }
        noteWarnings(of: hub.child)
        while Int.random(in: 0..<100, using: &random) < options["--starts"] { try killStart() }
    }

    /// Kills a hub while it starts: while it reads the journal, writes its entries, or makes a new one.
    private mutating func killStart() throws(BenchmarkError) {
        let child = try TrialHub.begin(options, configuration: Self.configuration, in: folder)
        let usual = Int(median(record.startMilliseconds) * 1_000)
        usleep(UInt32(Int.random(in: 0...usual, using: &random)))
        child.end(SIGKILL)
        record.killedStarts += 1
        if child.printed.contains("listens on") { record.startsTooLate += 1 }
        noteWarnings(of: child)
    }

    /// Starts the next hub, signs everyone in, and compares.
    private mutating func start() async throws(BenchmarkError) -> TrialHub {
        let before = monotonicNanoseconds()
        let hub = try TrialHub(options, configuration: Self.configuration, folder: folder)
        record.startMilliseconds.append(Double(monotonicNanoseconds() - before) / 1e6)
        let url = "ws://127.0.0.1:\(hub.address.port)/v1"
        for user in users { try await user.signIn(to: url) }
        for fault in await audit(hub.child.id) { addFinding(fault) }
        if record.kills % Self.killsPerFullCheck == Self.killsPerFullCheck - 1 { try await checkWholeFile() }
        return hub
    }

    /// Returns everyone's findings; a hub that does not answer within 60 s is killed, so that this ends.
    private func audit(_ hub: CInt) async -> [String] {
        let impatience = Task {
            guard (try? await Task.sleep(for: .seconds(60))) != nil else { return }
            kill(hub, SIGKILL)
        }
        defer { impatience.cancel() }
        return await Self.each(users) { await $0.audit() }
    }

    /// Runs `body` for everyone in parallel, and returns all sentences.
    private static func each(
        _ users: [any KillTrialUser],
        _ body: @escaping @Sendable (any KillTrialUser) async -> [String]
    ) async -> [String] {
        await withTaskGroup(of: [String].self) { group in
            for user in users { group.addTask { await body(user) } }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// Starts and checks the last hub, and ends it with SIGTERM.
    private mutating func end() async throws(BenchmarkError) {
        let hub = try await start()
        try await checkWholeFile()
        hub.child.end(SIGTERM)
        noteWarnings(of: hub.child)
        let attributes = try? FileManager.default.attributesOfItem(atPath: folder("callhub.db"))
        record.databaseBytes = attributes?[.size] as? Int ?? 0
    }

    /// Checks the file with the program itself: a backup must succeed, and exports must have all directory entries.
    private mutating func checkWholeFile() async throws(BenchmarkError) {
        record.wholeLooks += 1
        try await run(["backup"], writing: folder("backup.db"))
        unlink(folder("backup.db"))
        let export = folder("export.json")
        for loader in loaders {
            try await run(["account", "export", loader.account], writing: export)
            defer { unlink(export) }
            guard let data = FileManager.default.contents(atPath: export),
                let directory = try? JSONDecoder().decode(DirectoryExport.self, from: data)
            else {
                addFinding("the export of the \(loader.account) cannot be read")
                continue
            }
            for fault in await loader.differences(from: directory) { addFinding(fault) }
        }
    }

    private mutating func run(_ words: [String], writing file: String) async throws(BenchmarkError) {
        let child = try ChildProcess(path: options.hub, arguments: words + [file, "--data", folder.path])
        if !child.succeeds() { addFinding("callhub \(words.joined(separator: " ")) failed: \(child.printed)") }
    }

    // MARK: Findings

    /// Records the hub's warnings and errors, which are all lines but the address that it listens on.
    private mutating func noteWarnings(of child: ChildProcess) {
        for line in child.printed.split(separator: "\n") where !line.contains("listens on") {
            addFinding("the hub logged: \(line)")
        }
    }

    private mutating func addFinding(_ text: String) {
        let finding = KillRecord.Finding(kill: record.kills, seed: options["--seed"], text: text)
        record.findings.append(finding)
        say("after kill \(finding.kill) of seed \(finding.seed): \(text)")
    }

    private func show() async {
        var counts = KillCounts()
        for user in users { counts = counts + (await user.counts) }
        let line =
            "\(record.kills) kills and \(record.killedStarts) of starts, \(counts.ended) calls ended, "
            + "\(counts.changes) changes, \(counts.loads + counts.steps) loads, \(record.findings.count) findings"
        if isatty(STDERR_FILENO) == 1 { Progress.show(line) } else if record.kills % 10 == 0 { say(line) }
    }

    /// The number of findings after which the trial ends.
    private static let enough = 20
    /// The number of kills between two checks of the whole file.
    ///
    /// More: the trial is over sooner; damage that no client sees is found later.
    private static let killsPerFullCheck = 10
}
