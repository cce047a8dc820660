import Foundation
import HubTestSupport
import Testing

@testable import HubServer

/// The dashboard and the alert rules in `config/monitoring`, compared with the hub's metrics.
@Suite struct MonitoringTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../config/monitoring").standardizedFileURL
    private static let promtool = "/usr/bin/promtool"
    private static var hasPromtool: Bool { FileManager.default.isExecutableFile(atPath: promtool) }
    private static let hint: Comment = "promtool is missing; make test-monitoring installs it (Debian's prometheus)"

    private static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    /// The names on the page of a hub with a store, those of a histogram's samples included.
    private static func page() throws -> String {
        var services = HubServices()
        services.accountData = SlowStore(isBlocked: false)
        let hub = try TestHub(services: services)
        return String(decoding: try HTTPReply.fetch("GET", "/metrics", port: hub.port).body, as: UTF8.self)
    }

    /// The expressions of the dashboard, with values in place of Grafana's variables.
    private static func dashboardExpressions() throws -> [String] {
        struct Dashboard: Decodable {
            struct Panel: Decodable {
                struct Target: Decodable { let expr: String }
                let targets: [Target]?
            }
            let panels: [Panel]
        }
        let dashboard = try JSONDecoder().decode(Dashboard.self, from: Data(text("grafana-dashboard.json").utf8))
        return dashboard.panels.flatMap { $0.targets ?? [] }.map {
            $0.expr.replacing("$__rate_interval", with: "5m").replacing("$instance", with: ".*")
        }
    }

    private static func run(_ command: String) async throws -> (code: Int32, output: String) {
        let folder = try TemporaryFolder()
        let program = try Program(["-c", "promtool \(command)"], program: "/bin/sh", in: folder, withErrors: true)
        return (await program.exitCode(), program.printed)
    }

    @Test(arguments: ["grafana-dashboard.json", "alerts.yml", "alerts.test.yml"])
    func `every metric that a file names is on the page`(file: String) throws {
        let families = try ParsedMetricsPage(Self.page()).families
        let histograms = families.filter { $0.value.type == "histogram" }.keys
        let known = Set(families.keys).union(histograms.flatMap { [$0 + "_bucket", $0 + "_sum", $0 + "_count"] })
        let named = Set(try Self.text(file).matches(of: /\b(?:callhub|process)_[a-z_]+/).map { String($0.output) })
        #expect(named.count >= 10)
        #expect(named.subtracting(known) == [])
    }

    @Test func `every alert says what is wrong and what to do, and has a test case`() throws {
        let rules = try Self.text("alerts.yml")
        let alerts = rules.matches(of: /- alert: (\w+)/).map { String($0.1) }
        #expect(alerts.count >= 15 && Set(alerts).count == alerts.count)
        for key in ["summary: \"", "description: \"", "severity: "] {
            #expect(rules.components(separatedBy: key).count == alerts.count + 1, "\(key)")
        }
        let tested = try Self.text("alerts.test.yml").matches(of: /alertname: (\w+)/).map { String($0.1) }
        #expect(tested == alerts)
    }

    @Test(.enabled(if: hasPromtool, hint)) func `promtool accepts the rules, and their cases pass`() async throws {
        let check = try await Self.run("check rules \(Self.folder.path)/alerts.yml")
        #expect(check.code == 0, "\(check.output)")
        let test = try await Self.run("test rules \(Self.folder.path)/alerts.test.yml")
        #expect(test.code == 0, "\(test.output)")
    }

    @Test(.enabled(if: hasPromtool, hint)) func `promtool accepts every expression of the dashboard`() async throws {
        let expressions = try Self.dashboardExpressions()
        #expect(expressions.count >= 30)
        let rules = try expressions.enumerated().map { number, expression in
            let quoted = String(decoding: try JSONEncoder().encode(expression), as: UTF8.self)
            return "  - {record: \"panel:\(number)\", expr: \(quoted.replacing("\\/", with: "/"))}\n"
        }
        let folder = try TemporaryFolder()
        let file = try folder.write("groups:\n- name: dashboard\n  rules:\n" + rules.joined(), to: "rules.yml")
        let check = try await Self.run("check rules \(file)")
        #expect(check.code == 0 && check.output.contains("\(expressions.count) rules found"), "\(check.output)")
    }

    @Test(.enabled(if: hasPromtool, hint)) func `promtool accepts the page of metrics`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Self.page(), to: "metrics")
        let check = try await Self.run("check metrics < \(file)")
        #expect(check.code == 0 && check.output == "", "\(check.output)")
    }
}
