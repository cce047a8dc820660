import BenchmarkSupport

/// The results of a soak.
struct SoakReport: TrialReport {
    /// The limit of growth of resident memory, in KB a minute: the allocator alone causes as much in a short run.
    private static let growthLimit = 64.0

    var seed: Int
    var minutes: Double
    var accounts: Int
    var devices: Int
    var rounds: Int
    var deeds: Int
    var deedsByName: [String: Int]
    var faults: Int
    var signIns: Int
    var resumes: Int
    var resets: Int
    var refusalsByCode: [Int: Int]
    var unanswered: Int
    var callsEnded: Int
    var callsEndedByCause: [String: Int]
    var mostCalls: Int
    var packetsSent: Int
    var packetsReceived: Int
    var packetsRelayed: Int
    var packetsHeard: Int
    var packetsDropped: [String: Int]
    var invariantChecks: Int
    var invariantViolations: Int
    var hubCPUSeconds: Double
    var generatorCPUSeconds: Double
    var lateFrames: Int
    var peakResidentBytes: Int
    var rests: [SoakAudit.Rest]
    /// The growth of resident memory in a minute, from a third of the run on; nil: too few rests to say.
    var growthKilobytesPerMinute: Double?
    var findings: [SoakAudit.Finding]

    init(_ options: TrialOptions, _ audit: SoakAudit, _ devicePool: SoakDevicePool, seconds: Double, rounds: Int) {
        let counts = devicePool.counters.counts
        let metrics = audit.metrics
        seed = options["--seed"]
        minutes = seconds / 60
        accounts = options["--accounts"]
        devices = options["--devices"]
        self.rounds = rounds
        (deeds, faults, deedsByName) = (counts.deeds, counts.faults, counts.deedsByName)
        (signIns, resumes, resets) = (counts.signIns, counts.resumes, counts.resets)
        (refusalsByCode, unanswered) = (counts.refusalsByCode, counts.unanswered)
        (callsEnded, callsEndedByCause) = (counts.callsEnded, counts.callsEndedByCause)
        mostCalls = audit.mostCalls
        (packetsSent, packetsHeard, lateFrames) = (counts.packetsSent, counts.packetsHeard, counts.lateFrames)
        packetsReceived = metrics["callhub_audio_packets_received_total"]
        packetsRelayed = metrics["callhub_audio_packets_relayed_total"]
        packetsDropped = metrics.byLabel("callhub_audio_packets_dropped_total").filter { $0.value > 0 }
        invariantChecks = metrics["callhub_invariant_checks_total"]
        invariantViolations = metrics["callhub_invariant_violations_total"]
        hubCPUSeconds = Double(audit.cpuNanoseconds) / 1e9
        generatorCPUSeconds = Double(audit.ownNanoseconds) / 1e9
        peakResidentBytes = audit.peakBytes
        rests = audit.rests
        growthKilobytesPerMinute = Self.growth(audit.rests)
        findings = audit.faults
    }

    /// Returns the slope of the regression line through the rests after the first third; nil for fewer than 8 rests.
    static func growth(_ rests: [SoakAudit.Rest]) -> Double? {
        let settled = rests.dropFirst(rests.count / 3)
        guard settled.count >= 8 else { return nil }
        let count = Double(settled.count)
        let meanTime = settled.map { $0.seconds / 60 }.reduce(0, +) / count
        let meanSize = settled.map { Double($0.residentBytes) / 1024 }.reduce(0, +) / count
        var (product, square) = (0.0, 0.0)
        for rest in settled {
            let time = rest.seconds / 60 - meanTime
            product += time * (Double(rest.residentBytes) / 1024 - meanSize)
            square += time * time
        }
        return square > 0 ? product / square : nil
    }

    var checks: [Check] {
        var checks = [
            Check(name: "findings", value: Double(findings.count), limit: 0),
            Check(name: "broken rules of the engine", value: Double(invariantViolations), limit: 0),
        ]
        if let growth = growthKilobytesPerMinute {
            checks.append(Check(name: "KB that the hub grows a minute", value: growth, limit: Self.growthLimit))
        }
        return checks
    }

    var doubts: [String] {
        var doubts: [String] = []
        if invariantChecks == 0 { doubts.append("the hub has never checked its invariants") }
        if callsEnded == 0 || packetsHeard == 0 || resumes == 0 { doubts.append("hardly anything has happened") }
        if Double(lateFrames) > minutes * 60 * 50 * 0.05 {
            doubts.append("the generator was late with more than one frame of twenty: the machine had no time for it")
        }
        return doubts
    }

    var text: String {
        let megabytes = { (bytes: Int) in fixed(Double(bytes) / 1_048_576, 1) }
        let causes = callsEndedByCause.sorted { $0.value > $1.value }.map { "\($0.key) \($0.value)" }
        let drops = packetsDropped.sorted { $0.value > $1.value }.map { "\($0.key) \($0.value)" }
        let words = deedsByName.sorted { $0.value > $1.value }.map { "\($0.key) \($0.value)" }
        let rows: [[String]] = [
            ["", "figure", "value"],
            ["", "seed, minutes, devices of accounts", "\(seed), \(fixed(minutes, 1)), \(devices) of \(accounts)"],
            ["", "actions, of these faults", "\(deeds), \(faults)"],
            ["", "sign-ins, resumes, sessions lost for good", "\(signIns), \(resumes), \(resets)"],
            ["", "legs of calls ended, most at once", "\(callsEnded), \(mostCalls)"],
            ["", "packets sent, received by the hub", "\(packetsSent), \(packetsReceived)"],
            ["", "packets forwarded, received", "\(packetsRelayed), \(packetsHeard)"],
            ["", "refusals, requests without answer", "\(refusalsByCode.values.reduce(0, +)), \(unanswered)"],
            [
                "", "rests, checks of the engine's invariants, violations",
                "\(rounds), \(invariantChecks), \(invariantViolations)",
            ],
            ["", "hub MB at the first rest, the last, the most", memory(megabytes)],
            ["", "hub KB more a minute", growthKilobytesPerMinute.map { fixed($0, 1) } ?? "too short to say"],
            ["", "CPU seconds: hub, generator", "\(fixed(hubCPUSeconds, 0)), \(fixed(generatorCPUSeconds, 0))"],
        ]
        return Table(lines: rows).text + "\nended: \(causes.joined(separator: ", "))\n"
            + "dropped: \(drops.joined(separator: ", "))\nactions: \(words.joined(separator: ", "))\n"
            + findings.map { "FOUND in round \($0.round), \(fixed($0.seconds, 0)) s: \($0.text)\n" }.joined()
    }

    private func memory(_ megabytes: (Int) -> String) -> String {
        let values = [rests.first?.residentBytes ?? 0, rests.last?.residentBytes ?? 0, peakResidentBytes]
        return values.map(megabytes).joined(separator: ", ")
    }
}
