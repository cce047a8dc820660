import BenchmarkSupport

/// The store's benchmark: calls stored a second, and the cost of large directories and of look-ups.
@main
enum Main {
    /// Runs the benchmark and ends the process.
    static func main() {
        runBenchmark("callhub-bench-store", measure)
    }

    private static func measure(_ options: Options, _ report: inout BenchmarkReport) throws(BenchmarkError) {
        let folder = try WorkFolder(in: options.folder)
        defer { folder.remove() }
        var measurements: [Measurement] = []
        Progress.show("\(options.calls) calls are kept")
        measurements += try RecentsBenchmark(folder, options).measure()
        Progress.show("\(options.entries) directory entries are stored")
        measurements += try DirectoryBenchmark(folder, options).measure()
        let figures = StoreResults(measurements: measurements)
        report.add("operations", measurements, text: figures.table.text, checks: figures.checks)
    }
}
