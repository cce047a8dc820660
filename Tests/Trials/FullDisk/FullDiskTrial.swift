import BenchmarkClient
import BenchmarkSupport
import FoundationEssentials
import Glibc
import HubCrypto
import HubTestSupport

/// A hub whose disk fills while it runs, has room again, and is full while the hub is killed and restarted.
struct FullDiskTrial {
    /// The stretches in which a hub may be without a journal.
    ///
    /// It had no room for one at its start; it checks for room once a second, so that the first calls with room may
    /// still be without.
    static let withoutJournal = [startedFull, roomAtLast]

    private static let startedFull = "started on the full disk"
    private static let roomAtLast = "room at last"

    private let options: TrialOptions
    private let disk: SmallDisk
    private var hub: TrialHub
    private var phones: FullDiskPhones
    /// The calls of each account so far.
    private var calls = 0
    private var acknowledged = AcknowledgedAccountData()
    private var number = 0
    private var stretches: [FullDiskReport.Stretch] = []

    /// Runs the trial.
    static func run(_ options: TrialOptions) async throws(BenchmarkError) -> FullDiskReport {
        do {
            var trial = try await FullDiskTrial(options)
            let failure = await trial.runStretches()
            return FullDiskReport(options, trial.stretches, failure: failure)
        } catch let error as BenchmarkError {
            throw error
        } catch {
            throw BenchmarkError("\(error)")
        }
    }

    private init(_ options: TrialOptions) async throws {
        self.options = options
        disk = try SmallDisk(megabytes: options["--megabytes"])
        // Created where SQLite finds it, then copied: SQLite resolves the path into the namespace back to one outside
        // it.
        let fresh = disk.folder.path + "/callhub.db"
        guard let cost = PasswordCost(megabytes: 8, passes: 1) else { throw BenchmarkError("no cost of a password") }
        try TrialAccounts.make(FullDiskPhones.accounts, cost: cost, at: fresh)
        try FileManager.default.copyItem(atPath: fresh, toPath: disk.outside("callhub.db"))
        hub = try Self.start(options, disk)
        phones = try await FullDiskPhones(port: Int(hub.address.port))
    }

    private static func start(_ options: TrialOptions, _ disk: SmallDisk) throws(BenchmarkError) -> TrialHub {
        try TrialHub(
            options,
            configuration: """
                {
                  auth: {mode: "accounts", passwordMegabytes: 8, passwordPasses: 1},
                  storage: {path: "\(disk.path)/callhub.db"},
                  limits: {
                    messagesPerSecond: 1000000, callsToAccountPerSecond: 1000000, callsByAccountPerMinute: 1000000,
                    causedMessagesPerSecond: 1000000, causedBytesPerSecond: 1073741824,
                    maximumQueuedTextBytes: 268435456,
                  },
                }
                """,
            prefix: disk.namespacePrefix
        )
    }

    /// Runs all stretches, and returns the error that ended them early, or nil.
    private mutating func runStretches() async -> String? {
        var name = ""
        do {
            name = "room"
            try await measure(name, isFull: false)
            name = "full"
            try await fill()
            try await measure(name, isFull: true)
            name = "room again"
            disk.makeRoom()
            try await measure(name, isFull: false)
            // Calls that could not be written, a hub that is killed, and a disk that has room when the next hub starts.
            name = "full, then killed"
            try await fill()
            try await measure(name, isFull: true)
            name = "started with room"
            try await restartHub(makingRoom: true)
            try await measure(name, isFull: false)
            name = "full once more"
            try await fill()
            try await measure(name, isFull: true)
            name = Self.startedFull
            try await restartHub(makingRoom: false)
            try await measure(name, isFull: true, seesAllRecents: false)
            name = Self.roomAtLast
            disk.makeRoom()
            try await measure(name, isFull: false, seesAllRecents: false)
            // The hub has a journal again, without a restart.
            name = "full for the last time"
            try await fill()
            try await measure(name, isFull: true, seesAllRecents: false)
            name = "started anew"
            try await restartHub(makingRoom: true)
            try await measure(name, isFull: false)
            return nil
        } catch {
            return "\(name): \(error)\(hub.child.lastOutput)"
        }
    }

    private mutating func restartHub(makingRoom: Bool) async throws {
        await phones.close()
        hub.child.end(SIGKILL)
        if makingRoom { disk.makeRoom() }
        hub = try Self.start(options, disk)
        phones = try await FullDiskPhones(port: Int(hub.address.port))
    }

