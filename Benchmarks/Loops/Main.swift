import BenchmarkClient
import BenchmarkSupport

/// The benchmark of loops: start, drive, measure, report.
@main
enum Main {
    /// The share of one loop's capacity that each further loop must add.
    private static let shareOfEachLoop = 0.7

    /// Runs the benchmark and ends the process.
    static func main() {
        ChildProcess.endAllOnInterrupt()
        runBenchmark("callhub-bench-loops", measure)
    }

    private static func measure(_ options: Options, _ report: inout BenchmarkReport) throws(BenchmarkError) {
        // One loop; all loops with the same calls, whose packets share a wakeup less often; all loops with as many
        // calls each.
        let settings = [
            (1, options.calls), (options.loops, options.calls), (options.loops, options.loops * options.calls),
        ]
        try allowOpenFiles(2 * options.loops * options.calls + 256)
        var slices = settings.map { _ in [LoopSlice]() }
        for turn in 0..<options.slices {
            for (index, setting) in settings.enumerated() {
                Progress.show("\(setting.0) loops, \(setting.1) calls, slice \(turn + 1) of \(options.slices)")
                slices[index].append(try LoopSlice.measure(options, loops: setting.0, calls: setting.1))
            }
        }
        let figures = zip(settings, slices).map { LoopResults(loops: $0.0, calls: $0.1, $1) }
        let checks = figures.dropFirst().suffix(1).map { line in
            Check(
                name: "\(line.loops) loops carry so many times what one carries",
                value: line.capacity / (figures.first?.capacity ?? 1),
                limit: 1 + Double(line.loops - 1) * shareOfEachLoop,
                isLowest: true
            )
        }
        report.add("loops", figures, text: LoopResults.table(figures).text, checks: Array(checks))
    }
}
