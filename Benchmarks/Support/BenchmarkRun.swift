import Glibc

/// The options of a benchmark's command line.
package protocol BenchmarkOptions {
    /// The text of `--help`.
    static var help: String { get }
    /// The path of the JSON report; "-" is standard output, in place of the tables; nil is none.
    var json: String? { get }
    /// Indicates that a missed threshold makes the exit code 1.
    var isChecking: Bool { get }
    /// Indicates that only the help was asked for.
    var wantsHelp: Bool { get }
    /// Reads the arguments, the program's name left out.
    init(_ arguments: [String]) throws(BenchmarkError)
}

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
        let options = try Options(Array(CommandLine.arguments.dropFirst()))
        if options.wantsHelp {
            print(Options.help, terminator: "")
            exit(0)
        }
        do throws(BenchmarkError) {
            var report = BenchmarkReport(name)
            try measure(options, &report)
            exit(try report.conclude(json: options.json, isChecking: options.isChecking))
        } catch {
            say("\(name): \(error)")
            exit(2)
        }
    } catch {
        say("\(name): \(error)")
        exit(64)
    }
}
