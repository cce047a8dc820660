import ScenarioKit
import ScenarioSimulation
import Testing

/// The code of the article "Test your app" that needs no app.
struct TestYourAppTests {
    @Test func `the rules of a call in virtual time`() throws {
        let text = """
            alice calls bob as A
            bob: accept A
            expect alice hears bob
            alice: hold A
            expect bob hears nothing
            """
        let scenario = try #require(ScenarioText.scenarios(parsing: text).first)
        let result = ScenarioRunner.runVirtually(scenario, seed: 7)
        #expect(result.verdict == .passed, "\(LadderText(result).text)")
    }
}
