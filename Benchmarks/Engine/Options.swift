import BenchmarkSupport

/// The options of the command line.
struct Options: BenchmarkOptions {
    /// The numbers of standing calls, 10 to 1,000,000, one column each.
    var standing = [10, 1000, 100_000]
    /// The number of slices of each, in turns, 1 to 1000.
    var slices = 15
    /// The time in milliseconds for which each operation of a slice is repeated, 1 to 60,000.
    var milliseconds = 100
    /// Indicates that allocations are counted in this process: the benchmark runs itself so.
    var isRaw = false

    mutating func read(_ name: String, from words: inout ArgumentReader) throws(BenchmarkError) -> Bool {
        switch name {
        case "--standing": standing = try numbers(try words.value(), name, 10...1_000_000)
        case "--slices": slices = try number(try words.value(), name, 1...1000)
        case "--milliseconds": milliseconds = try number(try words.value(), name, 1...60_000)
        case "--raw": isRaw = true
        default: return false
        }
        return true
    }

    /// The text that `--help` prints.
    static let help = """
        callhub-engine-bench: what a call costs the engine alone, with few and many calls standing beside

        Each account has two devices: a call is started, rings on both, is answered on one, the other is
        told so, and the caller hangs up.

          callhub-engine-bench
          callhub-engine-bench --standing 10,1000 --slices 3
          callhub-engine-bench --check --json engine.json

        --standing N,N,...   calls that stand beside, at least 10      10,1000,100000
        --slices N           slices of each, in turns                  15
        --milliseconds N     how long each operation of a slice runs   100
        --json PATH          writes all figures there as JSON; - is standard output, without the table
        --check              exit code 1 when a promise is not kept
        --raw                counts allocations in this process: the benchmark runs itself so
        --help               this text

        Exit codes: 0 measured; 1 a promise was not kept (--check); 2 nothing was measured; 64 a wrong option.
        docs/performance.md says what each figure means.

        """
}