    /// Fills the disk, including the free space inside the database, until the hub refuses to store anything.
    private mutating func fill() async throws {
        var refused = 0
        for _ in 0..<1_900 where refused < 3 {
            if refused == 0 { try disk.fill() }
            if try await put() == .done { refused = 0 } else { refused += 1 }
        }
        guard refused >= 3 else { throw BenchmarkError("the disk does not become full") }
    }

    private mutating func put() async throws -> FullDiskPhones.Answer {
        number += 1
        let answer = try await phones.put(contact: "c\(number)")
        if answer == .done { acknowledged.contacts.insert("c\(number)") }
        return answer
    }

    // MARK: A stretch

    /// Measures calls, a sign-in and stored data while the disk is in one state.
    private mutating func measure(_ name: String, isFull: Bool, seesAllRecents: Bool = true) async throws {
        Progress.show(name)
        var stretch = FullDiskReport.Stretch(name: name, isFull: isFull)
        let before = try await metrics()
        if !isFull { stretch.secondsUntilWritten = try await waitUntilWritten() }
        for _ in 0..<options["--calls"] {
            let call = try await phones.call()
            calls += 1
            stretch.setUpMilliseconds.append(Double(call.setUpNanoseconds) / 1e6)
            stretch.packetsHeard += call.heard
        }
        for _ in 0..<5 { try await ask(&stretch) }
        let began = monotonicNanoseconds()
        try await phones.signInThirdAccount()
        stretch.signInMilliseconds = Double(monotonicNanoseconds() - began) / 1e6
        if seesAllRecents { try await compareRecents(&stretch) }
        let after = try await metrics()
        stretch.failures = after.sum("callhub_store_failures_total") - before.sum("callhub_store_failures_total")
        stretch.isFullCounted = after["callhub_store_failures_total{reason=\"full\"}"] > 0
        stretch.waiting = after["callhub_store_waiting"]
        stretch.lost = after["callhub_store_calls_lost_total"]
        let unjournaled = "callhub_store_calls_unjournaled_total"
        stretch.unjournaled = after[unjournaled] - before[unjournaled]
        if !isFull, seesAllRecents { stretch.wrongInFile = try await compareExports() }
        stretches.append(stretch)
    }

    /// Sends three requests to store data, and records those that the hub acknowledges.
    private mutating func ask(_ stretch: inout FullDiskReport.Stretch) async throws {
        stretch.note(try await put())
        let block = try await phones.block("49\(number)")
        if block == .done { acknowledged.blocked.insert("49\(number)") }
        stretch.note(block)
        let name = try await phones.show(name: "Alice \(number)")
        if name == .done { acknowledged.name = "Alice \(number)" }
        stretch.note(name)
    }

    /// Reads the metrics as they are now: the hub makes its page once a second.
    private func metrics() async throws -> HubMetrics {
        await pause(milliseconds: 1_050)
        return try hub.metrics()
    }

    /// Waits at most 10 s until no entries wait for the disk, and returns the time in seconds.
    private func waitUntilWritten() async throws -> Double {
        let began = monotonicNanoseconds()
        while try await metrics()["callhub_store_waiting"] > 0 {
            guard monotonicNanoseconds() - began < 10_000_000_000 else { break }
        }
        return Double(monotonicNanoseconds() - began) / 1e9
    }

    private func compareRecents(_ stretch: inout FullDiskReport.Stretch) async throws {
        for phone in [phones.alice, phones.bob] {
            let found = try await phones.recents(of: phone)
            stretch.missingRecents += abs(calls - found.count) + found.count - Set(found).count
        }
    }

    /// Exports the accounts with `callhub account export`, and returns the number of unexpected or missing entries.
    private func compareExports() async throws -> Int {
        _ = try await waitUntilWritten()
        var wrong = 0
        for account in ["alice", "bob"] {
            let file = disk.folder.path + "/\(account).json"
            unlink(file)
            let place = ["--store", disk.path + "/callhub.db"]
            let words = disk.namespacePrefix + [options.hub, "account", "export", account, file] + place
            let command = try ChildProcess(path: words[0], arguments: Array(words.dropFirst()))
            while !command.hasEnded { await pause(milliseconds: 5) }
            guard let data = FileManager.default.contents(atPath: file) else {
                throw BenchmarkError("the export of the stored data failed:\(command.lastOutput)")
            }
            let found = try JSONDecoder().decode(AcknowledgedAccountData.File.self, from: data)
            wrong += abs(calls - found.recents.count)
            if account == "alice" { wrong += acknowledged.differences(from: found) }
        }
        return wrong
    }
}
