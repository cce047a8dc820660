import HubEngine
import HubMedia

/// Runs scenarios, and gives a record of what happened.
public enum ScenarioRunner {
    /// Runs a scenario in virtual time, in the caller's thread: a hub of its own in this process.
    ///
    /// The same scenario and seed give the same run.
    ///
    /// - Parameters:
    ///   - scenario: What is run.
    ///   - file: The file that it stands in; files of sound are looked for beside it.
    ///   - seed: What chance goes by where the scenario names no seed.
    ///   - observer: Is told of each step.
    /// - Returns: What happened.
    public static func runVirtually(
        _ scenario: Scenario,
        file: String? = nil,
        seed: UInt64 = 1,
        observer: (any RunObserver)? = nil
    ) -> RunRecord {
        var chance = Chance(seed: seed)
        do {
            let stage = try VirtualStage(scenario.settings, seed: chance.next())
            return run(scenario, on: stage, suffix: "", file: file, seed: seed, chance: chance, observer: observer)
        } catch {
            return failed(scenario, file, seed, "\(error)")
        }
    }

    /// Runs a scenario in real time, in the caller's thread.
    ///
    /// - Parameters:
    ///   - scenario: What is run; it is skipped where it needs a hub of its own and this is none.
    ///   - hub: Where; for a scenario that needs one of its own, one that was started for it.
    ///   - file: The file that it stands in; files of sound are looked for beside it.
    ///   - seed: What chance goes by where the scenario names no seed.
    ///   - observer: Is told of each step.
    /// - Returns: What happened.
    public static func run(
        _ scenario: Scenario,
        at hub: RealHub,
        file: String? = nil,
        seed: UInt64 = 1,
        observer: (any RunObserver)? = nil
    ) -> RunRecord {
        var chance = Chance(seed: seed)
        _ = chance.next()
        if scenario.needsOwnHub, !hub.isOwn {
            var record = RunRecord(scenario, file: file, seed: seed)
            record.verdict = .skipped("it needs a hub of its own")
            return record
        }
        let stage = SocketStage(hub)
        // Runs on one hub must not meet: each has accounts of its own.
        let suffix = scenario.needsOwnHub ? "" : AccountSuffix.next()
        return run(scenario, on: stage, suffix: suffix, file: file, seed: seed, chance: chance, observer: observer)
    }

    /// Runs a scenario on a stage, and leaves it.
    static func run(
        _ scenario: Scenario,
        on stage: any Stage,
        suffix: String,
        file: String?,
        seed: UInt64,
        chance: Chance,
        observer: (any RunObserver)?
    ) -> RunRecord {
        defer { stage.end() }
        let record = RunRecord(scenario, file: file, seed: seed)
        let speakers = scenario.parties.count { $0.mouth == .tone }
        guard speakers <= PartyTone.frequencies.count else {
            let most = PartyTone.frequencies.count
            return failed(scenario, file, seed, "\(speakers) parties speak; \(most) tones can be told apart")
        }
        do {
            let files = try soundFiles(scenario, beside: file)
            let ensemble = try Ensemble(scenario, on: stage, suffix: suffix, files: files, chance: chance)
            return Run(scenario, record, ensemble, observer).perform()
        } catch {
            return failed(scenario, file, seed, "\(error)")
        }
    }

    /// A run that could not begin.
    static func failed(_ scenario: Scenario, _ file: String?, _ seed: UInt64, _ why: String) -> RunRecord {
        var record = RunRecord(scenario, file: file, seed: seed)
        record.verdict = .failed(Failure(step: nil, expected: "the run begins", came: why))
        return record
    }

    /// The packets of each file that is played, by the name that the scenario gives it.
    private static func soundFiles(_ scenario: Scenario, beside file: String?) throws -> [String: [[UInt8]]] {
        var files: [String: [[UInt8]]] = [:]
        let folder = file?.lastIndex(of: "/").flatMap { slash in file.map { String($0[...slash]) } } ?? ""
        for (_, name) in Ensemble.filePlayers(scenario) where files[name] == nil {
            files[name] = try SoundFile.packets(name.hasPrefix("/") ? name : folder + name)
        }
        return files
    }
}
