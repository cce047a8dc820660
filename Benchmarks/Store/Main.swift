import BenchmarkSupport

/// The store's benchmark: calls stored a second, and the cost of large directories and of look-ups.
@main
enum Main {
    /// Runs the benchmark and ends the process.
    static func main() {
        runBenchmark("callhub-bench-store", run)
    }

    /// Measures and prints, and returns the exit code.
    private static func run(_ options: Options) throws(BenchmarkError) -> CInt {
        let folder = try WorkFolder(in: options.folder)
        defer { folder.remove() }
        var measurements: [Measurement] = []
        Progress.show("\(options.calls) calls are kept")
        measurements += try RecentsBenchmark(folder, options).measure()
        Progress.show("\(options.entries) directory entries are stored")
        measurements += try DirectoryBenchmark(folder, options).measure()
        Progress.clear()
        let report = Report(measurements, options)
        try write(report, text: report.text, to: options.json)
        return !options.isChecking || report.checks.allSatisfy(\.isKept) ? 0 : 1
    }
}
