import BenchmarkClient
import BenchmarkSupport

/// The benchmark of connections: many that are idle, and many that come and go.
@main
enum Main {
    /// Runs the benchmark and ends the process.
    static func main() {
        ChildProcess.endAllOnInterrupt()
        runBenchmark("callhub-bench-connections", measure)
    }

    private static func measure(_ options: Options, _ report: inout BenchmarkReport) throws(BenchmarkError) {
        try allowOpenFiles(options.connections + 256)
        let certificate = try Certificate()
        let servers = try Server.all(options, certificate).filter { !options.isPlainOnly || $0.tls == nil }
        try measureIdle(servers, options, &report)
        for server in servers where server.isHub && options.visitors > 0 {
            let churn = try ConnectionChurn.measure(server, total: options.visitors, step: options.step)
            let name = server.tls == nil ? "churn" : "churnUnderTLS"
            report.add(name, churn, text: churn.table.text, checks: churn.check.map { [$0] } ?? [])
        }
    }

    private static func measureIdle(
        _ servers: [Server],
        _ options: Options,
        _ report: inout BenchmarkReport
    ) throws(BenchmarkError) {
        guard options.connections > 0 else { return }
        var (idle, checks) = ([IdleResults](), [Check]())
        for server in servers {
            Progress.show("\(server.name): \(options.connections) connections")
            let figures = try IdleResults.measure(
                server,
                connections: options.connections,
                seconds: options.seconds
            )
            idle.append(figures)
            if let check = figures.check(isHub: server.isHub, isSecure: server.tls != nil) { checks.append(check) }
        }
        report.add("idle", idle, text: IdleResults.table(idle).text, checks: checks)
    }
}
