import BenchmarkSupport
import FoundationEssentials
import Glibc

/// The engine's benchmark: standing calls, and the cost of calls beside them.
@main
enum Main {
    /// Runs the benchmark and ends the process.
    static func main() {
        runBenchmark("callhub-engine-bench", run)
    }

    /// Measures and prints, and returns the exit code.
    private static func run(_ options: Options) throws(BenchmarkError) -> CInt {
        var measurements = try measure(options)
        if options.isRaw {
            for place in measurements.indices {
                measurements[place].allocationsEach = measurements[place].slices.first?.allocationsEach
            }
            try write(measurements, text: "", to: "-")
            return 0
        }
        Progress.show("allocations")
        let counted = try AllocationCounter.measure(options)
        Progress.clear()
        for (place, measurement) in (counted ?? []).enumerated() where measurements.indices.contains(place) {
            measurements[place].allocationsEach = measurement.allocationsEach
        }
        let report = Report(measurements)
        try write(report, text: report.text, to: options.json)
        return !options.isChecking || report.checks.allSatisfy(\.isKept) ? 0 : 1
    }

    /// Measures all numbers of standing calls in turns, so that other work of the machine affects them alike.
    private static func measure(_ options: Options) throws(BenchmarkError) -> [Measurement] {
        var exchanges: [Exchange] = []
        for standing in options.standing {
            Progress.show("\(standing) calls are set up")
            exchanges.append(try Exchange(standing: standing))
        }
        var spans: [[[Operation: Span]]] = options.standing.map { _ in [] }
        for turn in 0..<options.slices {
            Progress.show("slice \(turn + 1) of \(options.slices)")
            for place in exchanges.indices {
                let nanoseconds = UInt64(options.milliseconds) * 1_000_000
                spans[place].append(try exchanges[place].slice(nanoseconds: nanoseconds))
            }
        }
        Progress.clear()
        return Operation.allCases.flatMap { operation in
            zip(options.standing, spans).map { standing, spans in
                Measurement(operation, standing: standing, spans.compactMap { $0[operation] })
            }
        }
    }
}
