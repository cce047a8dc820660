import BenchmarkClient
import BenchmarkSupport
import Glibc

/// One measurement of the hub, started afresh, while pairs set calls up and end them as fast as possible.
struct SetupSlice: Codable {
    /// The time in nanoseconds that calls and caches have to settle.
    private static let warmUpNanoseconds: UInt64 = 1_000_000_000

    /// Calls set up and ended in the measured time.
    var calls = 0
    /// The measured time.
    var nanoseconds: UInt64 = 0
    /// The CPU time of all the hub's threads within the measured time.
    var cpuNanoseconds: UInt64 = 0
    /// Messages that the hub sent within the measured time.
    var messages = 0
    /// The hub's allocations within the measured time; nil if they could not be counted.
    var allocations: UInt64?

    /// Starts the hub, signs the pairs in and measures.
    static func measure(_ subject: ProgramUnderTest, pairs: Int, seconds: Int) throws(BenchmarkError) -> SetupSlice {
        let counter: AllocationCounts? =
            if let library = subject.counter { try AllocationCounts(library: library) } else { nil }
        let child = try subject.start(counter)
        defer { child.end(SIGKILL) }
        do {
            let address = try child.waitForAddress()
            let population = try Population(
                calls: pairs * CallSetupLoop.devices / 2,
                to: address,
                subprotocol: "callhub.v1",
                tls: subject.tls
            ) { _ in "/v1" }
            var cycle = CallSetupLoop(population)
            try cycle.signIn()
            try cycle.begin()
            try cycle.run(nanoseconds: warmUpNanoseconds)
            let slice = try measure(&cycle, ProcessStatistics(id: child.id), counter, seconds)
            try cycle.finish()
            return slice
        } catch {
            throw BenchmarkError("\(subject.name), \(pairs) pairs: \(error)\(child.lastOutput)")
        }
    }

    private static func measure(
        _ cycle: inout CallSetupLoop,
        _ figures: ProcessStatistics,
        _ counter: AllocationCounts?,
        _ seconds: Int
    ) throws(BenchmarkError) -> SetupSlice {
        let before = (cycle.completed, cycle.messages, counter?.allocations, try figures.cpuNanoseconds())
        let start = monotonicNanoseconds()
        try cycle.run(nanoseconds: UInt64(seconds) * 1_000_000_000)
        var slice = SetupSlice()
        slice.nanoseconds = monotonicNanoseconds() - start
        slice.cpuNanoseconds = try figures.cpuNanoseconds() - before.3
        slice.calls = cycle.completed - before.0
        slice.messages = cycle.messages - before.1
        if let first = before.2, let last = counter?.allocations, first > 0 { slice.allocations = last - first }
        return slice
    }
}
