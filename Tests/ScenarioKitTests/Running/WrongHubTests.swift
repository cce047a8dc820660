import HubEngine
import HubWire
import Testing

@testable import ScenarioKit

/// Tests that a faulty hub is detected in every run, even without an expectation in the scenario.
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

    private static let merge = """
        alice calls carol as A
        carol: accept A
        bob calls carol as B
        carol: hold and accept B
        carol: merge A with B
        wait 200 ms
        """

    @Test func `a right hub breaks no rule`() throws {
        #expect(try Self.run(Self.swap) { $0 }.failure == nil)
    }

    /// Each device has a socket of its own: who reads the one first knows of a call's end before who reads the other.
    @Test(arguments: 1...3)
    func `a right hub breaks no rule where one device learns of everything a little later`(late: Int) throws {
        var waiting: [Happening] = []
        var isMerged = false
        let record = try Self.run(Self.merge + "\ncarol: end B\nwait 400 ms", slack: .milliseconds(250)) { happenings in
            happenings.flatMap { happening in
                if happening.call?.group != nil { isMerged = true }
                guard isMerged else { return [happening] }
                // While there is sound to tell the time by, what is late comes 50 ms later.
                let due = waiting.prefix { happening.at - $0.at > .milliseconds(50) }
                waiting.removeFirst(due.count)
                guard happening.line == late else { return due + [happening] }
                waiting.append(happening)
                return Array(due)
            }
        }
        #expect(record.failure == nil, "\(record.failure?.came ?? "")")
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

    @Test func `a merge that leaves a member held is caught`() throws {
        var held: Set<Place> = []
        var isMerged = false
        let record = try Self.run(Self.merge) { happenings in
            happenings.compactMap { happening in
                // A hub that leaves him held passes on no sound of his: what it tells alone gives it away.
                guard var call = happening.call else { return isMerged && happening.isSound ? nil : happening }
                let place = Place(line: happening.line, call: call.uuid)
                if call.isOnHold { held.insert(place) }
                guard call.group != nil else { return happening }
                isMerged = true
                if held.contains(place) { (call.state, call.isOnHold) = (.held, true) }
                return happening.telling(.callChanged(call))
            }
        }
        let failure = try #require(record.failure)
        #expect(failure.expected == "carol's group is held as a whole or not at all")
        #expect(failure.came == "carol's A is held, and B of the same group is not")
        let merge = try #require(record.steps.first { $0.text == "carol: merge A with B" })
        #expect(failure.at == merge.end)
    }

    @Test func `an event that is repeated to who resumes is caught`() throws {
        let story = "alice calls bob as A\nbob: accept A\nalice drops\nbob: hold A\nalice resumes\nwait 100 ms"
        var isTold = false
        let record = try Self.run(story) { happenings in
            happenings.flatMap { happening in
                // The third connection is hers after the drop; what she has missed comes first.
                guard happening.line == 3, happening.notification != nil, !isTold else { return [happening] }
                isTold = true
                return [happening, happening]
            }
        }
        #expect(isTold)
        #expect(record.failure?.came.contains("alice is told again what it was told already") ?? false)
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

    @Test func `a connection that breaks without being asked for is caught in the step under way`() throws {
        let story = "alice calls bob as A\nbob: accept A\nwait 300 ms\nexpect alice hears nothing"
        let record = try Self.run(story) { happenings in
            happenings.map { happening in
                guard happening.at > .milliseconds(200) else { return happening }
                var changed = happening
                changed.content = .ended("the connection broke (1006)")
                return changed
            }
        }
        let failure = try #require(record.failure)
        #expect(failure.step.map { record.steps[$0].line } == 3)
        #expect(failure.came.hasSuffix(" broke: the connection broke (1006)"), "\(failure.came)")
    }

    @Test func `an audio session with the SSRC of the one before is caught`() throws {
        var first: [Int: UInt32] = [:]
        let record = try Self.run(Self.swap) { happenings in
            happenings.map { happening in
                guard case .didActivateAudioSession(var session)? = happening.notification else { return happening }
                session.ssrc = first[happening.line] ?? session.ssrc
                first[happening.line] = session.ssrc
                return happening.telling(.didActivateAudioSession(session))
            }
        }
        #expect(record.failure?.expected == "carol's audio session has an SSRC of its own")
    }

    private struct Place: Hashable {
        var line: Int
        var call: CallUUID
    }

    private static func run(
        _ text: String,
        slack: Duration = .zero,
        _ meddle: @escaping ([Happening]) -> [Happening]
    ) throws -> RunRecord {
        let scenario = try #require(try ScenarioText.scenarios(parsing: text).first)
        let stage = MeddlingStage(try VirtualStage(scenario.settings, seed: 1), slack: slack, meddle)
        let record = stage.run(scenario)
        // The ladder shows where.
        #expect(Ladder(record).rows.filter(\.isFailure).map(\.at) == [record.failure?.at].compactMap(\.self))
        return record
    }
}
