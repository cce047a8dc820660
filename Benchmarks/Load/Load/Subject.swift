import BenchmarkClient
import BenchmarkSupport

/// A program under test, and how to get its clients into a call.
struct Subject {
    /// How clients come to hear each other.
    enum Clients {
        /// They sign in and call each other: a hub.
        case accounts
        /// Those that open the same URL are each other's peers: a relay that knows no calls.
        case pairs
    }

    /// What it is called in options and tables.
    var name: String
    /// How its clients come to hear each other.
    var clients: Clients
    /// The program.
    var path: String
    /// Its arguments.
    var arguments: [String]
    /// What its environment has besides the benchmark's.
    var environment: [String: String] = [:]
    /// The library that counts its allocations, where there is one.
    var counter: String?
    /// The file that its arguments name, kept as long as it may be started.
    var file: AnonymousFile?

    /// Whether it is a hub, whose promises are tested.
    var isHub: Bool { clients == .accounts }

    /// Starts the program, its allocations counted where there is a counter.
    func start(_ counter: AllocationCounts?) throws(BenchmarkError) -> ChildProcess {
        let variables = environment.merging(counter?.environment ?? [:]) { $1 }
        return try ChildProcess(path: path, arguments: arguments, environment: variables)
    }
}
