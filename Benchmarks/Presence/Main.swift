import BenchmarkSupport

/// The benchmark of people's presence.
@main
enum Main {
    /// The most that a hub of 10,000 accounts, each watched by 50, may spend at 100 changes a second.
    private static let shareLimit = 0.1

    /// Runs the benchmark and ends the process.
    static func main() {
        runBenchmark("callhub-bench-presence", measure)
    }

    private static func measure(_ options: Options, _ report: inout BenchmarkReport) throws(BenchmarkError) {
        Progress.show("\(options.accounts) accounts sign in")
        var workload = try PresenceWorkload(options)
        var slices: [PresenceSlice] = []
        for turn in 0..<options.slices {
            Progress.show("slice \(turn + 1) of \(options.slices)")
            slices.append(try workload.slice())
        }
        Progress.clear()
        let share = median(slices.map(\.cpuShare))
        let heading = ["changes a second", "notifications a second", "kB a second", "% of one core", "slices"]
        let seconds = Double(options.seconds)
        let line = [
            String(options.changes), fixed(median(slices.map { Double($0.notifications) / seconds }), 0),
            fixed(median(slices.map { Double($0.bytes) / seconds / 1_000 }), 0), fixed(share * 100, 2),
            "\(fixed((slices.map(\.cpuShare).min() ?? 0) * 100, 2)) to "
                + fixed((slices.map(\.cpuShare).max() ?? 0) * 100, 2),
        ]
        let check = Check(
            name: "share of one core with \(options.accounts) accounts, each watched by \(options.watched)",
            value: share,
            limit: Self.shareLimit
        )
        report.add("presence", slices, text: Table(lines: [heading, line]).text, checks: [check])
    }
}
