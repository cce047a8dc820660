import BenchmarkSupport

/// The options of the command line.
struct Options: BenchmarkOptions {
    /// The number of calls that are set up by each program, 10 to 100,000.
    var setups = 200
    /// The number of calls that a program holds, 1 to 1,000.
    var calls = 200
    /// The number of actions a second on the calls that are held, 1 to 1,000.
    var actions = 20
    /// The time of a measurement with these calls, in seconds, 1 to 3600.
    var seconds = 10
    /// The path of the hub.
    var hub = programFolder() + "/callhub"

    mutating func read(_ name: String, from words: inout ArgumentReader) throws(BenchmarkError) -> Bool {
        switch name {
        case "--setups": setups = try number(try words.value(), name, 10...100_000)
        case "--calls": calls = try number(try words.value(), name, 1...1_000)
        case "--actions": actions = try number(try words.value(), name, 1...1_000)
        case "--seconds": seconds = try number(try words.value(), name, 1...3600)
        case "--hub-binary": hub = try words.value()
        default: return false
        }
        return true
    }

    /// The text that `--help` prints.
    static let help = """
        callhub-bench-callkit: what a call costs an app on CallKit, beside a program on HubClient

        Both run in this process, at a hub beside it, one after the other, turn by turn. They set up calls to
        the hub's echo, each from the request until the call is connected. Then each holds many calls and mutes
        or unmutes one after another; the CPU time of this process is measured, which is all of theirs and none
        of the hub's. All fulfil each action themselves, except for the program called automatic.

          callhub-bench-callkit
          callhub-bench-callkit --check --json callkit.json

        --setups N        calls that each program sets up                    200
        --calls N         calls that each holds                              200
        --actions N       actions a second on them                           20
        --seconds N       for how long                                       10
        --hub-binary PATH the hub                                            callhub, beside this program
        --json PATH       writes all figures there as JSON; - is standard output, without the tables
        --check           exit code 1 when a promise is not kept
        --help            this text

        Exit codes: 0 measured; 1 a promise was not kept (--check); 2 nothing was measured; 64 a wrong option.
        docs/performance.md says what each figure means.

        """
}
