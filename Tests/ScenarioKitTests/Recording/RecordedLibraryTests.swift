import Foundation
import Testing

@testable import ScenarioKit

/// The library's scenarios, recorded while they run, are scenarios that come true.
struct RecordedLibraryTests {
    @Test(arguments: LibraryTests.files)
    func `what was recorded comes true, and recorded again is the same`(_ file: String) throws {
        for scenario in try LibraryTests.scenarios(file) where scenario.isRecordable {
            var style = Recording.Style()
            style.title = scenario.title
            let (run, recording) = try record(scenario, style: style)
            #expect(run.failure == nil)
            let read: [Scenario]
            do { read = try ScenarioText.scenarios(parsing: recording.text) } catch {
                Issue.record("\(file): \(error)\n\(recording.text)")
                continue
            }
            let again = try expectTrue(read[0], style, "\(file), recorded")
            let text = ScenarioText.text(of: again.scenario)
            guard scenario.hasManualParty else {
                #expect(text == ScenarioText.text(of: recording.scenario), "\(file)")
                continue
            }
            // What fell between an action and its fulfilment stands behind what came of both, from now on.
            let settled = try expectTrue(again.scenario, style, "\(file), recorded anew")
            #expect(ScenarioText.text(of: settled.scenario) == text, "\(file)")
        }
    }

    /// Runs what was recorded, which must come true, and records that.
    private func expectTrue(_ scenario: Scenario, _ style: Recording.Style, _ what: String) throws -> Recording {
        let (run, recording) = try record(scenario, style: style)
        let line = run.failure?.step.map { run.steps[$0].text } ?? ""
        let (expected, came) = (run.failure?.expected ?? "", run.failure?.came ?? "")
        #expect(run.failure == nil, "\(what): \(line): \(expected) \(came)\n\(ScenarioText.text(of: scenario))")
        return recording
    }
}

extension Scenario {
    fileprivate var hasManualParty: Bool { parties.contains(where: \.isManual) }

    /// Indicates that all of the scenario's steps show in devices' notifications (docs/scenarios.md, Recording).
    fileprivate var isRecordable: Bool {
        settings.wakeWait == nil && steps.allSatisfy(\.deed.isRecordable)
    }
}

extension Deed {
    fileprivate var isRecordable: Bool {
        switch self {
        case .hub, .clockJumps, .remember, .invalidate, .configure: false
        case .settle(_, let settling, _, _): settling == .fulfills
        case .executed(_, let isHandled): !isHandled
        case .together(let steps), .inAnyOrder(let steps), .atRandom(_, let steps):
            steps.allSatisfy(\.deed.isRecordable)
        default: true
        }
    }
}
