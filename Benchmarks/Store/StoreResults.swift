import BenchmarkSupport

/// The figures of all operations on the store.
struct StoreResults {
    /// The least number of calls stored in a second.
    private static let rateLimit = 10_000.0
    /// The most seconds for a directory of two million entries, in either direction.
    private static let directoryLimit = 5.0
    /// The most microseconds for a look-up.
    private static let lookUpLimit = 5.0

    /// The figures of one operation each.
    var measurements: [Measurement]

    /// The thresholds, each with the figure held against it.
    var checks: [Check] {
        measurements.compactMap { measurement in
            switch measurement.subject {
            case .callsKept:
                Check(name: measurement.name + ": a second", measurement.perSecond, atLeast: Self.rateLimit)
            case .directoryStored, .directoryRead:
                Check(name: measurement.name + ": seconds", value: measurement.seconds, limit: Self.directoryLimit)
            case .lookUp:
                Check(name: measurement.name + ": us", value: measurement.microsecondsEach, limit: Self.lookUpLimit)
            case .other: nil
            }
        }
    }

    /// The figures as a table.
    var table: Table {
        let heading = ["", "what", "us each", "a second", "rounds, ms"]
        let lines = measurements.enumerated().map { number, figures in
            let times = figures.rounds.map { $0 * 1_000 }
            return [
                String(number + 1), figures.name, fixed(figures.microsecondsEach, 2), fixed(figures.perSecond, 0),
                "\(fixed(times.min() ?? 0, 1)) to \(fixed(times.max() ?? 0, 1))",
            ]
        }
        return Table(lines: [heading] + lines)
    }
}

extension Check {
    /// A threshold of at least `limit`.
    fileprivate init(name: String, _ value: Double, atLeast limit: Double) {
        self.init(name: name, value: value, limit: limit, isLowest: true)
    }
}
