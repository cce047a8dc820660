import ScenarioKit
import Testing

/// Scenarios written as text and parsed again.
@Suite struct ScenarioTextTests {
    @Test func `a written scenario is parsed to the same scenario`() throws {
        for seed in 0..<600 as Range<UInt64> {
            let scenario = RandomScenario.make(seed: seed)
            let text = ScenarioText.text(of: scenario)
            let read = try parsed(text, seed: seed)
            try #require(read.map(\.withoutPlaces) == [scenario], "seed \(seed):\n\(text)")
        }
    }

    @Test func `writing a parsed scenario gives the same text`() throws {
        for seed in 600..<700 as Range<UInt64> {
            let text = ScenarioText.text(of: RandomScenario.make(seed: seed))
            let read = try parsed(text, seed: seed)
            #expect(read.map(ScenarioText.text) == [text], "seed \(seed)")
            #expect(read[0].steps.map(\.line) == read[0].steps.map(\.line).sorted())
        }
    }

    @Test func `a variant has a comment with its combination`() throws {
        let scenarios = try ScenarioText.scenarios(
            parsing: "for each HOW of accept, decline\nalice calls bob\nbob: {HOW} A\n"
        )
        let texts = scenarios.map(ScenarioText.text)
        #expect(texts.map { $0.contains("# HOW = accept") } == [true, false])
        #expect(texts.map { $0.contains("bob: decline A") } == [false, true])
        for (text, scenario) in zip(texts, scenarios) {
            let read = try ScenarioText.scenarios(parsing: text)
            #expect(read[0].withoutPlaces.steps == scenario.withoutPlaces.steps)
        }
    }

    private func parsed(_ text: String, seed: UInt64) throws -> [Scenario] {
        do {
            return try ScenarioText.scenarios(parsing: text)
        } catch {
            Issue.record("seed \(seed): \(error)\n\(text)")
            throw error
        }
    }
}
