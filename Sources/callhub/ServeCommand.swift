import Foundation
import HubServer

/// `callhub serve`: runs a hub.
enum ServeCommand {
    /// Runs until a signal ends it; returns the process's exit code.
    static func run(_ arguments: [String]) async -> Int32 {
        do {
            let given = try Arguments(arguments, options: options)
            guard !given.has(help) else {
                Console.out(usage)
                return 0
            }
            return try serve(settings(given))
        } catch let error as UsageError {
            Console.err("callhub serve: \(error.message)\n")
            return 2
        } catch {
            Console.err("callhub serve: \(error)\n")
            return 1
        }
    }

    private static func settings(_ given: Arguments) throws(UsageError) -> HubSettings {
        if let word = given.words.first { throw UsageError("\(quoted(word)) is not an option; see --help.") }
        var settings = HubSettings()
        settings.version = callHubVersion
        if let text = given[listen] {
            guard let address = ListenAddress(text) else {
                throw UsageError(
                    "--listen is \(quoted(text)); it must be HOST:PORT, such as 127.0.0.1:8080 or [::1]:8080."
                )
            }
            settings.transport.host = address.host
            settings.transport.port = address.port
        }
        return settings
    }

    /// Blocks the one thread that waits for it: the hub and the signals have threads of their own.
    private static func serve(_ settings: HubSettings) throws -> Int32 {
        let server = try HubServer.start(settings)
        let address = ListenAddress(host: settings.transport.host, port: server.port).urlAuthority
        Console.out(
            "CallHub \(settings.version) listens on http://\(address) "
                + "(web phone and WebSocket ws://\(address)\(settings.transport.path))\n"
        )
        let signals = SignalCount()
        Signals.handle([SIGTERM, SIGINT]) { _ in
            if signals.next() == 1 { server.drain() } else { server.stop() }
        }
        server.waitUntilStopped()
        return 0
    }

    private static let listen = Option(
        "--listen",
        value: "HOST:PORT",
        help: "Where to listen (127.0.0.1:8080); port 0: one the system chooses."
    )
    private static let help = Option("--help", help: "This text.")
    private static let options = [listen, help]

    private static let usage = """
        Usage: callhub serve [OPTIONS]

        Runs a hub until SIGTERM or SIGINT.

        \(Arguments.table(options))
        """
}

/// How many signals have come.
private final class SignalCount: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0

    func next() -> Int {
        lock.withLock {
            count += 1
            return count
        }
    }
}
