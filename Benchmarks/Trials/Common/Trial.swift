import BenchmarkSupport

/// The trials, by the words that name them.
enum Trial: String, CaseIterable {
    case slowListener = "slow-listener"
    case networks
    case abuse
    case signIns = "sign-ins"
    case fullDisk = "full-disk"
    case soak
    case kill

    /// All of the words, for people.
    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// Runs it and prints its report.
    ///
    /// - Returns: The process's exit code.
    func run(_ options: TrialOptions) async throws(BenchmarkError) -> CInt {
        switch self {
        case .slowListener: try conclude(SlowListenerTrial.run(options), options)
        case .networks: try conclude(await NetworksTrial.run(options), options)
        case .abuse: try conclude(AbuseTrial.run(options), options)
        case .signIns: try conclude(SignInsTrial.run(options), options)
        case .fullDisk: try conclude(await FullDiskTrial.run(options), options)
        case .soak: try conclude(await SoakTrial.run(options), options)
        case .kill: try conclude(await KillTrial.run(options), options)
        }
    }

    /// Prints the report and judges it.
    private func conclude(_ report: some TrialReport, _ options: TrialOptions) throws(BenchmarkError) -> CInt {
        Progress.clear()
        let promises = "\n" + report.checks.map(\.line).joined()
        let doubt = report.doubts.map { "not believable: \($0)\n" }.joined()
        try write(report, text: report.text + promises + doubt, to: options.json)
        guard options.isChecking else { return 0 }
        return !report.doubts.isEmpty ? 2 : report.checks.allSatisfy(\.isKept) ? 0 : 1
    }
}

/// What a trial has found out.
protocol TrialReport: Encodable {
    /// The table, and what is to be said beside it.
    var text: String { get }
    /// The hub's promises.
    var checks: [Check] { get }
    /// Why the figures may not be the hub's: the generator or the machine was the limit.
    var doubts: [String] { get }
}
