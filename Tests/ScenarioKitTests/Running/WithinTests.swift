import HubEngine
import HubTestSupport
import Testing

@testable import ScenarioKit

/// Tests of the time limits for expected sound and silence, and of the passing of time.
struct WithinTests {
    private static let call = "alice calls bob as A\nbob: accept A\n"

    @Test func `silence that begins in time satisfies its timeout, however short`() throws {
        #expect(try runScenario("parties alice, bob\nexpect bob hears nothing within 50 ms").failure == nil)
        #expect(try runScenario("parties alice, bob\nwait 1 s\nexpect nobody hears anybody within 0 ms").failure == nil)
        let scenarioText = Self.call + "expect bob hears alice\nalice is silent\nwait 1 s\nalice speaks\nwait 100 ms\n"
        #expect(try runScenario(scenarioText + "expect bob hears nothing within 50 ms").failure != nil)
    }

    @Test func `a step reports when the audio began, not when it was certain`() throws {
        let record = try runScenario(Self.call + "expect alice hears bob within 50 ms")
        #expect(record.failure == nil)
        let note = try #require(record.steps.last?.note)
        let milliseconds = try #require(Int(note.split(separator: " ")[1]))
        #expect(milliseconds <= 50, "\(note)")
    }

    @Test func `audio that began in time satisfies a later expectation`() throws {
        let scenarioText = Self.call + "expect bob hears alice\nexpect bob hears alice for 1 s\n"
        #expect(try runScenario(scenarioText + "expect alice hears bob within 100 ms").failure == nil)
    }

    @Test func `a scenario of thousands of requests stays below the hub's rate limit`() throws {
        let record = try runScenario(Self.call + "repeat 300 times:\n    bob: mute A\n    bob: unmute A")
        #expect(record.failure == nil, "\(record.failure?.actual ?? "")")
    }

    @Test func `an absent party can sign in during a call if the hub waits for it`() throws {
        let scenarioText =
            "party alice\nparty bob: away\nalice calls bob as A\nwait 200 ms\nbob signs in\nbob: accept A\nexpect alice hears bob"
        #expect(try runScenario("hub: wake wait 5 s\n" + scenarioText).failure == nil)
        #expect(try runScenario(scenarioText).failure != nil)
        let unknown = try runScenario(
            "party alice\nparty bob: away\nalice calls bob as A\nexpect alice's A ended: failed because unknownHandle"
        )
        #expect(unknown.failure == nil, "\(unknown.failure?.actual ?? "")")
    }

    @Test func `a sending party has a tone, whatever its position in the list`() throws {
        let silent = (0..<20).map { "party p\($0): silent\n" }.joined()
        let record = try runScenario(silent + "parties alice, bob\n" + Self.call + "expect alice hears bob")
        #expect(record.failure == nil)
        let many = (0..<70).map { "party p\($0): silent\n" }.joined()
        #expect(try runScenario(many + "parties alice\nalice calls tone as A\nexpect alice hears tone").failure == nil)
    }

    @Test func `a failed expectation is reported as it was written`() throws {
        let failure = try runScenario("alice calls bob as A\nexpect alice hears bob and herself within 100 ms").failure
        #expect(failure?.expected == "alice hears bob and herself")
        let never = try runScenario(Self.call + "wait 300 ms\nexpect alice never hears bob").failure
        #expect(never?.expected == "alice never hears bob")
    }
}
