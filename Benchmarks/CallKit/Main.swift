import BenchmarkClient
import BenchmarkSupport
import Dispatch
import Foundation

/// The benchmark of an app on CallKit.
@main
enum Main {
    /// The most of one core that an app may spend on the signalling of its calls.
    private static let shareLimit = 0.05
    /// The most that the set-up of a call by CallKit may take, in times of that by HubClient.
    private static let setupLimit = 1.5

    /// Runs the benchmark and ends the process.
    static func main() {
        runBenchmark("callhub-bench-callkit", measure)
    }

    private static func measure(_ options: Options, _ report: inout BenchmarkReport) throws(BenchmarkError) {
        // More calls and messages than a person has; a refused fulfilment would leave its call unconnected.
        let calls = "callsPerDevice: 2000, callsToAccountPerSecond: 100000, callsByAccountPerMinute: 100000"
        let messages = "messagesPerSecond: 100000, causedMessagesPerSecond: 100000, causedBytesPerSecond: 1000000000"
        let file = try AnonymousFile("{ limits: { \(calls), \(messages) }, storage: { path: \":memory:\" } }\n")
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--log-level", "warning", "--config", file.path]
        let hub = try ChildProcess(path: options.hub, arguments: arguments)
        defer { hub.end(SIGTERM) }
        let address = try hub.waitForAddress()
        let results = try run(options, "ws://\(address.host):\(address.port)/v1").get()
        guard let app = results.first(where: { $0.name == "CallKit" }),
            let client = results.first(where: { $0.name == "HubClient" })
        else { throw BenchmarkError("a program was not measured") }
        let heading = ["program", "set-up, ms", "times HubClient", "% of one core", "CPU ms an action"]
        let lines = results.map { result in
            [
                result.name, fixed(result.setup * 1_000, 3), fixed(result.setup / client.setup, 2),
                fixed(result.share * 100, 2), fixed(result.share * 1_000 / Double(options.actions), 3),
            ]
        }
        let checks = [
            Check(
                name: "share of one core with \(options.calls) calls and \(options.actions) actions a second",
                value: app.share,
                limit: shareLimit
            ),
            Check(
                name: "set-up of a call in times of HubClient's",
                value: app.setup / client.setup,
                limit: setupLimit
            ),
        ]
        report.add("callkit", results, text: Table(lines: [heading] + lines).text, checks: checks)
    }

    /// Runs the measurements, which are asynchronous, and waits for them.
    private static func run(_ options: Options, _ url: String) -> Result<[CallerResult], BenchmarkError> {
        nonisolated(unsafe) var result = Result<[CallerResult], BenchmarkError>.success([])
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            do {
                result = .success(try await CallerRun(options, url).results())
            } catch {
                result = .failure(error as? BenchmarkError ?? BenchmarkError("\(error)"))
            }
            done.signal()
        }
        let limit = 120 + 10 * options.seconds + options.setups
        guard done.wait(timeout: .now() + .seconds(limit)) == .success else {
            return .failure(BenchmarkError("a call was not connected or ended within \(limit) seconds"))
        }
        return result
    }
}
