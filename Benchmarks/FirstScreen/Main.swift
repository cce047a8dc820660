import BenchmarkSupport

/// The first screen's benchmark: the time until the browser phone's sign-in page is painted, near and far from the hub.
@main
enum Main {
    /// Runs the benchmark and ends the process.
    static func main() {
        runBenchmark("callhub-bench-screen", measure)
    }

    private static func measure(_ options: Options, _ report: inout BenchmarkReport) throws(BenchmarkError) {
        var figures: [FirstScreen] = []
        for path in FirstScreen.Path.allCases {
            Progress.show("the first screen, \(path.rawValue)")
            figures += try FirstScreen.load(options.phone, path, rounds: options.rounds)
        }
        let heading = ["", "page", "path", "ms", "rounds, ms"]
        let lines = figures.enumerated().map { number, figure in
            let times = figure.milliseconds
            let range = "\(fixed(times.min() ?? 0, 0)) to \(fixed(times.max() ?? 0, 0))"
            return [String(number + 1), figure.page.rawValue, figure.path.rawValue, fixed(median(times), 0), range]
        }
        let checks = figures.filter { $0.page == .phone }.map { figure in
            Check(
                name: "\(figure.path.rawValue): ms",
                value: median(figure.milliseconds),
                limit: figure.path.limit
            )
        }
        report.add("firstScreen", figures, text: Table(lines: [heading] + lines).text, checks: checks)
    }
}
