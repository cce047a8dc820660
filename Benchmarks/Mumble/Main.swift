import BenchmarkClient
import BenchmarkSupport

/// The benchmark beside mumble-server: start, drive, measure, report.
@main
enum Main {
    /// Runs the benchmark and ends the process.
    static func main() {
        ChildProcess.endAllOnInterrupt()
        runBenchmark("callhub-bench-mumble", measure)
    }

    private static func measure(_ options: Options, _ report: inout BenchmarkReport) throws(BenchmarkError) {
        try allowOpenFiles(2 * (options.pairs.max() ?? 0) + 256)
        let certificate = try Certificate()
        var (all, checks) = ([VoiceResults](), [Check]())
        for pairs in options.pairs {
            var (hub, unbatched, mumble) = ([VoiceSlice](), [VoiceSlice](), [VoiceSlice]())
            for turn in 0..<options.slices {
                Progress.show("\(pairs) pairs, slice \(turn + 1) of \(options.slices)")
                hub.append(try VoiceSlice.hub(options, pairs: pairs, batches: true, certificate))
                unbatched.append(try VoiceSlice.hub(options, pairs: pairs, batches: false, certificate))
                mumble.append(try VoiceSlice.mumble(options, pairs: pairs, certificate))
            }
            let figures = VoiceResults("callhub", pairs: pairs, hub)
            let other = VoiceResults("mumble-server", pairs: pairs, mumble)
            all += [figures, VoiceResults("callhub-unbatched", pairs: pairs, unbatched), other]
            checks += figures.checks(beside: other)
        }
        report.add("voice", all, text: VoiceResults.table(all).text, checks: checks)
        if !all.allSatisfy(\.keptPace) { report.doubt("the generator did not keep pace where the table says NO") }
    }
}
