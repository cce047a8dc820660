import BenchmarkClient
import BenchmarkSupport

extension AbuseReport {
    /// The maximum time without audio at a listener, in milliseconds: a jitter buffer of 120 ms and a packet.
    private static let longestGap = 140.0
    /// The maximum growth of the p99 of the calls' latency under an attack, as a factor.
    private static let largestRatio = 1.5
    /// Microseconds that p99 may be in any case: half of a packet's 20 ms, a quarter of the jitter buffer's floor.
    ///
    /// Without an attack p99 is little more than the batching's one millisecond; half of that is less than what the
    /// attackers' process takes of the generator's core by itself.
    private static let unnoticedLatency = 10_000.0
    /// Megabytes by which the hub's memory may grow.
    private static let largestGrowth = 64.0
    /// Microseconds of the hub's CPU time for one hostile request.
    private static let largestCost = 1_000.0

    var checks: [Check] {
        [Check(name: "connections of the calls that were lost", value: failure == nil ? 0 : 1, limit: 0)]
            + rows.flatMap { checks(of: $0) }
    }

    private func checks(of row: Row) -> [Check] {
        let base = rows.first
        var checks = [
            Check(
                name: "packets lost or wrong, calls ended: \(row.attack)",
                value: Double(row.lost + row.wrong + row.ended),
                limit: 0
            ),
            Check(name: "longest gap in ms: \(row.attack)", value: row.gapOfHub, limit: Self.longestGap),
            Check(
                name: "p99 of the calls in us: \(row.attack)",
                value: row.latencyMicroseconds.p99,
                limit: max(Self.unnoticedLatency, Self.largestRatio * (base?.latencyMicroseconds.p99 ?? 0))
            ),
            Check(
                name: "MB more than without: \(row.attack)",
                value: Double(row.residentBytes - (base?.residentBytes ?? 0)) / 1_048_576,
                limit: Self.largestGrowth
            ),
        ]
        if !row.tallies.isEmpty {
            checks.append(Check(name: "wrong answers: \(row.attack)", value: Double(row.wrongOfHub), limit: 0))
        }
        // All attacks together may make the hub so busy that it refuses new sessions.
        if row.tallies.count == 1, let refused = row.legitimateSignInsRefused {
            checks.append(Check(name: "others' sign-ins refused: \(row.attack)", value: Double(refused), limit: 0))
        }
        if let cost = row.microsecondsPerRequest {
            checks.append(Check(name: "us of the hub a request: \(row.attack)", value: cost, limit: Self.largestCost))
        }
        return checks
    }
}
