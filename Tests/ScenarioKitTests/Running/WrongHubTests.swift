import HubEngine
import HubWire
import Testing

@testable import ScenarioKit

/// What a wrong hub does is found out in every run, though the scenario expects nothing of the kind.
struct WrongHubTests {
    private static let swap = """
        alice calls carol as A
        carol: accept A
        bob calls carol as B
        carol: hold and accept B
        wait 200 ms
        carol: swap
        wait 200 ms
        """

    @Test func `a right hub breaks no rule`() throws {
        #expect(try Self.run(Self.swap) { $0 }.failure == nil)
    }

    @Test func `a relay that leaks three frames after a swap is caught`() throws {
        var sounds: [Int: [Happening]] = [:]
        var isHeld: Set<Int> = []
        let record = try Self.run(Self.swap) { happenings in
            var changed: [Happening] = []
            for happening in happenings {
                changed.append(happening)
                if happening.isSound { sounds[happening.line, default: []].append(happening) }
                guard case .callChanged(let call)? = happening.notification, call.remoteIsOnHold,
                    happening.at > .milliseconds(100), isHeld.insert(happening.line).inserted
                else { continue }
                changed += sounds[happening.line, default: []].suffix(3)
            }
            return changed
        }
        let failure = try #require(record.failure)
        #expect(failure.expected.contains("hears"))
        #expect(failure.came.hasPrefix("bob hears carol"))
    }

    @Test func `a hold that is only announced is caught`() throws {
        let story = "alice calls bob as A\nbob: accept A\nwait 100 ms\nalice: hold A\nwait 100 ms"
        var sounds: [Int: Happening] = [:]
        let record = try Self.run(story) { happenings in
            let isHeld = happenings.contains { happening in
                if case .callChanged(let call)? = happening.notification { call.isOnHold } else { false }
            }
            for happening in happenings where happening.isSound { sounds[happening.line] = happening }
            let kept = happenings.filter { happening in
                if case .didDeactivateAudioSession? = happening.notification { false } else { true }
            }
            return isHeld ? kept + sounds.values.sorted { $0.line < $1.line } : happenings
        }
        #expect(record.failure != nil)
    }

    @Test func `an answer that activates audio before it is fulfilled is caught`() throws {
        let record = try Self.run("alice calls bob as A\nbob: accept A\nwait 100 ms") { happenings in
            // The activation goes ahead of the answer, with the numbers in order all the same.
            guard
                let answer = happenings.firstIndex(where: { happening in
                    if case .perform(_, let action, _, _, _)? = happening.notification {
                        action.kind == .answer
                    } else {
                        false
                    }
                }),
                let active = happenings[answer...].firstIndex(where: { happening in
                    guard happening.line == happenings[answer].line else { return false }
                    if case .didActivateAudioSession? = happening.notification { return true }
                    return false
                })
            else { return happenings }
            var changed = happenings
            let between = happenings[answer..<active].count {
                $0.line == happenings[answer].line && $0.notification != nil
            }
            let moved = changed.remove(at: active).renumbered(by: -between)
            for index in answer..<active where changed[index].line == moved.line {
                changed[index] = changed[index].renumbered(by: 1)
            }
            changed.insert(moved, at: answer)
            return changed
        }
        #expect(record.failure?.expected == "bob's audio session is active when the answer or start of A is fulfilled")
    }

    @Test(arguments: [true, false])
    func `an event that is repeated or left out is caught`(isRepeated: Bool) throws {
        var count = 0
        let record = try Self.run(Self.swap) { happenings in
            happenings.flatMap { happening in
                guard happening.notification != nil else { return [happening] }
                count += 1
                return count == 10 ? (isRepeated ? [happening, happening] : []) : [happening]
            }
        }
        let came = try #require(record.failure?.came)
        #expect(came.contains(isRepeated ? "is told again what it was told already" : "is not told everything"))
    }

    @Test func `audio that stays on over a hold is caught`() throws {
        let story = "alice calls bob as A\nbob: accept A\nalice: hold A\nwait 100 ms"
        var left: [Int: Int] = [:]
        let record = try Self.run(story) { happenings in
            happenings.compactMap { happening in
                if case .didDeactivateAudioSession? = happening.notification {
                    left[happening.line, default: 0] += 1
                    return nil
                }
                return happening.renumbered(by: -left[happening.line, default: 0])
            }
        }
        #expect(record.failure?.came.contains("A is held, and an audio session is active") ?? false)
    }

    private static func run(_ text: String, _ meddle: @escaping ([Happening]) -> [Happening]) throws -> RunRecord {
        let scenario = try #require(try ScenarioText.scenarios(parsing: text).first)
        let stage = MeddlingStage(try VirtualStage(scenario.settings, seed: 1), meddle)
        return ScenarioRunner.run(
            scenario,
            on: stage,
            suffix: "",
            file: nil,
            seed: 1,
            chance: Chance(seed: 1),
            observer: nil
        )
    }
}
