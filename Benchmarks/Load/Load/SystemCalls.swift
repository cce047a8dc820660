import BenchmarkClient
import BenchmarkSupport
import Glibc

/// The system calls that a program makes for each relayed packet, at the same load as in the measurement.
///
/// They are counted in a run of their own: counting is cheap, but must not add to the figures of CPU time.
enum SystemCalls {
    private static let nanoseconds: UInt64 = 2_000_000_000

    /// Counts them over two seconds of traffic, and returns the calls a packet by name.
    static func measure(_ subject: ProgramUnderTest, _ load: Load) throws(BenchmarkError) -> [String: Double] {
        let child = try subject.start(nil)
        defer { child.end(SIGKILL) }
        let population = try Population.connected(subject, calls: load.calls, to: try child.waitForAddress())
        try population.enterCalls(subject)
        var run = AudioRun(population, packetsPerSecond: load.packetsPerSecond, seconds: 4)
        try run.run(nanoseconds: nanoseconds / 2)

        let counter = try SystemCallCounter(of: child.id)
        let packets = run.counts.received
        let before = counter.counts()
        try run.run(nanoseconds: nanoseconds)
        let after = counter.counts()
        let relayed = Double(max(run.counts.received - packets, 1))
        return after.merging(before) { $0 - $1 }.mapValues { Double($0) / relayed }
    }
}
