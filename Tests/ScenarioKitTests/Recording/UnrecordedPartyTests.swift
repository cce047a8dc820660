import ScenarioSimulation
import Testing

@testable import ScenarioKit

/// Parties without a recorded account, derived from the calls of recorded ones.
struct UnrecordedPartyTests {
    @Test(arguments: [
        ("holds/swap.scenario", "carol"), ("choices/decline.scenario", "alice"),
        ("choices/end-and-accept.scenario", "alice"), ("groups/one-leaves.scenario", "dave"),
        ("faults/drop-and-resume.scenario", "alice"),
    ])
    func `a scenario recorded from a single party passes`(_ file: String, _ watched: String) throws {
        for scenario in try ScenarioLibraryTests.scenarios(file) {
            let (_, generatedScenario) = try record(scenario, watching: [watched])
            let read = try ScenarioText.scenarios(parsing: generatedScenario.text)
            #expect(read[0].parties.count > 1, "the others take part")
            let run = ScenarioRunner.runVirtually(read[0])
            #expect(run.failure == nil, "\(run.failure?.expected ?? "")\n\(generatedScenario.text)")
        }
    }

    @Test func `a decline by an unrecorded party is in the scenario`() throws {
        let scenarioText = "alice calls bob as A\nbob: decline A\nexpect alice's A is ended"
        let scenario = try #require(try ScenarioText.scenarios(parsing: scenarioText).first)
        let (_, generatedScenario) = try record(scenario, watching: ["alice"])
        let lines = ScenarioText.lines(of: generatedScenario.scenario)
        #expect(lines.contains("bob: decline A"))
        #expect(lines.last == "expect alice's A ended: remoteEnded because declined")
    }

    @Test func `a recording without requests gives a scenario without steps`() {
        let generatedScenario = GeneratedScenario(
            of: [],
            accounts: [GeneratedScenario.Account(name: "alice", handles: [])]
        )
        #expect(generatedScenario.scenario.steps.isEmpty)
        #expect(generatedScenario.notes.isEmpty)
    }
}
