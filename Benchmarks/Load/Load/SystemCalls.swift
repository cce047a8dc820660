import BenchmarkClient
import BenchmarkSupport
import FoundationEssentials
import Glibc

/// How often a program makes which system call for a relayed packet, as strace counts them.
///
/// strace slows the program to a fraction of its pace, so this is a run of its own with few calls, whose times mean
/// nothing. With few calls each packet comes alone, so it also has a wait of its own; under load many share one.
enum SystemCalls {
    private static let seconds: UInt64 = 2
    /// Higher: the program under strace falls behind and reads several packets at once; lower: fewer are counted.
    private static let calls = 10

    /// Counts them over two seconds of traffic.
    static func measure(_ subject: Subject) throws(BenchmarkError) -> [String: Double] {
        let child = try subject.start(nil)
        defer { child.end(SIGKILL) }
        let population = try Population.connected(subject, calls: calls, to: try child.waitForAddress())
        try population.enterCalls(subject)
        var run = AudioRun(population, seconds: Int(seconds) + 2)
        try run.run(nanoseconds: 500_000_000)

        let strace = try ChildProcess(path: "/usr/bin/strace", arguments: ["-f", "-c", "-p", "\(child.id)"])
        defer { strace.end(SIGKILL) }
        try waitUntilTraced(child.id, &run)
        let before = run.counts.received
        try run.run(nanoseconds: seconds * 1_000_000_000)
        let packets = run.counts.received - before
        strace.end(SIGINT)
        return read(strace.printed).mapValues { Double($0) / Double(max(packets, 1)) }
    }

    /// Keeps the traffic up until strace has taken hold.
    private static func waitUntilTraced(_ id: pid_t, _ run: inout AudioRun) throws(BenchmarkError) {
        for _ in 0..<200 {
            let status = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
            if status.contains("TracerPid:") && !status.contains("TracerPid:\t0\n") {
                return
            }
            try run.run(nanoseconds: 10_000_000)
        }
        throw BenchmarkError("strace could not trace the program under test; has it the right to?")
    }

    /// Reads strace's table: share, seconds, microseconds a call, calls, perhaps errors, name.
    static func read(_ table: String) -> [String: Int] {
        var counts: [String: Int] = [:]
        for line in table.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count >= 5, let calls = Int(fields[3]), let name = fields.last, name != "total" else {
                continue
            }
            counts[String(name)] = calls
        }
        return counts
    }
}
