import BenchmarkClient
import BenchmarkSupport
import Glibc

/// One measurement of one program, started afresh so that no other runs meanwhile.
struct Slice {
    /// The traffic's first second is not measured: connections, caches and the program's tables settle.
    private static let warmUpNanoseconds: UInt64 = 1_000_000_000
    /// The time in nanoseconds that the last packets have to arrive before they count as lost.
    private static let drainNanoseconds: UInt64 = 300_000_000
    /// The idle time in nanoseconds before the program's memory is read.
    private static let restNanoseconds: UInt64 = 300_000_000

    /// Packets that arrived in the measured time.
    var packets = 0
    /// The measured time.
    var nanoseconds: UInt64 = 0
    /// The program's CPU time within the measured time.
    var cpuNanoseconds: UInt64 = 0
    /// The program's CPU time by the coarse clock that separates user and kernel time.
    var modes: (user: UInt64, system: UInt64) = (0, 0)
    /// The generator's own CPU time.
    var generatorNanoseconds: UInt64 = 0
    /// The program's allocations within the measured time; nil if they could not be counted.
    var allocations: UInt64?
    /// RTCP packets and text messages that the program sent within the measured time.
    var otherMessages = 0
    /// One-way times of the packets.
    var latency = Samples()
    /// The delays with which the generator sent the packets.
    var lateness = Samples()
    /// The counts of the whole run, not only of the measured time.
    var counts = AudioRun.Counts()
    /// The version of TLS and the cipher; nil in clear.
    var encryption: String?
    /// The program's memory without clients, with all of them signed in, and at the end of the measured time.
    var residentBytes = (empty: 0, idle: 0, inCalls: 0)

    /// Starts the program, brings its clients into calls and measures.
    static func measure(_ subject: ProgramUnderTest, load: Load, seconds: Int) throws(BenchmarkError) -> Slice {
        let counter: AllocationCounts? =
            if let library = subject.counter { try AllocationCounts(library: library) } else { nil }
        let child = try subject.start(counter)
        defer { child.end(SIGKILL) }
        do {
            var slice = Slice()
            let figures = ProcessStatistics(id: child.id)
            let population = try slice.prepareCalls(subject, child, load.calls)
            var run = AudioRun(population, packetsPerSecond: load.packetsPerSecond, seconds: seconds)
            try run.run(nanoseconds: warmUpNanoseconds)

            let before = try slice.reading(figures, counter, run)
            run.isMeasuring = true
            try run.run(nanoseconds: UInt64(seconds) * 1_000_000_000)
            run.isMeasuring = false
            let after = try slice.reading(figures, counter, run)

            slice.residentBytes.inCalls = try figures.residentBytes()
            try run.drain(nanoseconds: drainNanoseconds)
            slice.take(before, after, run)
            return slice
        } catch {
            throw BenchmarkError("\(subject.name), \(load.calls) calls: \(error)\(child.lastOutput)")
        }
    }

    /// Connects the clients, reads the memory before and after, and sets the calls up.
    private mutating func prepareCalls(
        _ subject: ProgramUnderTest,
        _ child: ChildProcess,
        _ calls: Int
    ) throws(BenchmarkError) -> Population {
        let address = try child.waitForAddress()
        let figures = ProcessStatistics(id: child.id)
        usleep(UInt32(Self.restNanoseconds / 1000))
        residentBytes.empty = try figures.residentBytes()
        let population = try Population.connected(subject, calls: calls, to: address)
        try population.receive(until: monotonicNanoseconds() + Self.restNanoseconds) { _, _, _ in }
        residentBytes.idle = try figures.residentBytes()
        encryption = population.connections.first?.encryption
        try population.enterCalls(subject)
        return population
    }

    /// The figures read at the beginning and at the end of the measured time.
    private struct Reading {
        var time: UInt64
        var cpu: UInt64
        var modes: (user: UInt64, system: UInt64)
        var generator: UInt64
        var allocations: UInt64?
        var counts: AudioRun.Counts
    }

    private func reading(
        _ figures: ProcessStatistics,
        _ counter: AllocationCounts?,
        _ run: AudioRun
    ) throws(BenchmarkError) -> Reading {
        Reading(
            time: monotonicNanoseconds(),
            cpu: try figures.cpuNanoseconds(),
            modes: try figures.modeNanoseconds(),
            generator: try ProcessStatistics(id: 0).cpuNanoseconds(),
            allocations: counter?.allocations,
            counts: run.counts
        )
    }

    private mutating func take(_ before: Reading, _ after: Reading, _ run: AudioRun) {
        packets = after.counts.received - before.counts.received
        nanoseconds = after.time - before.time
        cpuNanoseconds = after.cpu - before.cpu
        modes = (after.modes.user - before.modes.user, after.modes.system - before.modes.system)
        generatorNanoseconds = after.generator - before.generator
        if let first = before.allocations, let last = after.allocations, first > 0 {
            allocations = last - first
        }
        otherMessages = after.counts.reports + after.counts.texts - before.counts.reports - before.counts.texts
        latency = run.latency
        lateness = run.lateness
        counts = run.counts
    }
}
