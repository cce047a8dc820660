import Foundation
import Testing

@testable import ScenarioKit

/// The library's scenarios, recorded while they run; the recorded ones must pass too.
struct RecordedLibraryTests {
    @Test(arguments: ScenarioLibraryTests.files)
    func `a recorded scenario passes, and recording it again gives the same`(_ file: String) throws {
        for scenario in try ScenarioLibraryTests.scenarios(file) where scenario.isRecordable {
            var style = GeneratedScenario.Style()
            style.title = scenario.title
            let (run, generatedScenario) = try record(scenario, style: style)
            #expect(run.failure == nil)
            let read: [Scenario]
            do { read = try ScenarioText.scenarios(parsing: generatedScenario.text) } catch {
                Issue.record("\(file): \(error)\n\(generatedScenario.text)")
                continue
            }
            let again = try expectTrue(read[0], style, "\(file), recorded")
            let text = ScenarioText.text(of: again.scenario)
            guard scenario.hasManualParty else {
                #expect(text == ScenarioText.text(of: generatedScenario.scenario), "\(file)")
                continue
            }
            // Events between an action and its fulfilment follow the effects of both from the second recording on.
            let settled = try expectTrue(again.scenario, style, "\(file), recorded anew")
            #expect(ScenarioText.text(of: settled.scenario) == text, "\(file)")
        }
    }

    /// Runs a recorded scenario, which must pass, and records it again.
    private func expectTrue(_ scenario: Scenario, _ style: GeneratedScenario.Style, _ what: String) throws
        -> GeneratedScenario
    {
        let (run, generatedScenario) = try record(scenario, style: style)
        let line = run.failure?.step.map { run.steps[$0].text } ?? ""
        let (expected, actual) = (run.failure?.expected ?? "", run.failure?.actual ?? "")
        #expect(run.failure == nil, "\(what): \(line): \(expected) \(actual)\n\(ScenarioText.text(of: scenario))")
        return generatedScenario
    }
}

extension Scenario {
    fileprivate var hasManualParty: Bool { parties.contains(where: \.isManual) }

    /// Indicates that all of the scenario's steps show in devices' notifications (docs/scenarios.md, Recording).
    fileprivate var isRecordable: Bool {
        settings.pushWait == nil && !parties.contains(where: \.isOneMachine)
            && steps.allSatisfy(\.stepAction.isRecordable)
    }
}

extension StepAction {
    fileprivate var isRecordable: Bool {
        switch self {
        case .hub, .clockJumps, .changeAccountData, .invalidate, .configure: false
        case .transaction(_, let actions, _): !actions.contains { if case .transfer = $0 { true } else { false } }
        case .respond(_, let response, _, _): response == .fulfills
        case .executed(_, let isHandled): !isHandled
        case .together(let steps), .inAnyOrder(let steps), .atRandom(_, let steps):
            steps.allSatisfy(\.stepAction.isRecordable)
        default: true
        }
    }
}
