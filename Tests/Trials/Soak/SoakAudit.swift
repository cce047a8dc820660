import BenchmarkClient
import BenchmarkSupport
import HubClient
import HubTestSupport

/// Compares the clients' state and counts with the hub's while all clients rest.
struct SoakAudit {
    /// A difference from the expected state.
    struct Finding: Codable {
        /// The number of the rest in which it was found.
        var round: Int
        /// Seconds since the beginning.
        var seconds: Double
        /// A sentence that describes it.
        var text: String
    }

    /// The state of the hub's process at a rest.
    struct Rest: Codable {
        /// Seconds since the beginning.
        var seconds: Double
        var residentBytes: Int
        var openFiles: Int
        var calls: Int
        var sessions: Int
    }

    /// The seconds in which hub and clients must agree once all networks work: a ring timeout, a grace and a reserve.
    private static let settlingSeconds = 40

    private let hub: TrialHub
    private let devicePool: SoakDevicePool
    private let filesAtStart: Int
    private var round = 0
    private var now = 0.0

    /// All differences found.
    private(set) var faults: [Finding] = []
    /// The state at each rest.
    private(set) var rests: [Rest] = []
    /// The most resident memory seen under load.
    private(set) var peakBytes = 0
    /// The most calls seen at once.
    private(set) var mostCalls = 0
    /// The hub's CPU time.
    private(set) var cpuNanoseconds: UInt64 = 0
    /// This process's CPU time.
    private(set) var ownNanoseconds: UInt64 = 0
    /// The metrics read last.
    private(set) var metrics: HubMetrics

    /// An audit of a hub without sessions yet.
    init(_ hub: TrialHub, _ devicePool: SoakDevicePool) throws(BenchmarkError) {
        self.hub = hub
        self.devicePool = devicePool
        filesAtStart = try hub.openFiles()
        metrics = try hub.metrics()
    }

    /// Reads the hub's figures under load.
    mutating func sample() async throws(BenchmarkError) {
        peakBytes = max(peakBytes, try hub.statistics.residentBytes())
        metrics = try hub.metrics()
        mostCalls = max(mostCalls, metrics.sum("callhub_calls"))
        cpuNanoseconds = try hub.statistics.cpuNanoseconds()
        ownNanoseconds = try ProcessStatistics(id: 0).cpuNanoseconds()
    }

    /// Brings all clients to rest, and compares.
    mutating func rest(number: Int, after seconds: Double) async throws(BenchmarkError) {
        (round, now) = (number, seconds)
        for device in await devicePool.rest() { addFinding("\(device.name) did not come to rest") }
        try await waitForAgreement()
        try await compareCalls()
        compareCounts()
        try await countPackets()
        try await sample()
        rests.append(
            Rest(
                seconds: seconds,
                residentBytes: try hub.statistics.residentBytes(),
                openFiles: try hub.openFiles(),
                calls: metrics.sum("callhub_calls"),
                sessions: metrics["callhub_sessions"]
            )
        )
    }

    /// Ends all calls and sessions, and checks that the hub releases everything.
    mutating func finish(after seconds: Double) async throws(BenchmarkError) {
        now = seconds
        _ = await devicePool.rest()
        metrics = try hub.metrics()
        let (endsBefore, toldBefore) = (metrics.sum("callhub_call_ends_total"), devicePool.counters.counts.callsEnded)
        // A device with manual fulfilment sometimes fails to end a call, or does not answer: then it is asked again.
        for _ in 0..<Self.settlingSeconds {
            for device in devicePool.devices { await device.endCalls() }
            await pause(milliseconds: 500)
            metrics = try hub.metrics()
            if metrics["callhub_calls"] == 0 { break }
        }
        try await wait("all calls are over") { $0["callhub_calls"] == 0 && $0["callhub_conversations"] == 0 }
        let devicePool = devicePool
        let ended = metrics.sum("callhub_call_ends_total") - endsBefore
        try await wait("the clients are notified of \(ended) ends") { _ in
            devicePool.counters.counts.callsEnded - toldBefore == ended
        }
        for device in devicePool.devices { await device.leave() }
        try await wait("no session or connection is left") {
            $0["callhub_sessions"] == 0 && $0["callhub_connections"] == 0 && $0["callhub_sessions_lost"] == 0
        }
        // One descriptor is that of the reading itself.
        let files = filesAtStart + 1
        let hub = hub
        try await wait("no socket is left open") { _ in ((try? hub.openFiles()) ?? .max) <= files }
        devicePool.end()
        try await sample()
    }

    // MARK: Comparing

    /// Waits until the hub has each client's session, and all calls are settled.
    private mutating func waitForAgreement() async throws(BenchmarkError) {
        let devices = devicePool.devices
        var difference = ""
        for _ in 0..<(Self.settlingSeconds * 10) {
            metrics = try hub.metrics()
            difference = await Self.difference(metrics, devices)
            if difference.isEmpty { return }
            await pause(milliseconds: 100)
        }
        addFinding(difference)
    }

