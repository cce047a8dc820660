import BenchmarkClient
import BenchmarkSupport
import Glibc
import HubTestSupport

/// Random callers with random faults, for as long as requested.
///
/// At intervals all devices rest, and their counts are compared with the hub's.
struct SoakTrial {
    private let options: TrialOptions
    private let hub: TrialHub
    private let devicePool: SoakDevicePool
    private var audit: SoakAudit
    private let started = monotonicNanoseconds()

    /// Runs the soak.
    static func run(_ options: TrialOptions) async throws(BenchmarkError) -> SoakReport {
        say("seed \(options["--seed"])")
        var soak = try SoakTrial(options)
        return try await soak.run()
    }

    private init(_ options: TrialOptions) throws(BenchmarkError) {
        self.options = options
        hub = try TrialHub(options, configuration: Self.configuration)
        devicePool = try SoakDevicePool(options, port: Int(hub.address.port))
        audit = try SoakAudit(hub, devicePool)
    }

    /// Short times, so that much happens.
    ///
    /// A call rings for 6 s, a lost connection is kept for 6 s, silence is noticed after 3 s.
    private static let configuration = """
        {
          calls: {ringTimeoutSeconds: 6, startDeadlineSeconds: 8, answerDeadlineSeconds: 5, actionDeadlineSeconds: 2,
                  softPauseSeconds: 1},
          session: {resumeGraceSeconds: 6, pingIntervalSeconds: 1, silenceTimeoutSeconds: 3},
          limits: {maximumRecents: 50},
          checks: {invariantsMilliseconds: 20},
        }
        """

    private mutating func run() async throws(BenchmarkError) -> SoakReport {
        let end = started + UInt64(options["--minutes"]) * 60_000_000_000
        devicePool.begin()
        var rounds = 0
        while monotonicNanoseconds() < end {
            let roundEnd = min(end, monotonicNanoseconds() + UInt64(options["--interval"]) * 1_000_000_000)
            devicePool.setActive(true)
            while monotonicNanoseconds() < roundEnd {
                show()
                await pause(milliseconds: 500)
                try await audit.sample()
            }
            rounds += 1
            try await audit.rest(number: rounds, after: seconds)
            if let fault = audit.faults.last, fault.round == rounds { say("round \(rounds): \(fault.text)") }
        }
        try await audit.finish(after: seconds)
        return SoakReport(options, audit, devicePool, seconds: seconds, rounds: rounds)
    }

    private var seconds: Double { Double(monotonicNanoseconds() - started) / 1e9 }

    private func show() {
        let counts = devicePool.counters.counts
        Progress.show(
            "\(Int(seconds)) s: \(counts.deeds) actions, \(counts.faults) faults, \(counts.callsEnded) calls ended, "
                + "\(counts.packetsSent) packets, \(audit.faults.count) findings"
        )
    }
}

/// Sleeps for that many milliseconds.
func pause(milliseconds: Int) async {
    try? await Task.sleep(for: .milliseconds(milliseconds))
}
