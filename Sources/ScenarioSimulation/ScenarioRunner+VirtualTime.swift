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
        return run(scenario, file: file, seed: seed, observer: observer) { overrides, seed throws in
            try VirtualTestEnvironment(overrides, seed: seed)
        }
    }

    /// Runs a scenario in virtual time on the caller's thread, on an environment that is made for it.
    ///
    /// - Parameters:
    ///   - scenario: The scenario to run.
    ///   - file: The scenario's file; nil: the working directory has its sound files.
    ///   - seed: The seed of the random numbers if the scenario has none.
    ///   - observer: The observer of the steps; nil: none.
    ///   - interruption: A switch that interrupts the run; nil: none.
    ///   - makeEnvironment: Makes the environment, given the hub's settings and the seed of its random numbers.
    /// - Returns: The record of the run.
    package static func run(
        _ scenario: Scenario,
        file: String?,
        seed: UInt64,
        observer: (any RunObserver)? = nil,
        interruption: Interruption? = nil,
        makeEnvironment: (HubOverrides, UInt64) throws -> any TestEnvironment
    ) -> RunResult {
        var random = ScenarioRandomSource(seed: seed)
        do {
            let environment = try makeEnvironment(scenario.settings, random.next())
            return run(
                scenario,
                on: environment,
                accounts: Accounts(scenario, .unsuffixed),
                file: file,
                seed: seed,
                random: random,
                observer: observer,
                interruption: interruption
            )
        } catch {
            return failed(scenario, file, seed, "\(error)")
        }
    }
}