    private static func difference(_ metrics: HubMetrics, _ devices: [SoakDevice]) async -> String {
        var (signedIn, calls, unsettled) = (0, [CallSnapshot](), [String]())
        for device in devices {
            guard let client = await device.client else { continue }
            signedIn += 1
            calls += client.currentCalls
            unsettled += client.currentCalls.filter { $0.state != .connected && $0.state != .held }
                .map { "\(device.name)'s call \($0.uuid) is \($0.state)" }
        }
        let built = calls.count { ["echo", "tone", "music"].contains($0.remoteHandle.value) }
        let conversations = Double(built) + Double(calls.count - built) / 2
        var found: [String] = unsettled
        func hold(_ name: String, _ value: Double) {
            if Double(metrics.sum(name)) != value {
                found.append("\(name) is \(metrics.sum(name)), and the clients have \(value)")
            }
        }
        hold("callhub_connections", Double(signedIn))
        hold("callhub_sessions", Double(signedIn))
        hold("callhub_sessions_lost", 0)
        hold("callhub_calls", Double(calls.count))
        hold("callhub_conversations", conversations)
        return found.joined(separator: "; ")
    }

    /// Compares each client's calls, as its notifications left them, with those that the hub lists.
    private mutating func compareCalls() async throws(BenchmarkError) {
        for device in devicePool.devices {
            guard let client = await device.client else { continue }
            var listed: [CallSnapshot]?
            await device.ask("list") { () throws(HubClientError) in listed = try await client.calls() }
            let known = client.currentCalls
            if listed != known { addFinding("\(device.name) has \(known) and the hub lists \(listed ?? [])") }
        }
    }

    /// Compares the counts of the clients with the hub's, since the beginning.
    private mutating func compareCounts() {
        let counts = devicePool.counters.counts
        let connections = devicePool.devices.map { $0.link.counts.connections }.reduce(0, +)
        let opened = metrics["callhub_connections_opened_total"]
        if opened > connections { addFinding("the hub has counted \(opened) connections of \(connections)") }
        between("callhub_sessions_opened_total", counts.signIns, opened)
        between("callhub_resumes_total", counts.resumes, opened)
        let errors = metrics.sum("callhub_errors_total") - metrics["callhub_errors_total{code=\"440\"}"]
        if errors < counts.refusals || errors > counts.refusals + counts.unanswered {
            addFinding(
                "the hub has counted \(errors) errors, the clients \(counts.refusals) (\(counts.unanswered) unanswered)"
            )
        }
        if metrics["callhub_errors_total{code=\"440\"}"] < counts.resets {
            addFinding("there were more resets than 440s")
        }
        if metrics["callhub_audio_packets_received_total"] > counts.packetsSent {
            addFinding("more packets were received than sent")
        }
        if metrics.sum("callhub_call_ends_total") < counts.callsEnded {
            addFinding("more ends were notified than counted")
        }
        for (text, count) in [
            ("missed notifications", counts.missedNotifications), ("unreadable messages", counts.unexpectedMessages),
            ("packets of unannounced sources", counts.strays),
        ] where count > 0 { addFinding("\(count) \(text) so far: \(devicePool.counters.faultDescriptions.last ?? "")") }
        let violations = metrics["callhub_invariant_violations_total"]
        if violations > 0 { addFinding("\(violations) broken rules of the engine so far:\(hub.child.lastOutput)") }
    }

    private mutating func between(_ name: String, _ least: Int, _ most: Int) {
        if metrics[name] < least || metrics[name] > most {
            addFinding("\(name) is \(metrics[name]); it must be from \(least) to \(most)")
        }
    }

    /// Has all clients send for a second with nothing else going on: each packet must be in the counts, once.
    private mutating func countPackets() async throws(BenchmarkError) {
        await pause(milliseconds: 300)
        let (before, told) = (try hub.metrics(), devicePool.counters.counts)
        devicePool.audioSender.setSending(true)
        await pause(milliseconds: 1_000)
        devicePool.audioSender.setSending(false)
        let received = "callhub_audio_packets_received_total"
        let relayed = "callhub_audio_packets_relayed_total"
        let reasons = [
            "noSession", "staleSession", "malformed", "tooLarge", "late", "tooFast", "slowConsumer", "listenerLost",
        ]
        var difference = ""
        for _ in 0..<100 {
            await pause(milliseconds: 50)
            let (after, counts) = (try hub.metrics(), devicePool.counters.counts)
            let sent = counts.packetsSent - told.packetsSent
            let heard = counts.packetsHeard - told.packetsHeard
            let drops = reasons.filter { after.dropped($0) != before.dropped($0) }
            difference =
                "of \(sent) packets the hub received \(after[received] - before[received]), forwarded "
                + "\(after[relayed] - before[relayed]); \(heard) were received; dropped: \(drops)"
            if sent == after[received] - before[received], heard == after[relayed] - before[relayed], drops.isEmpty {
                return
            }
        }
        addFinding(difference)
    }

    private mutating func wait(
        _ what: String,
        for isMet: (HubMetrics) -> Bool
    ) async throws(BenchmarkError) {
        for _ in 0..<(Self.settlingSeconds * 10) {
            metrics = try hub.metrics()
            if isMet(metrics) { return }
            await pause(milliseconds: 100)
        }
        addFinding("timed out waiting until \(what); \(await Self.difference(metrics, devicePool.devices))")
    }

    private mutating func addFinding(_ text: String) {
        faults.append(Finding(round: round, seconds: now, text: text))
    }
}
