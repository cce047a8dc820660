import HubEngine
import HubMedia

/// A runner of scenarios, which returns a record of each run.
public enum ScenarioRunner {
    /// Runs a scenario in real time on the caller's thread.
    ///
    /// - Parameters:
    ///   - scenario: The scenario to run; it is skipped if it needs a hub of its own and this is none.
    ///   - hub: The hub; for a scenario that needs one of its own, one that was started for it.
    ///   - naming: The naming of the parties' accounts; nil: unsuffixed if the scenario needs its own hub, else unique.
    ///   - file: The scenario's file, in whose folder sound files are; nil: the working directory.
    ///   - seed: The seed of the random numbers if the scenario has none.
    ///   - observer: The observer of the steps; nil: none.
    ///   - interruption: A switch that interrupts the run; nil: none.
    /// - Returns: The record of the run.
    public static func run(
        _ scenario: Scenario,
        at hub: RealHub,
        naming: AccountNaming? = nil,
        file: String? = nil,
        seed: UInt64 = 1,
        observer: (any RunObserver)? = nil,
        interruption: Interruption? = nil
    ) -> RunResult {
        run(
            scenario,
            at: hub,
            accounts: Accounts(scenario, naming ?? (scenario.needsOwnHub ? .unsuffixed : .unique)),
            file: file,
            seed: seed,
            observer: observer,
            interruption: interruption
        )
    }

    /// Runs a scenario in real time with given accounts.
    static func run(
        _ scenario: Scenario,
        at hub: RealHub,
        accounts: Accounts,
        file: String? = nil,
        seed: UInt64,
        observer: (any RunObserver)?,
        interruption: Interruption?
    ) -> RunResult {
        if let reason = scenario.reasonForApps { return skipped(scenario, file, seed, reason) }
        if scenario.needsOwnHub, !hub.isChildProcess {
            return skipped(scenario, file, seed, "it needs a hub of its own")
        }
        if interruption?.isOn ?? false { return skipped(scenario, file, seed, "it was interrupted") }
        var random = ScenarioRandomSource(seed: seed)
        _ = random.next()
        return run(
            scenario,
            on: SocketTestEnvironment(hub, outlivesRun: !scenario.needsOwnHub),
            accounts: accounts,
            file: file,
            seed: seed,
            random: random,
            observer: observer,
            interruption: interruption
        )
    }

    /// Runs a scenario on a test environment, and ends the test environment.
    package static func run(
        _ scenario: Scenario,
        on environment: any TestEnvironment,
        accounts: Accounts,
        file: String?,
        seed: UInt64,
        random: ScenarioRandomSource,
        observer: (any RunObserver)?,
        interruption: Interruption? = nil
    ) -> RunResult {
        defer { environment.end() }
        let record = RunResult(scenario, file: file, seed: seed)
        let toneSenders = scenario.toneSenders.count
        guard toneSenders <= ScenarioLimits.toneSenders else {
            return failed(scenario, file, seed, ScenarioLimits.tooManyToneSenders(toneSenders))
        }
        do {
            let files = try soundFiles(scenario, beside: file)
            let devicePool = try DevicePool(scenario, on: environment, accounts: accounts, files: files, random: random)
            return Run(scenario, record, devicePool, observer, interruption).perform()
        } catch {
            return failed(scenario, file, seed, "\(error)")
        }
    }

    /// Returns the record of a run that could not begin.
    package static func failed(_ scenario: Scenario, _ file: String?, _ seed: UInt64, _ why: String) -> RunResult {
        var record = RunResult(scenario, file: file, seed: seed)
        record.verdict = .failed(Failure(step: nil, expected: "the run begins", actual: why))
        return record
    }

    /// Returns the record of a run that is not possible here.
    package static func skipped(_ scenario: Scenario, _ file: String?, _ seed: UInt64, _ why: String) -> RunResult {
        var record = RunResult(scenario, file: file, seed: seed)
        record.verdict = .skipped(why)
        return record
    }

    /// Returns the packets of each played file, by the name in the scenario.
    private static func soundFiles(_ scenario: Scenario, beside file: String?) throws -> [String: [[UInt8]]] {
        var files: [String: [[UInt8]]] = [:]
        let folder = SoundFolder(beside: file)
        for (_, name) in DevicePool.filePlayers(scenario) where files[name] == nil {
            files[name] = try SoundFile.packets(folder.path(of: name))
        }
        return files
    }
}
