import BenchmarkClient
import BenchmarkSupport
import Glibc

/// One measurement of one server, started afresh.
struct VoiceSlice {
    private static let warmUpNanoseconds: UInt64 = 1_000_000_000
    private static let drainNanoseconds: UInt64 = 300_000_000

    /// Packets that arrived in the measured time.
    var packets = 0
    /// The measured time.
    var nanoseconds: UInt64 = 0
    /// The CPU time of all the server's threads within the measured time.
    var cpuNanoseconds: UInt64 = 0
    /// The counts of the whole run, not only of the measured time.
    var counts = AudioRun.Counts()
    /// One-way times of the packets.
    var latency = Samples()
    /// The delays with which the generator sent the packets.
    var lateness = Samples()
    /// The version of TLS and the cipher.
    var encryption = ""

    /// Measures Debian's mumble-server with that many pairs.
    static func mumble(
        _ options: Options,
        pairs: Int,
        _ certificate: Certificate
    ) throws(BenchmarkError) -> VoiceSlice {
        let server = try MumbleServer(path: options.mumble, users: 2 * pairs, certificate: certificate)
        do {
            let tls = try TLSClient()
            try server.waitUntilListening(tls)
            let users = try MumblePairs(pairs, at: server.address, tls: tls)
            var run = MumbleRun(users)
            try run.run(nanoseconds: warmUpNanoseconds)
            run.isMeasuring = true
            var slice = VoiceSlice()
            let before = run.counts.received
            try slice.measure(server.process) { () throws(BenchmarkError) in
                try run.run(nanoseconds: options.nanoseconds)
            }
            slice.packets = run.counts.received - before
            run.isMeasuring = false
            try run.drain(nanoseconds: drainNanoseconds)
            (slice.counts, slice.latency, slice.lateness) = (run.counts, run.latency, run.lateness)
            slice.encryption = users.clients.first?.encryption ?? ""
            return slice
        } catch {
            throw BenchmarkError("mumble-server, \(pairs) pairs: \(error)\(server.process.lastOutput)")
        }
    }

    /// Measures the hub with that many calls; without batching no packet waits for another.
    static func hub(
        _ options: Options,
        pairs: Int,
        batches: Bool,
        _ certificate: Certificate
    ) throws(BenchmarkError) -> VoiceSlice {
        let (pem, key) = (certificate.certificatePath, certificate.keyPath)
        let batching = batches ? "" : ", server: { batchMicroseconds: 0 }"
        let file = try HubSettings.file(#"tls: { certificate: "\#(pem)", key: "\#(key)" }\#(batching)"#)
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--config", file.path]
        let child = try ChildProcess(path: options.hub, arguments: arguments + options.hubArguments)
        defer { child.end(SIGKILL) }
        do {
            let address = try child.waitForAddress()
            let tls = try TLSClient()
            let clients = try Population(calls: pairs, to: address, subprotocol: "callhub.v1", tls: tls) { _ in "/v1" }
            var setup = CallSetup(clients)
            try setup.signIn()
            try setup.connect()
            var run = AudioRun(clients, seconds: options.seconds)
            try run.run(nanoseconds: warmUpNanoseconds)
            run.isMeasuring = true
            var slice = VoiceSlice()
            let before = run.counts.received
            try slice.measure(child) { () throws(BenchmarkError) in
                try run.run(nanoseconds: options.nanoseconds)
            }
            slice.packets = run.counts.received - before
            run.isMeasuring = false
            try run.drain(nanoseconds: drainNanoseconds)
            (slice.counts, slice.latency, slice.lateness) = (run.counts, run.latency, run.lateness)
            slice.encryption = clients.connections.first?.encryption ?? ""
            return slice
        } catch {
            throw BenchmarkError("callhub, \(pairs) pairs: \(error)\(child.lastOutput)")
        }
    }

    /// Measures the time, and the server's CPU time, that `run` takes.
    private mutating func measure(
        _ child: ChildProcess,
        _ run: () throws(BenchmarkError) -> Void
    ) throws(BenchmarkError) {
        let figures = ProcessStatistics(id: child.id)
        let (start, cpu) = (monotonicNanoseconds(), try figures.cpuNanoseconds())
        try run()
        cpuNanoseconds = try figures.cpuNanoseconds() - cpu
        nanoseconds = monotonicNanoseconds() - start
    }
}
