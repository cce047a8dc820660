import ScenarioSimulation
import Testing

@testable import ScenarioKit

/// Runs the scenario of a text in virtual time.
func runScenario(_ text: String, seed: UInt64 = 1) throws -> RunResult {
    let scenario = try #require(try ScenarioText.scenarios(parsing: text).first)
    return ScenarioRunner.runVirtually(scenario, seed: seed)
}

extension RunResult {
    /// The reason of the failure; nil: the run passed.
    var failure: Failure? {
        if case .failed(let failure) = verdict { failure } else { nil }
    }
}
