import ScenarioSimulation
import Testing

@testable import ScenarioKit

/// Recorded digits: the times of their requests, their outcomes, and their pauses.
struct RecordedDigitsTests {
    private static let pauses = """
        alice calls bob as A
        bob: accept A
        alice: key 1,2;3 on A
        expect bob is told dtmf 12 within 4 s
        alice fulfills key A
        expect bob is told dtmf 3
        """

    @Test func `digits of one line are one expectation, and those after a semicolon wait for the user`() throws {
        let lines = try lines(of: Self.pauses)
        #expect(
            lines.suffix(4) == [
                "alice: key 1,2;3 on A", "expect bob is told dtmf 12 within 4 s", "alice fulfills key A",
                "expect bob is told dtmf 3",
            ]
        )
    }

    @Test func `digits dropped by the user are recorded as dropped`() throws {
        let scenarioText = """
            alice calls bob as A
            bob: accept A
            alice: key 1;2 on A
            alice fails key A
            alice: key 3 on A
            expect bob is told dtmf 3
            """
        let lines = try lines(of: scenarioText)
        #expect(
            lines.suffix(5) == [
                "alice: key 1;2 on A", "expect bob is told dtmf 1", "alice fails key A", "alice: key 3 on A",
                "expect bob is told dtmf 3",
            ]
        )
    }

    @Test func `digits to an unrecorded party were played if others follow`() throws {
        let scenarioText = """
            alice calls bob as A
            bob: accept A
            alice: key 1;2 on A
            alice fulfills key A
            alice: key 3 on A
            expect bob is told dtmf 3
            """
        let lines = try lines(of: scenarioText, watching: ["alice"])
        #expect(lines.suffix(3) == ["alice: key 1;2 on A", "alice fulfills key A", "alice: key 3 on A"])
    }

    @Test func `waiting digits are discarded by a hold`() throws {
        let scenarioText = """
            alice calls bob as A
            bob: accept A
            alice: key ;2 on A
            alice: hold A
            alice: unhold A
            alice: key 2 on A
            expect bob is told dtmf 2
            """
        let lines = try lines(of: scenarioText)
        #expect(!lines.contains { $0.contains("fulfills") || $0.contains("fails") })
        #expect(lines.suffix(2) == ["alice: key 2 on A", "expect bob is told dtmf 2"])
    }

    /// The lines recorded from a scenario, which must pass.
    private func lines(of scenarioText: String, watching watched: [String]? = nil) throws -> [String] {
        let scenario = try #require(try ScenarioText.scenarios(parsing: scenarioText).first)
        var style = GeneratedScenario.Style()
        (style.hasWaits, style.hasSound) = (false, false)
        let (first, generatedScenario) = try record(scenario, watching: watched, style: style)
        #expect(first.failure == nil, "\(first.failure?.expected ?? "")")
        let read = try #require(try ScenarioText.scenarios(parsing: generatedScenario.text).first)
        let run = ScenarioRunner.runVirtually(read)
        #expect(run.failure == nil, "\(run.failure?.expected ?? "")\n\(generatedScenario.text)")
        return ScenarioText.lines(of: generatedScenario.scenario)
    }
}
