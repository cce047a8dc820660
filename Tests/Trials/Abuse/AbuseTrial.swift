import BenchmarkClient
import BenchmarkSupport
import Foundation

/// Calls whose every packet is checked, while attackers load their hub: one attack after the other, then all at once.
struct AbuseTrial {
    private let options: TrialOptions
    private let hub: TrialHub
    private let calls: MeasuredCalls
    private let linkToken: String
    private var rows: [AbuseReport.Row] = []

    /// Runs the trial.
    static func run(_ options: TrialOptions) throws(BenchmarkError) -> AbuseReport {
        var trial = try AbuseTrial(options)
        var rounds: [(String, [Attack])] = [("nothing", [])] + Attack.allCases.map { ($0.rawValue, [$0]) }
        // Silent, non-reading and slow connections have been closed afterwards.
        rounds += [("all at once", Attack.allCases), ("afterwards", [])]
        for (name, attacks) in rounds {
            do throws(BenchmarkError) {
                try trial.measure(name, attacks)
            } catch {
                // Without all of the calls there is nothing more to measure.
                return AbuseReport(options, trial.rows, failure: "\(name): \(error)\(trial.hubExitDescription)")
            }
        }
        return AbuseReport(options, trial.rows, failure: nil)
    }

    private init(_ options: TrialOptions) throws(BenchmarkError) {
        self.options = options
        try allowOpenFiles(100 * options["--strength"] + 2 * options["--calls"] + 1_024)
        let folder = try TrialFolder()
        hub = try TrialHub(options, configuration: Self.configuration, folder: folder)
        linkToken = try Self.makeLink(options, in: folder)
        Progress.show("setting up \(options["--calls"]) calls")
        calls = try MeasuredCalls.connect(options["--calls"], to: hub.address)
        // Connections, caches and the hub's tables settle.
        try calls.run(nanoseconds: 2_000_000_000)
        _ = calls.take()
    }

    /// The settings of the hub that differ from the defaults.
    ///
    /// The calls come from 127.0.0.1, the attackers from addresses that the limits concern. The limits of call
    /// directories are lower than their defaults: the hub's memory is to show that they are kept.
    private static let configuration = """
        {
          limits: {
            exemptAddresses: ["127.0.0.1"],
            maximumDirectoryMegabytes: 4,
            maximumDirectoryMegabytesInAll: 16,
          },
          http: {trustedProxies: ["\(AttackSocket.proxySource)"]},
        }
        """

    /// Makes a link to the callee of a measured call, as an operator does.
    private static func makeLink(
        _ options: TrialOptions,
        in folder: TrialFolder
    ) throws(BenchmarkError) -> String {
        let words = ["link", "create", AttackProcess.linkedAccount, "--data", folder.path]
        let command = try ChildProcess(path: options.hub, arguments: words)
        guard command.succeeds(), let start = command.printed.firstRange(of: "token=")?.upperBound else {
            throw BenchmarkError("no link could be made: \(command.printed)")
        }
        return String(command.printed[start...].prefix { !$0.isWhitespace })
    }

    /// The hub's last output, and a note if it has ended.
    private var hubExitDescription: String { (hub.child.hasEnded ? "; the hub has ended" : "") + hub.child.lastOutput }

    private mutating func measure(_ name: String, _ attacks: [Attack]) throws(BenchmarkError) {
        Progress.show("\(name), \(options["--seconds"]) s")
        let before = try (hub.statistics.cpuNanoseconds(), monotonicNanoseconds())
        var most = 0
        var nextLook: UInt64 = 0
        let hub = hub
        let look = { (now: UInt64) throws(BenchmarkError) in
            guard now >= nextLook else { return }
            nextLook = now + 200_000_000
            most = max(most, try hub.statistics.residentBytes())
        }
        var tallies: [String: AttackTally] = [:]
        if attacks.isEmpty {
            try calls.run(nanoseconds: UInt64(options["--seconds"]) * 1_000_000_000, look: look)
        } else {
            let attacker = try start(attacks)
            while !attacker.hasEnded { try calls.run(nanoseconds: 50_000_000, look: look) }
            tallies = try read(attacker)
        }
        let cpu = Double(try hub.statistics.cpuNanoseconds() - before.0) / Double(monotonicNanoseconds() - before.1)
        let statistics = calls.take()
        rows.append(
            AbuseReport.Row(
                attack: name,
                statistics: statistics,
                tallies: tallies,
                seconds: Double(monotonicNanoseconds() - before.1) / 1e9,
                cpuShare: cpu,
                residentBytes: most,
                cpuShareBefore: attacks.contains(where: { $0.isMeasuredByRequest }) && attacks.count == 1
                    ? rows.first?.cpuShare : nil
            )
        )
        // The rest of the attack ends, so that the next one begins with an idle hub.
        try calls.run(nanoseconds: 1_000_000_000)
        _ = calls.take()
    }

    private func start(_ attacks: [Attack]) throws(BenchmarkError) -> ChildProcess {
        try ChildProcess(
            path: options.program,
            arguments: [
                "attack", attacks.map(\.rawValue).joined(separator: ","), String(hub.address.port),
                String(options["--seconds"]), String(options["--strength"]), linkToken,
                // Loopback addresses that nothing else here has.
                "127.0.1.\(rows.count)",
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
