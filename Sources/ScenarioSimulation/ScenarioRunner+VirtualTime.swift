public import ScenarioKit

extension ScenarioRunner {
    /// Runs a scenario in virtual time on the caller's thread, with a hub of its own in this process.
    ///
    /// The same scenario and seed give the same run.
    ///
    /// - Parameters:
    ///   - scenario: The scenario to run.
    ///   - file: The scenario's file, in whose folder sound files are; nil: the working directory.
    ///   - seed: The seed of the random numbers if the scenario has none.
    ///   - observer: The observer of the steps; nil: none.
    /// - Returns: The record of the run.
    public static func runVirtually(
        _ scenario: Scenario,
        file: String? = nil,
        seed: UInt64 = 1,
        observer: (any RunObserver)? = nil
    ) -> RunResult {
        guard scenario.partiesUnderTest.isEmpty else {
            let why =
                scenario.reasonForApps
                ?? "apps under test cannot connect to a hub in virtual time, and \(scenario.underTestDescription)"
            return skipped(scenario, file, seed, why)
        }
        var random = ScenarioRandomSource(seed: seed)
        do {
            let environment = try VirtualTestEnvironment(scenario.settings, seed: random.next())
            let accounts = Accounts(scenario, .unsuffixed)
            return run(
                scenario,
                on: environment,
                accounts: accounts,
                file: file,
                seed: seed,
                random: random,
                observer: observer
            )
        } catch {
            return failed(scenario, file, seed, "\(error)")
        }
    }
}
