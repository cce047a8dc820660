import BenchmarkSupport

/// The options of the command line.
struct Options: BenchmarkOptions {
    /// The number of idle clients, 0 to 16,000; 0 leaves that measurement out.
    var connections = 10_000
    /// The time they stay idle, in seconds, 1 to 3600.
    var seconds = 30
    /// The number of clients that connect, sign in and leave, 0 to 10,000,000; 0 leaves that measurement out.
    var visitors = 200_000
    /// The number of those clients between two readings of the hub's figures.
    var step = 20_000
    /// Indicates that nothing is measured under TLS.
    var isPlainOnly = false
    /// The path of the hub.
    var hub = programFolder() + "/callhub"
    /// Arguments to the hub besides its address.
    var hubArguments: [String] = []
    /// The folder of the bare relay.
    var folder = programFolder()

    mutating func read(_ name: String, from words: inout ArgumentReader) throws(BenchmarkError) -> Bool {
        switch name {
        case "--connections": connections = try number(try words.value(), name, 0...16_000)
        case "--seconds": seconds = try number(try words.value(), name, 1...3600)
        case "--visitors": visitors = try number(try words.value(), name, 0...10_000_000)
        case "--step": step = try number(try words.value(), name, 1...10_000_000)
        case "--plain-only": isPlainOnly = true
        case "--hub-binary": hub = try words.value()
        case "--hub-argument": hubArguments.append(try words.value())
        default: return false
        }
        return true
    }

    /// The text that `--help` prints.
    static let help = """
        callhub-bench-connections: what a connection costs the hub

        Has clients sign in and sit idle, in clear and under TLS, beside a bare
        libwebsockets server, and prints memory a connection and CPU time. Then it has
        clients come, sign in and leave, for long, and prints whether memory grows.

          callhub-bench-connections
          callhub-bench-connections --connections 500 --seconds 3 --visitors 4000 --step 1000

        --connections N      clients that sit idle; 0: none       10000
        --seconds N          for how long                         30
        --visitors N         clients that come and go; 0: none    200000
        --step N             after how many the hub is looked at  20000
        --plain-only         nothing under TLS
        --hub-binary PATH    the hub                              callhub, beside this program
        --hub-argument ARG   one more argument for the hub; may be repeated
        --json PATH          writes all figures there as JSON; - is standard output, without the tables
        --check              exit code 1 when a threshold is missed
        --help               this text

        """
}
