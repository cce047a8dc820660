import BenchmarkSupport

/// The options of the command line.
struct Options: BenchmarkOptions {
    /// The folder of the phone.
    var phone = ".build/web-static"
    /// The number of loads over each path, 1 to 1000.
    var rounds = 7

    mutating func read(_ name: String, from words: inout ArgumentReader) throws(BenchmarkError) -> Bool {
        switch name {
        case "--phone": phone = try words.value()
        case "--rounds": rounds = try number(try words.value(), name, 1...1_000)
        default: return false
        }
        return true
    }

    /// The text that `--help` prints.
    static let help = """
        callhub-bench-screen: the time until Chromium shows the phone's first screen

          callhub-bench-screen
          callhub-bench-screen --phone web-static --rounds 3
          callhub-bench-screen --check --json screen.json

        --phone PATH    the folder of the phone                           .build/web-static
        --rounds N      loads over each path; the median counts           7
        --json PATH     writes all figures there as JSON; - is standard output, without the table
        --check         exit code 1 when a promise is not kept
        --help          this text

        Exit codes: 0 measured; 1 a promise was not kept (--check); 2 nothing was measured; 64 a wrong option.
        docs/performance.md says what each figure means.

        """
}
