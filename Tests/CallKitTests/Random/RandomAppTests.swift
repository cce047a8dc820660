import Foundation
import Testing

/// Random runs of apps and phones with faults; `make random-apps` has a thousand.
///
/// `CALLKIT_SEED=7` runs one seed alone, as a failure names it.
struct RandomAppTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seeds: ClosedRange<UInt64> = {
        if let seed = environment["CALLKIT_SEED"].flatMap(UInt64.init) { return seed...seed }
        return 1...max(1, environment["CALLKIT_RUNS"].flatMap(UInt64.init) ?? 5)
    }()
    private static let stepCount = 40

    @Test func `random runs break no rule of callbacks, observers, calls and audio (CK-53, CK-64, CK-66, CK-69)`()
        async throws
    {
        for seed in Self.seeds {
            let steps = RandomRun.steps(seed: seed, count: Self.stepCount)
            let faults = try await RandomRun.faults(seed: seed, steps)
            guard let first = faults.first else { continue }
            let least = try await shrink(steps, seed)
            Issue.record("seed \(seed): \(first)\nthe least steps: \(least.map(\.description).joined(separator: "; "))")
            return
        }
    }

    /// Leaves out steps as long as some rule is still broken.
    private func shrink(_ steps: [RandomStep], _ seed: UInt64) async throws -> [RandomStep] {
        var (steps, length) = (steps, steps.count / 2)
        while length > 0 {
            var start = 0
            while start < steps.count {
                var fewer = steps
                fewer.removeSubrange(start..<min(start + length, steps.count))
                if try await RandomRun.faults(seed: seed, fewer).isEmpty { start += length } else { steps = fewer }
            }
            length /= 2
        }
        return steps
    }
}
