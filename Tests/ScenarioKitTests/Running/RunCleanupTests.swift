import Foundation
import HubClient
import HubTestSupport
import ScenarioKit
import Testing

/// The end of a run, which leaves no state on a hub that continues.
struct RunCleanupTests {
    private let process: RealHub
    private var hub: String { process.address.description }

    init() throws { process = try RealHub(starting: Program.path) }

    @Test(arguments: [
        "expect bob's A is held within 20 ms",
        "alice drops\nexpect bob's A is held within 20 ms",
        "bob freezes\nexpect bob's A is held within 20 ms",
        "bob is delayed by 300 ms\nalice drops\nexpect bob's A is ended within 20 ms",
        "bob leaves\nexpect alice's A is connected within 20 ms",
    ])
    func `after a failed run the hub has no session and no call of it`(_ end: String) async throws {
        let scenarioText = "patience 10 s\nalice calls bob as A\nbob: accept A\n\(end)"
        let verdict = try await ScenarioRunner.play(scenarioText, at: hub).verdict
        guard case .failed(let failure) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(failure.expected.contains("A is"))
        try await expectEmptyHub()
    }

    @Test func `a run whose task is cancelled fails, and signs out`() async throws {
        let scenarioText = "patience 600 s\nalice calls bob as A\nbob: accept A\nexpect bob's A is held"
        let play = try await ScenarioRunner.begin(scenarioText, at: hub)
        let waiting = Task { try await play.record.verdict }
        waiting.cancel()
        guard case .failed(let failure) = try await waiting.value else {
            Issue.record("it passed")
            return
        }
        #expect(failure.expected == "the run goes on" && failure.actual == "it was interrupted", "\(failure)")
        try await expectEmptyHub()
    }

    @Test func `a released play ends, with its sessions`() async throws {
        let scenarioText = "patience 600 s\nalice calls bob as A\nbob: accept A\nexpect bob's A is held"
        _ = try await ScenarioRunner.begin(scenarioText, at: hub)
        try await expectEmptyHub()
    }

    @Test func `a signal that ends the program first signs its parties out`() async throws {
        let folder = try TemporaryFolder()
        let scenarioText = "patience 600 s\nalice calls bob as A\nalice drops\nexpect bob's A is held"
        let file = try folder.write(scenarioText, to: "story.scenario")
        let program = try Program(["scenario", "run", file, "--hub", hub], in: folder)
        _ = try await program.line(with: "alice drops")
        program.send(signal: SIGINT)
        _ = await program.exitCode()
        try await expectEmptyHub()
    }

    /// Waits until no session is left, much shorter than the hub's grace period; then there are no calls either.
    private func expectEmptyHub() async throws {
        let deadline = ContinuousClock.now + .seconds(15)
        var sessions = 1.0
        while sessions > 0, ContinuousClock.now < deadline { sessions = try Self.sum("callhub_sessions", port: port) }
        #expect(sessions == 0)
        #expect(try Self.sum("callhub_calls", port: port) == 0)
    }

    private var port: Int { Int(process.address.port) }

    /// The sum over all labels of a metric.
    private static func sum(_ metric: String, port: Int) throws -> Double {
        let page = String(decoding: try HTTPReply.fetch("/metrics", port: port).body, as: UTF8.self)
        let lines = page.split(separator: "\n").filter { $0.hasPrefix(metric + " ") || $0.hasPrefix(metric + "{") }
        try #require(!lines.isEmpty)
        return lines.compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }.reduce(0, +)
    }
}
