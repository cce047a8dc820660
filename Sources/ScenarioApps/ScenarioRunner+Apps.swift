import Foundation
public import ScenarioKit
import ScenarioSimulation

extension ScenarioRunner {
    /// Runs a scenario in virtual time with apps as the phones of its parties under test.
    ///
    /// The steps of such a party are done by the app, or by the user of its device on the call screen; its calls, its
    /// notifications and the sound that its user hears can be expected like those of other parties. The run has a
    /// thread of its own; when the task is cancelled, it fails.
    ///
    /// - Parameters:
    ///   - text: The text of a single scenario, as in a file.
    ///   - apps: The apps by the names of the parties.
    ///   - seed: The seed of the random numbers if the scenario has none.
    /// - Returns: The record of the run; its `verdict` is `.passed` if all steps were done and all expectations met.
    /// - Throws: ``ScenarioSyntaxErrors`` if the text is invalid or has a matrix of several scenarios.
    public static func play(_ text: String, apps: [String: TestedApp], seed: UInt64 = 1) async throws -> RunResult {
        await run(try single(text), apps: apps, seed: seed)
    }

    /// Runs a scenario in virtual time with apps as the phones of its parties under test.
    ///
    /// - Parameters:
    ///   - scenario: The scenario to run, as from ``ScenarioText/scenarios(reading:file:)``.
    ///   - apps: The apps by the names of the parties.
    ///   - file: The scenario's file, in whose folder sound files are; nil: the working directory.
    ///   - seed: The seed of the random numbers if the scenario has none.
    /// - Returns: The record of the run.
    public static func run(
        _ scenario: Scenario,
        apps: [String: TestedApp],
        file: String? = nil,
        seed: UInt64 = 1
    ) async -> RunResult {
        if let fault = fault(of: scenario, apps) { return failed(scenario, file, seed, fault) }
        let interruption = Interruption()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { (done: CheckedContinuation<RunResult, Never>) in
                let thread = Thread {
                    let record = run(scenario, file: file, seed: seed, interruption: interruption) {
                        try AppTestEnvironment($0, apps: apps, seed: $1)
                    }
                    done.resume(returning: record)
                }
                thread.stackSize = 4 << 20
                thread.name = "scenario"
                thread.start()
            }
        } onCancel: {
            interruption.interrupt()
        }
    }

    /// Returns the reason why the apps are not those of the scenario, a sentence; nil: they are.
    private static func fault(of scenario: Scenario, _ apps: [String: TestedApp]) -> String? {
        let parties = scenario.partiesUnderTest.map(\.name)
        if let party = parties.first(where: { apps[$0] == nil }) {
            return "\(party) is under test, and no app is given for it; give one, as in apps: [\"\(party)\": …]"
        }
        if let app = apps.keys.sorted().first(where: { !parties.contains($0) }) {
            let right = "\"party \(app): under test, in process\" is right"
            return "an app is given for \(app), which is not under test; \(right)"
        }
        return nil
    }
}
