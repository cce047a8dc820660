import BenchmarkSupport

/// What the command line asks for.
struct Options: BenchmarkOptions {
    /// Calls for each loop.
    var calls = 200
    /// Packets a second that each client sends.
    var rate = 50
    /// The most loops.
    var loops = 2
    /// How long each slice is measured.
    var seconds = 5
    /// How many slices each number of loops gets, in turns.
    var slices = 3
    /// The hub.
    var hub = programFolder() + "/callhub"
    /// Arguments to the hub besides its address.
    var hubArguments: [String] = []
    /// Where the JSON goes; "-" is standard output, in place of the table.
    var json: String?
    /// Whether a missed threshold makes the exit code 1.
    var isChecking = false
    /// Whether only the help was asked for.
    var wantsHelp = false

    /// Reads the arguments, the program's name left out.
    init(_ arguments: [String]) throws(BenchmarkError) {
        var words = OptionWords(arguments)
        while let name = words.next() {
            switch name {
            case "--calls": calls = try number(try words.value(), name, 1...2000)
            case "--rate": rate = try number(try words.value(), name, 1...50)
            case "--loops": loops = try number(try words.value(), name, 2...8)
            case "--seconds": seconds = try number(try words.value(), name, 1...600)
            case "--slices": slices = try number(try words.value(), name, 1...100)
            case "--hub-binary": hub = try words.value()
            case "--hub-argument": hubArguments.append(try words.value())
            case "--json": json = try words.value()
            case "--check": isChecking = true
            case "-h", "--help": wantsHelp = true
            default: throw BenchmarkError("\(name) is not an option; see --help")
            }
        }
    }

    /// What `--help` prints.
    static let help = """
        callhub-bench-loops: how much more the hub carries with a loop for each core

        Drives the hub with one loop, and with more, and prints the CPU time of its
        threads: the busiest is full first, so packets for each second of its CPU time
        are what the hub would carry with a core for each loop.

          callhub-bench-loops
          callhub-bench-loops --calls 100 --seconds 2 --slices 1

        --calls N            calls for each loop                  200
        --rate N             packets a second of each client      50
        --loops N            the most loops                       2
        --seconds N          measured seconds of a slice          5
        --slices N           slices of each, in turns             3
        --hub-binary PATH    the hub                              callhub, beside this program
        --hub-argument ARG   one more argument for the hub; may be repeated
        --json PATH          writes all figures there as JSON; - is standard output, without the table
        --check              exit code 1 when a threshold is missed
        --help               this text

        """
}
