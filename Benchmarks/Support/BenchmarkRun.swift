import Glibc

/// The options of a benchmark's command line.
package protocol BenchmarkOptions {
    /// The text of `--help`.
    static var help: String { get }
    /// Indicates that only the help was asked for.
    var wantsHelp: Bool { get }
    /// Reads the arguments, the program's name left out.
    init(_ arguments: [String]) throws(BenchmarkError)
}

/// Runs a benchmark with its command line, and ends the process.
///
/// Exit codes: the result of `run`; 2 if it fails; 64 for a wrong option; 0 for `--help`.
///
/// - Parameters:
///   - name: The program's name, which prefixes its messages on standard error.
///   - run: Measures and prints, and returns the exit code.
package func runBenchmark<Options: BenchmarkOptions>(
    _ name: String,
    _ run: (Options) throws(BenchmarkError) -> CInt
) -> Never {
    do throws(BenchmarkError) {
        let options = try Options(Array(CommandLine.arguments.dropFirst()))
        if options.wantsHelp {
            print(Options.help, terminator: "")
            exit(0)
        }
        do throws(BenchmarkError) {
            exit(try run(options))
        } catch {
            say("\(name): \(error)")
            exit(2)
        }
    } catch {
        say("\(name): \(error)")
        exit(64)
    }
}
