import BenchmarkSupport

/// The options of the command line.
struct Options: BenchmarkOptions {
    /// The number of signed-in accounts, 2 to 100,000.
    var accounts = 10_000
    /// The number of people that each account watches, 1 to 500, and so the number of watchers of each.
    var watched = 50
    /// The number of changes a second, 1 to 10,000.
    var changes = 100
    /// The number of slices, 1 to 1000.
    var slices = 5
    /// The simulated seconds of a slice, 1 to 3600.
    var seconds = 10

    mutating func read(_ name: String, from words: inout ArgumentReader) throws(BenchmarkError) -> Bool {
        switch name {
        case "--accounts": accounts = try number(try words.value(), name, 2...100_000)
        case "--watched": watched = try number(try words.value(), name, 1...500)
        case "--changes": changes = try number(try words.value(), name, 1...10_000)
        case "--slices": slices = try number(try words.value(), name, 1...1000)
        case "--seconds": seconds = try number(try words.value(), name, 1...3600)
        default: return false
        }
        return true
    }

    func finish() throws(BenchmarkError) {
        guard watched < accounts else { throw BenchmarkError("--watched must be less than --accounts") }
    }

    /// The text that `--help` prints.
    static let help = """
        callhub-bench-presence: what the presence of people costs the hub, without sockets

        Each account watches the presence of others, and somebody goes away or comes back all the time. Time is
        simulated; the CPU time of the hub is measured: requests, changes, the permission to see, notifications
        and their text.

          callhub-bench-presence
          callhub-bench-presence --check --json presence.json

        --accounts N    signed-in accounts, one device each                     10000
        --watched N     people that each of them watches, at most 500           50
        --changes N     changes a second                                        100
        --slices N      slices of the measurement                               5
        --seconds N     simulated seconds of each                               10
        --json PATH     writes all figures there as JSON; - is standard output, without the table
        --check         exit code 1 when a promise is not kept
        --help          this text

        Exit codes: 0 measured; 1 a promise was not kept (--check); 2 nothing was measured; 64 a wrong option.
        docs/performance.md says what each figure means.

        """
}
