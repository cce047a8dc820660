import BenchmarkSupport

/// The options of the command line.
struct Options: BenchmarkOptions {
    /// The number of calls stored in a round, 1000 to 10,000,000.
    var calls = 100_000
    /// The number of accounts that the calls belong to, 1 to 1,000,000.
    var accounts = 1_000
    /// The number of entries of a call directory, 1000 to 2,000,000.
    var entries = 2_000_000
    /// The number of rounds of each measurement, 1 to 1000.
    var rounds = 5
    /// The folder in which the databases are created.
    var folder = programFolder()

    mutating func read(_ name: String, from words: inout ArgumentReader) throws(BenchmarkError) -> Bool {
        switch name {
        case "--calls": calls = try number(try words.value(), name, 1_000...10_000_000)
        case "--accounts": accounts = try number(try words.value(), name, 1...1_000_000)
        case "--entries": entries = try number(try words.value(), name, 1_000...2_000_000)
        case "--rounds": rounds = try number(try words.value(), name, 1...1_000)
        case "--folder": folder = try words.value()
        default: return false
        }
        return true
    }

    /// The text that `--help` prints.
    static let help = """
        callhub-bench-store: what the hub's store keeps a second, and what a large call directory takes

          callhub-bench-store
          callhub-bench-store --calls 10000 --entries 100000 --rounds 1
          callhub-bench-store --check --json store.json

        --calls N       calls that are kept in a round                    100000
        --accounts N    accounts that they are of                         1000
        --entries N     entries of a call directory, half of them names   2000000
        --rounds N      how often each is measured; the median counts     5
        --folder PATH   where the databases are made, and deleted again   the program's
        --json PATH     writes all figures there as JSON; - is standard output, without the table
        --check         exit code 1 when a promise is not kept
        --help          this text

        Exit codes: 0 measured; 1 a promise was not kept (--check); 2 nothing was measured; 64 a wrong option.
        docs/performance.md says what each figure means.

        """
}
