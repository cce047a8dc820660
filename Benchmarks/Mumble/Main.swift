import BenchmarkClient
import BenchmarkSupport
import Glibc

/// The benchmark beside mumble-server: start, drive, measure, report.
@main
enum Main {
    /// The results of a run.
    private struct Report: Codable {
        var figures: [VoiceFigures]
        var checks: [Check]
    }

    /// Runs the benchmark and ends the process.
    static func main() {
        ChildProcess.endAllOnInterrupt()
        runBenchmark("callhub-bench-mumble", run)
    }

    private static func run(_ options: Options) throws(BenchmarkError) -> CInt {
        try allowOpenFiles(2 * (options.pairs.max() ?? 0) + 256)
        let certificate = try Certificate()
        var report = Report(figures: [], checks: [])
        for pairs in options.pairs {
            var (hub, unbatched, mumble) = ([VoiceSlice](), [VoiceSlice](), [VoiceSlice]())
            for turn in 0..<options.slices {
                Progress.show("\(pairs) pairs, slice \(turn + 1) of \(options.slices)")
                hub.append(try VoiceSlice.hub(options, pairs: pairs, batches: true, certificate))
                unbatched.append(try VoiceSlice.hub(options, pairs: pairs, batches: false, certificate))
                mumble.append(try VoiceSlice.mumble(options, pairs: pairs, certificate))
            }
            let figures = VoiceFigures("callhub", pairs: pairs, hub)
            let other = VoiceFigures("mumble-server", pairs: pairs, mumble)
            report.figures += [figures, VoiceFigures("callhub-unbatched", pairs: pairs, unbatched), other]
            report.checks += figures.checks(beside: other)
        }
        Progress.clear()
        let text = VoiceFigures.table(report.figures).text + "\n" + report.checks.map(\.line).joined()
        try write(report, text: text, to: options.json)
        guard options.isChecking else { return 0 }
        return !report.figures.allSatisfy(\.keptPace) ? 2 : report.checks.allSatisfy(\.isKept) ? 0 : 1
    }
}
