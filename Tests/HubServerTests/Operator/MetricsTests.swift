import Foundation
import HubClient
import HubEngine
import HubTestSupport
import Testing

@testable import HubServer

@Suite struct MetricsTests {
    private static func page(_ hub: TestHub) throws -> ParsedMetricsPage {
        let reply = try HTTPReply.fetch("GET", "/metrics", port: hub.port)
        return try ParsedMetricsPage(String(decoding: reply.body, as: UTF8.self))
    }

    @Test func `the page is generated once per cache lifetime, and the next one is up to date`() throws {
        let lifetime = Duration.milliseconds(1)
        var cache = MetricsCache(lifetime: lifetime)
        let (page, start) = (HTTPResponse.text(200, "page"), Instant(nanoseconds: 5))
        let requestIDs = (1...3).map { HTTPRequestID(loop: 0, number: $0) }
        #expect(cache.request(requestIDs[0], at: start) == .collect)
        #expect(cache.request(requestIDs[1], at: start) == .waiting)
        #expect(cache.fill(page, at: start) == [requestIDs[0], requestIDs[1]])
        #expect(cache.request(requestIDs[2], at: start + .microseconds(999)) == .page(page))
        #expect(cache.request(requestIDs[2], at: start + lifetime) == .collect)
    }

    @Test(
        arguments: [
            ([], nil, "203.0.113.9", nil, true), (["10.0.0.0/8"], nil, "203.0.113.9", nil, false),
            (["10.0.0.0/8"], nil, "10.1.1.1", nil, true), ([], "secret", "10.1.1.1", nil, false),
            ([], "secret", "10.1.1.1", "secret", true), ([], "secret", "10.1.1.1", "secreT", false),
            ([], "secret", "10.1.1.1", "secretsecret", false),
            (["10.0.0.0/8"], "secret", "203.0.113.9", "secret", true),
        ] as [([String], String?, String, String?, Bool)]
    )
    func `the page may be restricted to addresses or a token`(
        ranges: [String],
        token: String?,
        address: String,
        bearer: String?,
        isOpen: Bool
    ) throws {
        var settings = MetricsSettings()
        settings.addresses = ranges.compactMap { AddressRange($0) }
        settings.token = token
        let request = HTTPRequest(path: "/metrics", address: try #require(IPAddress(address)), bearer: bearer)
        #expect(settings.isOpen(to: request) == isOpen)
    }

    @Test func `a page restricted to a token is refused without it, the health check is not`() throws {
        let hub = try TestHub { $0.metrics.token = "0123456789abcdef" }
        let authorization = "Authorization: Bearer 0123456789abcdef"
        #expect(try HTTPReply.fetch("/metrics", port: hub.port).status == 403)
        #expect(try HTTPReply.fetch("/metrics", port: hub.port, headers: [authorization]).status == 200)
        #expect(try HTTPReply.fetch("/metrics", port: hub.port, headers: [authorization + "0"]).status == 403)
        #expect(try HTTPReply.fetch("/healthz", port: hub.port).status == 200)
    }

    @Test func `the page has the Prometheus format, with its conventions for names and units`() async throws {
        let hub = try TestHub { $0.invariantCheckInterval = .milliseconds(1) }
        let alice = try await hub.phone("alice")
        _ = try await alice.client.start(.generic("echo"))
        let audio = try await alice.activation()
        try await alice.say((0..<30).map { [0x78, 1, 2, UInt8($0)] }, ssrc: audio.ssrc)
        // The hub has all of it before it is asked for its figures.
        try await alice.settle()
        // Something in each family with labels of its own: an error, an end.
        try await blocking {
            let stranger = try RawPhone(port: hub.port, account: "stranger")
            _ = try? stranger.ask("there.is.none")
        }
        let page = try Self.page(hub)
        #expect(page.families.count > 40)
        let empty = page.families.filter { $0.value.samples.isEmpty }.map(\.key).sorted()
        let noEnds = ["callhub_call_ends_total", "callhub_session_ends_total"]
        let noTLS = ["callhub_certificate_expiry_timestamp_seconds"]
        let noBackup = empty.filter { $0.hasPrefix("callhub_backup_") }
        #expect(empty == (noBackup + noEnds + noTLS).sorted(), "nothing has ended, and there is no TLS and no backup")
        #expect(page.value("callhub_calls", ["state": "connected"]) == 1)
        #expect(page.value("callhub_calls", ["state": "ringing"]) == 0)
        #expect(page.value("callhub_calls_started_total") == 1)
        #expect(page.value("callhub_calls_answered_total") == 1)
        #expect(page.value("callhub_errors_total", ["code": "-32601"]) == 1)
        #expect(try #require(page.value("callhub_invariant_checks_total")) > 0)
        #expect(page.value("callhub_invariant_violations_total") == 0)
        // A machine with more to do may let some wait for too long.
        let stale = page.value("callhub_audio_packets_dropped_total", ["reason": "slowConsumer"]) ?? 0
        let relayed = try #require(page.value("callhub_audio_packets_relayed_total"))
        let dropped = page.families["callhub_audio_packets_dropped_total"]?.samples ?? []
        #expect(relayed > 0 && relayed + stale == 30, "dropped: \(dropped.filter { $0.value > 0 })")
        #expect(page.value("callhub_audio_relayed_bytes_total") == 16 * relayed)
        let latency = try #require(page.families["callhub_relay_latency_seconds"]?.samples)
        #expect(latency.first { $0.name.hasSuffix("_count") }?.value == relayed, "each relayed packet once")
        #expect(try #require(latency.first { $0.name.hasSuffix("_sum") }?.value) > 0)
        #expect(page.value("callhub_loop_connections", ["loop": "0"]) == page.value("callhub_connections"))
    }

    @Test func `the process metrics match the process`() throws {
        let hub = try TestHub()
        let page = try Self.page(hub)
        #expect(try #require(page.value("process_resident_memory_bytes")) > 1_000_000)
        #expect(try #require(page.value("process_cpu_seconds_total")) > 0)
        #expect(try #require(page.value("process_open_fds")) > 5)
        #expect(try #require(page.value("process_max_fds")) >= #require(page.value("process_open_fds")))
        let age = Date().timeIntervalSince1970 - (try #require(page.value("process_start_time_seconds")))
        #expect((0..<86_400).contains(age), "this process was started \(age) s ago")
    }

    @Test func `ended calls are counted by reason and cause`() async throws {
        let hub = try TestHub()
        let alice = try await hub.phone("alice")
        _ = try await alice.client.start(.generic("nobody at all"))
        try await alice.call("has ended") { $0.hasEnded }
        let echo = try await alice.client.start(.generic("echo"))
        try await alice.call("is connected") { $0.state == .connected }
        try await alice.client.end(echo)
        try await alice.call("has ended") { $0.hasEnded }
        let page = try Self.page(hub)
        #expect(page.value("callhub_call_ends_total", ["reason": "failed", "cause": "unknownHandle"]) == 1)
        #expect(page.value("callhub_call_ends_total", ["reason": "local", "cause": "none"]) == 1)
        #expect(page.families["callhub_calls"]?.samples.allSatisfy { $0.value == 0 } == true)
        #expect(page.value("callhub_call_records_pending") == 0)
    }

    @Test func `the operator's manual lists every metric, and no other`() throws {
        // The store's are there where there is a store.
        var services = HubServices()
        services.accountData = SlowStore(isBlocked: false)
        let hub = try TestHub(services: services)
        let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/operations.md")
        let manual = try String(contentsOf: source, encoding: .utf8)
        let rows = manual.matches(of: /^\| `((?:callhub|process)_[a-z_]+)/.anchorsMatchLineEndings())
        let documented = Set(rows.map { String($0.1) })
        #expect(documented == Set(try Self.page(hub).families.keys))
    }
}

@Suite struct LatencyHistogramTests {
    @Test func `a duration is counted in the first bucket whose bound it does not exceed`() {
        for (index, bound) in LatencyHistogram.bounds.enumerated() {
            #expect(LatencyHistogram.bucket(of: bound) == index)
            #expect(LatencyHistogram.bucket(of: bound + 1) == index + 1)
        }
        #expect(LatencyHistogram.bucket(of: 0) == 0)
        #expect(LatencyHistogram.bucket(of: .max) == LatencyHistogram.bucketCount - 1)
        #expect(LatencyHistogram.bounds.count == LatencyHistogram.bucketCount - 1)
    }

    @Test func `the figures of several loops are summed`() {
        var one = LoopStatistics()
        one.transport.connections = 3
        one.transport.latency.observe(60_000)
        one.relay.drops[Int(DropReason.late.rawValue)] = 2
        one.load = LoadMeter.Load(busyShare: 0.2, longestIteration: .milliseconds(5))
        var other = one
        other.load.busyShare = 0.9
        let sum = LoopStatistics.sum(of: [one, other])
        #expect(sum.transport.connections == 6)
        #expect(sum.transport.latency.count == 2)
        #expect(sum.transport.latency.sum == 120_000)
        #expect(sum.relay.drops[Int(DropReason.late.rawValue)] == 4)
        #expect(sum.load == LoadMeter.Load(busyShare: 0.9, longestIteration: .milliseconds(5)))
    }
}
