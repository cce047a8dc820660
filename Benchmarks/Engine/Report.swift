import BenchmarkSupport
import FoundationEssentials

/// All that a run of the benchmark found out.
struct Report: Codable {
    /// What one more call beside may cost, from the fewest to the most of them.
    private static let growthLimit = 1.5
    /// Set-ups a second of one core.
    private static let rateLimit = 100_000.0

    /// When it was measured.
    var date = Date()
    /// Every operation with every number of calls standing.
    var measurements: [Measurement]
    /// The promises.
    var checks: [Check]

    /// The report on what was measured.
    init(_ measurements: [Measurement]) {
        self.measurements = measurements
        let promised = [Operation.transaction, .setUp, .call]
        checks = promised.compactMap { operation in
            let all = measurements.filter { $0.operation == operation }.sorted { $0.standing < $1.standing }
            guard let few = all.first, let many = all.last, few.standing < many.standing else { return nil }
            return Check(
                name: "\(operation.name): with \(many.standing) calls standing, as a multiple of with \(few.standing)",
                value: many.cpuMicrosecondsEach / few.cpuMicrosecondsEach,
                limit: Self.growthLimit
            )
        }
        checks += measurements.filter { $0.operation == .setUp }.map {
            Check(
                name: "\($0.operation.name): a second of one core, \($0.standing) calls standing",
                value: $0.perSecondOfOneCore,
                limit: Self.rateLimit,
                isLowest: true
            )
        }
    }

    /// The report as a table, with the promises below.
    var text: String {
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
        return Table(lines: [heading] + lines).text + "\n" + checks.map(\.line).joined()
    }
}
