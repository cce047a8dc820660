import BenchmarkClient
import BenchmarkSupport
import Foundation
import HubCrypto

/// Calls whose every packet is timed, while no client, one client, and many at once sign in by password, in turns.
///
/// The hub verifies passwords at the default cost. The calls' own clients sign in by tokens: by password the four
/// hundred would take most of a minute, and the trial is about the calls.
struct SignInsTrial {
    /// The number of clients that sign in during a stretch.
    enum Load: String, CaseIterable {
        case nobody
        case one
        case many
    }

    private let options: TrialOptions
    private let folder: TrialFolder
    private let hub: TrialHub
    private let calls: MeasuredCalls
    private var stretches: [SignInsReport.Stretch] = []

    /// Runs the trial.
    static func run(_ options: TrialOptions) throws(BenchmarkError) -> SignInsReport {
        var trial = try SignInsTrial(options)
        for round in 1...options["--rounds"] {
            for load in Load.allCases {
                Progress.show("round \(round) of \(options["--rounds"]): \(load.rawValue) signing in")
                try trial.measure(load)
            }
        }
        return SignInsReport(options, trial.stretches)
    }

    private init(_ options: TrialOptions) throws(BenchmarkError) {
        self.options = options
        try allowOpenFiles(2 * options["--calls"] + 256)
        folder = try TrialFolder()
        Progress.show("making accounts")
        let database = folder("hub.db")
        try TrialAccounts.make((0..<options["--clients"]).map(SignInLoad.account), at: database)
        guard let key = SigningKey.generate(.es256) else { throw BenchmarkError("no key can be made for tokens") }
        let keys = try folder.write("{\"keys\":[\(key.publicJWK)]}", to: "keys.json")
        let issuer = TokenSigner(key: key, issuer: "https://issuer.example", audience: "callhub")
        hub = try TrialHub(
            options,
            configuration: """
                {
                  auth: {mode: "accounts+token", tokenKeys: "\(keys)", tokenIssuer: "\(issuer.issuer)"},
                  storage: {path: "\(database)"},
                }
                """
        )
        Progress.show("setting up \(options["--calls"]) calls")
        calls = try MeasuredCalls.connect(
            options["--calls"],
            packetsPerSecond: options["--packets"],
            to: hub.address,
            credentials: { account in
                let claims = TokenClaims(account: account, permissions: [.call], expires: Date() + 86_400)
                return .token(issuer.sign(claims, at: Date()) ?? "")
            }
        )
        // Connections, caches and the hub's tables settle.
        try calls.run(nanoseconds: 2_000_000_000)
        _ = calls.take()
    }

    /// Measures a stretch of time in slices of a second, whose spread is the noise.
    private mutating func measure(_ load: Load) throws(BenchmarkError) {
        let signInLoad = try start(load)
        // The clients connect, and the effects of the previous stretch end.
        try calls.run(nanoseconds: 1_000_000_000)
        _ = calls.take()
        let before = try (hub.statistics.cpuNanoseconds(), passwordNanoseconds(), monotonicNanoseconds())
        var slices: [CallStatistics] = []
        for _ in 0..<options["--seconds"] {
            try calls.run(nanoseconds: 1_000_000_000)
            slices.append(calls.take())
        }
        let time = Double(monotonicNanoseconds() - before.2)
        let cpu = Double(try hub.statistics.cpuNanoseconds() - before.0) / time
        let passwords = Double(try passwordNanoseconds() - before.1) / time
        var tally = SignInLoad.Tally()
        if let signInLoad {
            while !signInLoad.hasEnded { try calls.run(nanoseconds: 50_000_000) }
            tally = try read(signInLoad)
        }
        stretches.append(
            SignInsReport.Stretch(
                load: load,
                slices: slices,
                signIns: tally,
                cpuShare: cpu,
                passwordShare: passwords,
                residentBytes: try hub.statistics.residentBytes()
            )
        )
        // The clients that were answered last disconnect.
        try calls.run(nanoseconds: 500_000_000)
    }

    private func passwordNanoseconds() throws(BenchmarkError) -> UInt64 {
        try hub.statistics.cpuNanoseconds(ofThreadsNamed: "callhub-passwd")
    }

    private func start(_ load: Load) throws(BenchmarkError) -> ChildProcess? {
        guard load != .nobody else { return nil }
        let clients = load == .one ? 1 : options["--clients"]
        let words = [String(hub.address.port), String(options["--seconds"] + 2), String(clients)]
        return try ChildProcess(path: options.program, arguments: ["sign-in-crowd"] + words)
    }

    private func read(_ signInLoad: ChildProcess) throws(BenchmarkError) -> SignInLoad.Tally {
        do {
            return try JSONDecoder().decode(SignInLoad.Tally.self, from: Data(signInLoad.printed.utf8))
        } catch {
            throw BenchmarkError("the sign-in clients failed: \(signInLoad.printed)\(hub.child.lastOutput)")
        }
    }
}
