import BenchmarkClient
import BenchmarkSupport

/// A program under test, and the way its clients enter a call.
struct ProgramUnderTest {
    /// The ways of connecting two clients with each other.
    enum Clients {
        /// They sign in and call each other: a hub.
        case accounts
        /// Those that open the same URL are each other's peers: a relay that knows no calls.
        case pairs
    }

    /// The name in options and tables.
    var name: String
    /// The way its clients are connected with each other.
    var clients: Clients
    /// The path of the program.
    var path: String
    /// Its arguments.
    var arguments: [String]
    /// The variables added to the benchmark's environment.
    var environment: [String: String] = [:]
    /// The path of the library that counts its allocations, if there is one.
    var counter: String?
    /// The configuration file that its arguments name, kept as long as the program may be started.
    var file: AnonymousFile?
    /// The encryption of its clients' connections; nil in clear.
    var encryption: Encryption?

    /// The client's side of its TLS; nil in clear.
    var tls: TLSClient? { encryption?.client }
    /// True for a hub, whose thresholds are checked.
    var isHub: Bool { clients == .accounts }

    /// Starts the program; its allocations are counted if there is a counter.
    func start(_ counter: AllocationCounts?) throws(BenchmarkError) -> ChildProcess {
        let variables = environment.merging(counter?.environment ?? [:]) { $1 }
        return try ChildProcess(path: path, arguments: arguments, environment: variables)
    }
}
