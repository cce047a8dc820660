import BenchmarkSupport

/// The options of the command line.
struct Options: BenchmarkOptions {
    /// The numbers of pairs that talk, 1 to 2000, one measurement each.
    var pairs = [50, 100, 200]
    /// The measured time of each slice, in seconds, 1 to 600.
    var seconds = 5
    /// The number of slices of each server, in turns, 1 to 100.
    var slices = 3
    /// The path of the hub.
    var hub = programFolder() + "/callhub"
    /// Arguments to the hub besides its address.
    var hubArguments: [String] = []
    /// The path of Debian's mumble-server.
    var mumble = "/usr/sbin/murmurd"

    /// The measured time of a slice, in nanoseconds.
    var nanoseconds: UInt64 { UInt64(seconds) * 1_000_000_000 }

    mutating func read(_ name: String, from words: inout ArgumentReader) throws(BenchmarkError) -> Bool {
        switch name {
        case "--pairs": pairs = try numbers(try words.value(), name, 1...2000)
        case "--seconds": seconds = try number(try words.value(), name, 1...600)
        case "--slices": slices = try number(try words.value(), name, 1...100)
        case "--hub-binary": hub = try words.value()
        case "--hub-argument": hubArguments.append(try words.value())
        case "--mumble-binary": mumble = try words.value()
        default: return false
        }
        return true
    }

    /// The text that `--help` prints.
    static let help = """
        callhub-bench-mumble: the hub beside Debian's mumble-server

        Pairs of talkers, 50 packets a second each way, TLS on both sides: through
        the hub by wss, and through mumble-server by its TCP tunnel, each pair in a
        channel of its own. Prints CPU time a packet and latency of both.

          callhub-bench-mumble
          callhub-bench-mumble --pairs 20 --seconds 2 --slices 1

        --pairs N,N,...      pairs that talk, one measurement each   50,100,200
        --seconds N          measured seconds of a slice             5
        --slices N           slices of each server, in turns         3
        --hub-binary PATH    the hub                                 callhub, beside this program
        --hub-argument ARG   one more argument for the hub; may be repeated
        --mumble-binary PATH mumble-server                           /usr/sbin/murmurd
        --json PATH          writes all figures there as JSON; - is standard output, without the table
        --check              exit code 1 when a threshold is missed
        --help               this text

        """
}
