import BenchmarkClient
import BenchmarkSupport
import Glibc

/// One measurement of the hub with one number of loops, started afresh.
struct LoopSlice {
    private static let warmUpNanoseconds: UInt64 = 1_000_000_000
    private static let drainNanoseconds: UInt64 = 300_000_000

    /// Packets that arrived in the measured time.
    var packets = 0
    /// Packets sent that did not arrive.
    var lost = 0
    /// The measured time.
    var nanoseconds: UInt64 = 0
    /// CPU time of each of the hub's threads within the measured time, the busiest first.
    var threads: [UInt64] = []
    /// One-way times of the packets.
    var latency = Samples()

    /// Starts the hub with that many loops, brings its clients into calls and measures.
    static func measure(_ options: Options, loops: Int, calls: Int) throws(BenchmarkError) -> LoopSlice {
        let file = try HubSettings.file("server: { loops: \(loops) }")
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--log-level", "warning", "--config", file.path]
        let child = try ChildProcess(path: options.hub, arguments: arguments + options.hubArguments)
        defer { child.end(SIGKILL) }
        do {
            let address = try child.waitForAddress()
            let population = try Population(calls: calls, to: address, subprotocol: "callhub.v1") { _ in "/v1" }
            var setup = CallSetup(population)
            try setup.signIn()
            try setup.connect()
            var run = AudioRun(population, packetsPerSecond: options.rate, seconds: options.seconds)
            // A generator that never sleeps would take a core from the hub's loops.
            run.sleeps = true
            try run.run(nanoseconds: warmUpNanoseconds)
            return try measure(&run, ProcessStatistics(id: child.id), options)
        } catch {
            throw BenchmarkError("\(loops) loops, \(calls) calls: \(error)\(child.lastOutput)")
        }
    }

    private static func measure(
        _ run: inout AudioRun,
        _ figures: ProcessStatistics,
        _ options: Options
    ) throws(BenchmarkError) -> LoopSlice {
        var slice = LoopSlice()
        let ids = try figures.threads()
        let before = cpu(of: ids, figures)
        let (start, packets) = (monotonicNanoseconds(), run.counts.received)
        run.isMeasuring = true
        try run.run(nanoseconds: UInt64(options.seconds) * 1_000_000_000)
        run.isMeasuring = false
        slice.threads = zip(cpu(of: ids, figures), before).map { $0 > $1 ? $0 - $1 : 0 }.sorted(by: >)
        slice.nanoseconds = monotonicNanoseconds() - start
        slice.packets = run.counts.received - packets
        slice.latency = run.latency
        try run.drain(nanoseconds: drainNanoseconds)
        slice.lost = run.counts.sent - run.counts.received + run.counts.refused
        return slice
    }

    /// Returns the CPU time of each thread; 0 for one that has ended, as helper threads of the system do.
    private static func cpu(of threads: [CInt], _ figures: ProcessStatistics) -> [UInt64] {
        threads.map { (try? figures.cpuNanoseconds(ofThread: $0)) ?? 0 }
    }
}
