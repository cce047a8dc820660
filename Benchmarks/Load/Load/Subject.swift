import BenchmarkClient
import BenchmarkSupport
import FoundationEssentials

/// A program under test, and how to get its clients into a call.
struct Subject {
    /// The two kinds.
    enum Kind: String, Codable {
        /// The hub: clients sign in and call each other.
        case hub = "callhub"
        /// The yardstick: the URL says whose packets go to whom.
        case relay = "bare-relay"
    }

    /// Which it is.
    var kind: Kind
    /// The program.
    var path: String
    /// Its arguments.
    var arguments: [String]
    /// The library that counts its allocations, where there is one.
    var counter: String?

    /// The programs that `options` ask for, the hub first.
    static func all(_ options: Options) -> [Subject] {
        let counter = FileManager.default.isReadableFile(atPath: options.counter) ? options.counter : nil
        let hub = options.hub.map {
            Subject(
                kind: .hub,
                path: $0,
                arguments: ["serve", "--listen", "127.0.0.1:0"] + options.hubArguments,
                counter: counter
            )
        }
        let relay = options.relay.map { Subject(kind: .relay, path: $0, arguments: [], counter: counter) }
        return [hub, relay].compactMap { $0 }
    }

    /// Starts the program, its allocations counted where there is a counter.
    func start(_ counter: AllocationCounts?) throws(BenchmarkError) -> ChildProcess {
        try ChildProcess(path: path, arguments: arguments, environment: counter?.environment ?? [:])
    }
}
