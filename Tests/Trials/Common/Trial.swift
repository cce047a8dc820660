import BenchmarkSupport

/// The trials, by their names on the command line.
enum Trial: String, CaseIterable {
    case slowListener = "slow-listener"
    case networks
    case abuse
    case signIns = "sign-ins"
    case fullDisk = "full-disk"
    case renewals
    case soak
    case kill

    /// All names, separated by commas.
    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    /// Runs the trial and prints its report.
    ///
    /// - Returns: The exit code of the process: 0 kept; with `--check` also 1 broken and 2 not believable.
    func run(_ options: TrialOptions) async throws(BenchmarkError) -> CInt {
        switch self {
        case .slowListener: try conclude(SlowListenerTrial.run(options), options)
        case .networks: try conclude(await NetworksTrial.run(options), options)
        case .abuse: try conclude(AbuseTrial.run(options), options)
        case .signIns: try conclude(SignInsTrial.run(options), options)
        case .fullDisk: try conclude(await FullDiskTrial.run(options), options)
        case .renewals: try conclude(RenewalsTrial.run(options), options)
        case .soak: try conclude(await SoakTrial.run(options), options)
        case .kill: try conclude(await KillTrial.run(options), options)
        }
    }

    /// Prints the report and returns the exit code.
    private func conclude(_ report: some TrialReport, _ options: TrialOptions) throws(BenchmarkError) -> CInt {
        var all = BenchmarkReport("callhub-trials")
        all.add(rawValue, report, text: report.text, checks: report.checks)
        for doubt in report.doubts { all.doubt(doubt) }
        return try all.conclude(json: options.json, isChecking: options.isChecking)
    }
}

/// The results of a trial.
protocol TrialReport: Encodable {
    /// The table, with the lines that belong to it.
    var text: String { get }
    /// The hub's thresholds, each with the figure held against it.
    var checks: [Check] { get }
    /// The reasons why the figures may not be the hub's: the generator or the machine was the limit.
    var doubts: [String] { get }
}
