import BenchmarkSupport

/// The figures of every operation with every number of standing calls.
struct EngineResults {
    /// The limit of an operation's cost with the most standing calls, as a multiple of that with the fewest.
    private static let growthLimit = 1.5
    /// The least number of set-ups in a second of one core.
    private static let rateLimit = 100_000.0

    /// The figures of one operation with one number of standing calls each.
    var measurements: [Measurement]

    /// The thresholds, each with the figure held against it.
    var checks: [Check] {
        let promised = [Operation.transaction, .setUp, .call]
        let growth: [Check] = promised.compactMap { operation in
            let all = measurements.filter { $0.operation == operation }.sorted { $0.standing < $1.standing }
            guard let few = all.first, let many = all.last, few.standing < many.standing else { return nil }
            return Check(
                name: "\(operation.name): with \(many.standing) calls standing, as a multiple of with \(few.standing)",
                value: many.cpuMicrosecondsEach / few.cpuMicrosecondsEach,
                limit: Self.growthLimit
            )
        }
        let rates: [Check] = measurements.filter { $0.operation == .setUp }.map {
            Check(
                name: "\($0.operation.name): a second of one core, \($0.standing) calls standing",
                value: $0.perSecondOfOneCore,
                limit: Self.rateLimit,
                isLowest: true
            )
        }
        return growth + rates
    }

    /// The figures as a table.
    var table: Table {
        let heading = [
            "standing", "operation", "a second", "a second of one core", "CPU us each", "slices", "allocations each",
        ]
        let lines = measurements.map { figures in
            let times = figures.slices.map(\.cpuMicrosecondsEach)
            return [
                String(figures.standing), figures.operation.name, fixed(figures.perSecond, 0),
                fixed(figures.perSecondOfOneCore, 0), fixed(figures.cpuMicrosecondsEach, 2),
                "\(fixed(times.min() ?? 0, 2)) to \(fixed(times.max() ?? 0, 2))",
                figures.allocationsEach.map { fixed($0, 1) } ?? "?",
            ]
        }
        return Table(lines: [heading] + lines)
    }
}
