import HubEngine
import HubTestSupport
import ScenarioSimulation
import Testing

@testable import ScenarioKit

/// Tests of scenarios that run in virtual time.
struct ScenarioRunTests {
    @Test func `received audio is in the result, with receiver and time`() throws {
        let record = try runScenario(SharedScenarios.swapAndMerge)
        #expect(record.verdict == .passed)
        let alice = try #require(record.devices.first { $0.deviceReference == DeviceReference("alice") })
        #expect(alice.receivedVoices.map(\.voices).contains([.party("carol"), .party("bob")]))
        #expect(alice.receivedVoices.allSatisfy { !$0.voices.contains(.party("alice")) })
        let carol = try #require(record.devices.first { $0.deviceReference == DeviceReference("carol") })
        #expect(carol.held.map(\.call) == ["A", "B", "A"])
        #expect(carol.audio.count == 4)
        #expect(carol.audio.map(\.calls).prefix(2) == [["A"], ["B"]])
        #expect(carol.messages.contains { $0.kind == .request && $0.summary == "merge A with B" })
    }

    @Test func `the same seed gives the same run, another seed a different one`() throws {
        let scenarioText = """
            parties alice, bob
            at random within 200 ms:
                alice: do not disturb on
                bob: do not disturb on
            alice calls bob as A
            """
        func trace(_ seed: UInt64) throws -> [String] {
            try runScenario(scenarioText, seed: seed).devices.flatMap { device in
                device.messages.map { "\(device.deviceReference) \($0.at) \($0.json ?? "")" }
            }
        }
        #expect(try trace(1) == trace(1))
        #expect(try trace(1) != trace(2))
    }

    @Test func `the order of steps in any order depends on the seed`() throws {
        let scenarioText = """
            parties alice, bob, carol, dave, erin
            in any order:
                alice: do not disturb on
                bob: do not disturb on
                carol: do not disturb on
                dave: do not disturb on
                erin: do not disturb on
            """
        let orders = try (1...5).map { try runScenario(scenarioText, seed: $0).steps.dropFirst().map(\.text) }
        #expect(Set(orders).count > 1)
        #expect(orders.allSatisfy { Set($0).count == 5 })
    }

    @Test func `with together, all requests are sent before the first reply`() throws {
        let record = try runScenario("together:\n    alice calls bob as A\n    carol calls bob as B")
        #expect(record.verdict == .passed)
        let begun = record.steps.dropFirst().map(\.begin)
        #expect(Set(begun).count == 1)
    }

    @Test func `a call that rings for a minute of virtual time takes no real time`() throws {
        let record = try runScenario("patience 70 s\nalice calls bob as A\nexpect alice's A ended: unanswered")
        #expect(record.verdict == .passed)
        #expect(record.duration > .seconds(60))
    }

    @Test func `within is measured from the previous step`() throws {
        let scenarioText = "alice calls bob as A\nbob: accept A\nbob is silent\nwait 1 s\nbob speaks\n"
        #expect(try runScenario(scenarioText + "expect alice hears bob within 60 ms").verdict == .passed)
        let late = scenarioText.replacing("bob speaks", with: "bob is delayed by 300 ms\nbob speaks")
        #expect(try runScenario(late + "expect alice hears bob within 100 ms").failure != nil)
    }

    @Test func `a party that plays a file is recognised by its audio`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.wave("song.wav", hertz: [220, 350, 510, 280])
        let call = "alice calls bob as A\nbob: accept A\nexpect alice hears bob\nexpect bob hears alice"
        let scenarioText = "parties alice\nparty bob: plays \(file)\n\(call)"
        #expect(try runScenario(scenarioText).verdict == .passed)
        let missing = try runScenario("parties alice\nparty bob: plays no-such-file.ogg\nalice calls bob as A")
        #expect(missing.failure?.actual.contains("no-such-file.ogg") ?? false)
    }

    @Test func `a party that plays a file with pauses is detected during them, and a pause is not silence`() throws {
        let folder = try TemporaryFolder()
        // Hertz of 0 are 180 ms of silence each: half a second, and nearly two seconds.
        let file = try folder.wave("song.wav", hertz: [220, 350, 510, 0, 0, 0, 280, 350])
        let scenarioText = "parties alice\nparty bob: plays \(file)\nalice calls bob as A\nbob: accept A\n"
        #expect(try runScenario(scenarioText + "expect alice hears bob for 4 s").failure?.actual == nil)
        let wrong = try runScenario(scenarioText + "expect alice hears bob\nexpect alice hears nothing")
        #expect(wrong.failure?.expected == "alice hears nothing")
        let held = try runScenario(scenarioText + "expect alice hears bob\nbob: hold A\nexpect alice hears nothing")
        #expect(held.failure?.actual == nil)
        let silenced = try runScenario(scenarioText + "expect alice hears bob\nbob: hold A\nexpect alice hears bob")
        #expect(silenced.failure?.expected == "alice hears bob")
    }

    @Test func `a file with too much silence is refused with a sentence`() throws {
        let folder = try TemporaryFolder()
        let scenarioText = "parties alice\nparty bob: plays FILE\nalice calls bob as A"
        let file = try folder.wave("song.wav", hertz: [220, 350] + Array(repeating: 0, count: 12))
        let long = try runScenario(scenarioText.replacing("FILE", with: file))
        #expect(long.failure?.actual.contains("song.wav is silent for 2.") ?? false, "\(long.failure?.actual ?? "")")
        let mute = try folder.wave("mute.wav", hertz: [0])
        let never = try runScenario(scenarioText.replacing("FILE", with: mute))
        #expect(never.failure?.actual.contains("mute.wav is indistinguishable from silence") ?? false)
    }

    @Test func `steps are reported as they occur`() throws {
        final class Listener: RunObserver {
            var told: [String] = []
            func began(_ step: StepRecord) { told.append("> \(step.text)") }
            func ended(_ step: StepRecord, isFailed: Bool) { told.append("\(isFailed ? "✗" : "✓") \(step.text)") }
        }
        let text = "alice calls bob as A\nexpect bob's A is held within 50 ms"
        let scenario = try #require(try ScenarioText.scenarios(parsing: text).first)
        let listener = Listener()
        _ = ScenarioRunner.runVirtually(scenario, observer: listener)
        #expect(
            listener.told == [
                "> alice calls bob as A", "✓ alice calls bob as A", "> expect bob's A is held within 50 ms",
                "✗ expect bob's A is held within 50 ms",
            ]
        )
    }
}
