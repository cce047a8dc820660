import BenchmarkSupport

/// The options of the command line.
struct Options: BenchmarkOptions {
    /// The number of calls for each loop, 1 to 2000.
    var calls = 200
    /// The packets that each client sends in a second, 1 to 50.
    var rate = 50
    /// The largest number of loops, 2 to 8.
    var loops = 2
    /// The measured time of each slice, in seconds, 1 to 600.
    var seconds = 5
    /// The number of slices of each setting, in turns, 1 to 100.
    var slices = 3
    /// The path of the hub.
    var hub = programFolder() + "/callhub"
    /// Arguments to the hub besides its address.
    var hubArguments: [String] = []

    mutating func read(_ name: String, from words: inout ArgumentReader) throws(BenchmarkError) -> Bool {
        switch name {
        case "--calls": calls = try number(try words.value(), name, 1...2000)
        case "--rate": rate = try number(try words.value(), name, 1...50)
        case "--loops": loops = try number(try words.value(), name, 2...8)
        case "--seconds": seconds = try number(try words.value(), name, 1...600)
        case "--slices": slices = try number(try words.value(), name, 1...100)
        case "--hub-binary": hub = try words.value()
        case "--hub-argument": hubArguments.append(try words.value())
        default: return false
        }
        return true
    }

    /// The text that `--help` prints.
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
