import Foundation
import HubClient
import HubServer
import HubTestSupport

/// A hub on a free port of this machine, stopped when it is released.
final class TestHub: Sendable {
    let server: HubServer
    var port: Int { server.port }

    init(
        services: HubServices = HubServices(),
        stored: StoredState = StoredState(),
        _ configure: (inout HubSettings) -> Void = { _ in }
    ) throws {
        var settings = HubSettings()
        settings.transport.port = 0
        settings.log.level = .warning
        // A machine with more to do than this test must not ring out.
        settings.ringTimeout = .seconds(600)
        // Nor may it let packets grow stale where each of them is counted; tests of staleness set their own.
        settings.transport.staleAfter = .seconds(60)
        settings.transport.lateAfter = .seconds(60)
        // The whole suite can be run over several loops: nothing must show of it.
        settings.transport.loops = ProcessInfo.processInfo.environment["CALLHUB_TEST_LOOPS"].flatMap { Int($0) } ?? 1
        settings.metrics.cacheLife = .zero
        // Tests are faster than people; those of the limits set their own.
        settings.messagesPerSecond = 100_000
        settings.callsByAccountPerMinute = 100_000
        configure(&settings)
        server = try HubServer.start(settings, services: services, stored: stored)
    }

    deinit {
        server.stop()
        // Its thread must not outlive the test, to be taken down while others are measured.
        server.waitUntilStopped()
    }

    /// Signs a phone in.
    func phone(_ account: String, configure: (inout ClientOptions) -> Void = { _ in }) async throws -> TestPhone {
        try await TestPhone.connect(port: port, account, configure: configure)
    }

    /// A number of the hub's metrics, by its name with its labels; without them, the sum over all labels.
    func metric(_ name: String) throws -> Int {
        try metrics().reduce(0) { $1.key == name || $1.key.hasPrefix(name + "{") ? $0 + $1.value : $0 }
    }

    /// All numbers of the hub's metrics, as they were at one moment.
    func metrics() throws -> [String: Int] {
        let page = try HTTPReply.fetch("GET", "/metrics", port: port).body
        var numbers: [String: Int] = [:]
        for line in String(decoding: page, as: UTF8.self).split(separator: "\n") where !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            if words.count == 2, let number = Int(words[1]) { numbers[String(words[0])] = number }
        }
        return numbers
    }

    /// Returns the number of audio packets dropped for a reason.
    func dropped(_ reason: String) throws -> Int {
        try metric("callhub_audio_packets_dropped_total{reason=\"\(reason)\"}")
    }

    /// Returns the number of audio packets dropped for a reason, after a wait until there are as many as expected.
    ///
    /// With several loops a packet is dropped on its listener's loop, which the sender's replies do not wait for.
    func dropped(_ reason: String, reaching count: Int) throws -> Int {
        let deadline = Deadline(seconds: 20)
        while true {
            let dropped = try dropped(reason)
            if dropped >= count || deadline.isOver { return dropped }
        }
    }

    /// Waits until the value of one of the hub's metrics meets a condition.
    func wait(for name: String, toBe fits: (Int) -> Bool, seconds: Double = 20) throws {
        let deadline = Deadline(seconds: seconds)
        while true {
            let value = try metric(name)
            if fits(value) { return }
            guard !deadline.isOver else { throw MetricError(description: "\(name) is \(value) after \(seconds) s") }
            usleep(2_000)
        }
    }

    private struct MetricError: Error, CustomStringConvertible {
        let description: String
    }
}
