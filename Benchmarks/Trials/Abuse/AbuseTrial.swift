import BenchmarkClient
import BenchmarkSupport
import Foundation

/// Calls whose every packet is checked while their hub is attacked: in one way after the other, then in all at once.
struct AbuseTrial {
    private let options: TrialOptions
    private let hub: TrialHub
    private let calls: MeasuredCalls
    private var rows: [AbuseReport.Row] = []

    /// Runs the trial.
    static func run(_ options: TrialOptions) throws(BenchmarkError) -> AbuseReport {
        var trial = try AbuseTrial(options)
        var rounds: [(String, [Attack])] = [("nothing", [])] + Attack.allCases.map { ($0.rawValue, [$0]) }
        // Attackers that sent nothing, or read nothing or too slowly, have been disconnected before the last round.
        rounds += [("all at once", Attack.allCases), ("afterwards", [])]
        for (name, attacks) in rounds {
            do throws(BenchmarkError) {
                try trial.measure(name, attacks)
            } catch {
                // With a call lost there is nothing more to measure.
                return AbuseReport(options, trial.rows, failure: "\(name): \(error)\(trial.hubsEnd)")
            }
        }
        return AbuseReport(options, trial.rows, failure: nil)
    }

    private init(_ options: TrialOptions) throws(BenchmarkError) {
        self.options = options
        try allowOpenFiles(100 * options["--strength"] + 2 * options["--calls"] + 1_024)
        // The calls come from 127.0.0.1, the attackers from an address that the limits apply to.
        hub = try TrialHub(options, configuration: #"{limits: {exemptAddresses: ["127.0.0.1"]}}"#)
        Progress.show("setting up \(options["--calls"]) calls")
        calls = try MeasuredCalls.connect(options["--calls"], to: hub.address)
        // Connections, caches and the hub's tables settle.
        try calls.run(nanoseconds: 2_000_000_000)
        _ = calls.take()
    }

    /// The hub's last output, and a note if it has ended.
    private var hubsEnd: String { (hub.child.hasEnded ? "; the hub has ended" : "") + hub.child.lastWords }

    private mutating func measure(_ name: String, _ attacks: [Attack]) throws(BenchmarkError) {
        Progress.show("\(name), \(options["--seconds"]) s")
        let before = try (hub.figures.cpuNanoseconds(), monotonicNanoseconds())
        var most = 0
        var nextLook: UInt64 = 0
        let hub = hub
        let look = { (now: UInt64) throws(BenchmarkError) in
            guard now >= nextLook else { return }
            nextLook = now + 200_000_000
            most = max(most, try hub.figures.residentBytes())
        }
        var tallies: [String: AttackTally] = [:]
        if attacks.isEmpty {
            try calls.run(nanoseconds: UInt64(options["--seconds"]) * 1_000_000_000, look: look)
        } else {
            let attacker = try start(attacks)
            while !attacker.hasEnded { try calls.run(nanoseconds: 50_000_000, look: look) }
            tallies = try read(attacker)
        }
        let cpu = Double(try hub.figures.cpuNanoseconds() - before.0) / Double(monotonicNanoseconds() - before.1)
        let figures = calls.take()
        rows.append(
            AbuseReport.Row(
                attack: name,
                figures: figures,
                tallies: tallies,
                seconds: Double(monotonicNanoseconds() - before.1) / 1e9,
                cpuShare: cpu,
                residentBytes: most
            )
        )
        // The attack's connections close, and the next attack begins with an idle hub.
        try calls.run(nanoseconds: 1_000_000_000)
        _ = calls.take()
    }

    private func start(_ attacks: [Attack]) throws(BenchmarkError) -> ChildProcess {
        try ChildProcess(
            path: options.program,
            arguments: [
                "attack", attacks.map(\.rawValue).joined(separator: ","), String(hub.address.port),
                String(options["--seconds"]), String(options["--strength"]),
            ]
        )
    }

    private func read(_ attacker: ChildProcess) throws(BenchmarkError) -> [String: AttackTally] {
        do {
            return try JSONDecoder().decode([String: AttackTally].self, from: Data(attacker.printed.utf8))
        } catch {
            throw BenchmarkError("the attacker failed: \(attacker.printed)")
        }
    }
}
