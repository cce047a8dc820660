import BenchmarkClient
import BenchmarkSupport
import Glibc

/// How often a program makes which system call for a relayed packet, at the very load that was measured.
///
/// In a run of its own: the counting is cheap, but no figure of CPU time is to hold it.
enum SystemCalls {
    private static let nanoseconds: UInt64 = 2_000_000_000

    /// Counts them over two seconds of traffic.
    static func measure(_ subject: Subject, _ load: Load) throws(BenchmarkError) -> [String: Double] {
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
