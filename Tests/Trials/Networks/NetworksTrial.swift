import BenchmarkClient
import BenchmarkSupport
import Foundation

/// Two phones in a call through a hub, on two hosts with a slow, lossy, narrow or interrupted network between them.
struct NetworksTrial {
    private let options: TrialOptions
    private let hosts: TwoHosts
    private let hub: TrialHub
    private let folder: URL

    /// Runs the trial.
    static func run(_ options: TrialOptions) async throws(BenchmarkError) -> NetworksReport {
        let trial = try NetworksTrial(options)
        defer { try? FileManager.default.removeItem(at: trial.folder) }
        var rows: [NetworksReport.Row] = []
        for (number, condition) in NetworkCondition.all.enumerated() {
            Progress.show("\(condition.name) (\(number + 1) of \(NetworkCondition.all.count))")
            rows += try await trial.measure(condition, number: number)
        }
        return NetworksReport(rows)
    }

    private init(_ options: TrialOptions) throws(BenchmarkError) {
        hosts = try TwoHosts()
        var options = options
        options.hubArguments.append("--allow-open")
        self.options = options
        hub = try TrialHub(options, host: TwoHosts.hubAddress, prefix: hosts.on(TwoHosts.near))
        folder = FileManager.default.temporaryDirectory.appending(path: "callhub-networks-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw BenchmarkError("\(folder.path) cannot be made: \(error)")
        }
    }

    /// Makes one call, and returns a row for each direction.
    private func measure(
        _ condition: NetworkCondition,
        number: Int
    ) async throws(BenchmarkError) -> [NetworksReport.Row] {
        hosts.link.set(condition)
        let seconds = options["--seconds"] + (condition.outageSeconds > 0 ? condition.outageSeconds + 10 : 0)
        let far = try phone("far\(number)", on: TwoHosts.far, calls: "-", seed: 1, seconds)
        try await wait(for: far, toSay: "signed in")
        let near = try phone("near\(number)", on: TwoHosts.near, calls: "far\(number)", seed: 2, seconds)
        try await wait(for: near, toSay: "signed in")
        if condition.outageSeconds > 0 {
            await pause(milliseconds: 500 * options["--seconds"])
            hosts.link.setOut(true)
            await pause(milliseconds: 1_000 * condition.outageSeconds)
            hosts.link.setOut(false)
        }
        while !far.hasEnded || !near.hasEnded { await pause(milliseconds: 50) }
        let (spokenFar, spokenNear) = try (read(far, "far\(number)"), read(near, "near\(number)"))
        let counts = hosts.link.counts
        return [
            NetworksReport.Row(condition, "near to far", from: (spokenNear, 2), to: spokenFar, counts, seconds),
            NetworksReport.Row(condition, "far to near", from: (spokenFar, 1), to: spokenNear, counts, seconds),
        ]
    }

    private func phone(
        _ name: String,
        on host: String,
        calls: String,
        seed: Int,
        _ seconds: Int
    ) throws(BenchmarkError) -> ChildProcess {
        let words =
            hosts.on(host) + [
                options.program, "network-phone", name, "ws://\(TwoHosts.hubAddress):\(hub.address.port)/v1", calls,
                String(seed), String(seconds), folder.appending(path: name).path,
            ]
        return try ChildProcess(path: words[0], arguments: Array(words.dropFirst()))
    }

    private func wait(for phone: ChildProcess, toSay words: String) async throws(BenchmarkError) {
        for _ in 0..<1_000 {
            if phone.printed.contains(words) { return }
            if phone.hasEnded { throw BenchmarkError("a phone ended before its call:\(phone.lastOutput)") }
            await pause(milliseconds: 20)
        }
        throw BenchmarkError("a phone does not sign in:\(phone.lastOutput)\(hub.child.lastOutput)")
    }

    private func read(_ phone: ChildProcess, _ name: String) throws(BenchmarkError) -> NetworksReport.PhoneResult {
        let line = phone.printed.split(separator: "\n").last ?? ""
        do {
            let callFigures = try JSONDecoder().decode(NetworkPhone.PhoneCallStatistics.self, from: Data(line.utf8))
            let bytes = try Data(contentsOf: folder.appending(path: name))
            let samples = bytes.withUnsafeBytes { bytes in
                (0..<(bytes.count / 2)).map { bytes.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self) }
            }
            return NetworksReport.PhoneResult(callFigures: callFigures, heard: samples)
        } catch {
            throw BenchmarkError("\(name) did not print its result:\(phone.lastOutput)")
        }
    }
}
