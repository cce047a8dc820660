import Glibc

/// Runs a benchmark with its command line, and ends the process.
///
/// Exit codes: 0 measured, or `--help`; with `--check`, 1 a threshold is missed; 2 nothing was measured, or, with
/// `--check`, the figures are not valid; 64 a wrong option.
///
/// - Parameters:
///   - name: The program's name, which prefixes its messages on standard error.
///   - measure: Adds the figures to the report.
package func runBenchmark<Options: BenchmarkOptions>(
    _ name: String,
    _ measure: (Options, inout BenchmarkReport) throws(BenchmarkError) -> Void
) -> Never {
    do throws(BenchmarkError) {
        let line = try BenchmarkCommandLine<Options>(Array(CommandLine.arguments.dropFirst()))
        if line.wantsHelp {
            print(Options.help, terminator: "")
            exit(0)
        }
        do throws(BenchmarkError) {
            var report = BenchmarkReport(name)
            try measure(line.options, &report)
            exit(try report.conclude(json: line.json, isChecking: line.isChecking))
        } catch {
            say("\(name): \(error)")
            exit(2)
        }
    } catch {
        say("\(name): \(error)")
        exit(64)
    }
}
