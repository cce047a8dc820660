import BenchmarkSupport

/// What the command line asks for.
struct Options: BenchmarkOptions {
    /// How many calls stand beside, one column each.
    var standing = [10, 1000, 100_000]
    /// How many slices each gets, in turns.
    var slices = 15
    /// How long each operation of a slice is done.
    var milliseconds = 100
    /// Where the JSON goes; "-" is standard output, in place of the table.
    var json: String?
    /// Whether a missed promise makes the exit code 1.
    var isChecking = false
    /// Whether the bare measurements are printed: what the benchmark asks of itself for the allocations.
    var isRaw = false
    /// Whether only the help was asked for.
    var wantsHelp = false

    /// Reads the arguments, the program's name left out.
    init(_ arguments: [String]) throws(BenchmarkError) {
        var words = OptionWords(arguments)
        while let name = words.next() {
            switch name {
            case "--standing": standing = try numbers(try words.value(), name, 10...1_000_000)
            case "--slices": slices = try number(try words.value(), name, 1...1000)
            case "--milliseconds": milliseconds = try number(try words.value(), name, 1...60_000)
            case "--json": json = try words.value()
            case "--check": isChecking = true
            case "--raw": isRaw = true
            case "-h", "--help": wantsHelp = true
            default: throw BenchmarkError("\(name) is not an option; see --help")
            }
        }
    }

    /// What `--help` prints.
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
        --raw                the bare measurements as JSON: the benchmark runs itself so to count allocations
        --help               this text

        Exit codes: 0 measured; 1 a promise was not kept (--check); 2 nothing was measured; 64 a wrong option.
        docs/performance.md says what each figure means.

        """
}
