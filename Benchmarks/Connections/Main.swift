import BenchmarkClient
import BenchmarkSupport
import Glibc

/// The benchmark of connections: many that are idle, and many that come and go.
@main
enum Main {
    /// The results of a run.
    private struct Report: Codable {
        var idle: [IdleFigures] = []
        var churn: [Churn] = []
        var checks: [Check] = []
    }

    /// Runs the benchmark and ends the process.
    static func main() {
        ChildProcess.endAllOnInterrupt()
        runBenchmark("callhub-bench-connections", run)
    }

    private static func run(_ options: Options) throws(BenchmarkError) -> CInt {
        try allowOpenFiles(options.connections + 256)
        let certificate = try Certificate()
        let servers = try Server.all(options, certificate).filter { !options.isPlainOnly || $0.tls == nil }
        var report = Report()
        for server in servers where options.connections > 0 {
            Progress.show("\(server.name): \(options.connections) connections")
            let figures = try IdleFigures.measure(
                server,
                connections: options.connections,
                seconds: options.seconds
            )
            report.idle.append(figures)
            if let check = figures.check(isHub: server.isHub, isSecure: server.tls != nil) {
                report.checks.append(check)
            }
        }
        for server in servers where server.isHub && options.visitors > 0 {
            let churn = try Churn.measure(server, total: options.visitors, step: options.step)
            report.churn.append(churn)
            if let check = churn.check { report.checks.append(check) }
        }
        Progress.clear()
        let tables = (report.idle.isEmpty ? [] : [IdleFigures.table(report.idle)]) + report.churn.map(\.table)
        let text = tables.map(\.text).joined(separator: "\n") + "\n" + report.checks.map(\.line).joined()
        try write(report, text: text, to: options.json)
        return options.isChecking && !report.checks.allSatisfy(\.isKept) ? 1 : 0
    }
}
