import BenchmarkSupport

/// The engine's benchmark: standing calls, and the cost of calls beside them.
@main
enum Main {
    /// Runs the benchmark and ends the process.
    static func main() {
        runBenchmark("callhub-engine-bench", measure)
    }

    private static func measure(_ options: Options, _ report: inout BenchmarkReport) throws(BenchmarkError) {
        var measurements = try measure(options)
        if options.isRaw {
            for place in measurements.indices {
                measurements[place].allocationsEach = measurements[place].slices.first?.allocationsEach
            }
            report.add(AllocationCounter.figures, measurements, text: "")
            return
        }
        Progress.show("allocations")
        let counted = try AllocationCounter.measure(options)
        Progress.clear()
        for (place, measurement) in (counted ?? []).enumerated() where measurements.indices.contains(place) {
            measurements[place].allocationsEach = measurement.allocationsEach
        }
        let figures = EngineResults(measurements: measurements)
        report.add(AllocationCounter.figures, measurements, text: figures.table.text, checks: figures.checks)
    }

    /// Measures all numbers of standing calls in turns, so that other work of the machine affects them alike.
    private static func measure(_ options: Options) throws(BenchmarkError) -> [Measurement] {
        var exchanges: [EngineWorkload] = []
        for standing in options.standing {
            Progress.show("\(standing) calls are set up")
            exchanges.append(try EngineWorkload(standing: standing))
        }
        var spans: [[[Operation: RepetitionCost]]] = options.standing.map { _ in [] }
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
