import HubEngine
import HubWire
import Testing

@testable import ScenarioKit
@testable import ScenarioSimulation

/// Tests that a faulty hub is detected in every run, even without an expectation in the scenario.
struct FaultyHubTests {
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

    @Test func `a correct hub violates no rule`() throws {
        #expect(try Self.run(Self.swap) { $0 }.failure == nil)
    }

    /// Each device has its own socket, so one device may receive a call's end before the other.
    @Test(arguments: 1...3)
    func `a correct hub violates no rule if one device receives its notifications late`(late: Int) throws {
        var waiting: [ConnectionEvent] = []
        var isMerged = false
        let record = try Self.run(
            Self.merge + "\ncarol: end B\nwait 400 ms",
            maximumNotificationSkew: .milliseconds(250)
        ) {
            events in
            events.flatMap { event in
                if event.call?.group != nil { isMerged = true }
                guard isMerged else { return [event] }
                // While audio marks the time, late notifications come 50 ms later.
                let due = waiting.prefix { event.at - $0.at > .milliseconds(50) }
                waiting.removeFirst(due.count)
                guard event.connection == late else { return due + [event] }
                waiting.append(event)
                return Array(due)
            }
        }
        #expect(record.failure == nil, "\(record.failure?.actual ?? "")")
    }

    @Test func `a relay that leaks three frames after a swap is detected`() throws {
        var sounds: [Int: [ConnectionEvent]] = [:]
        var isHeld: Set<Int> = []
        let record = try Self.run(Self.swap) { events in
            var changed: [ConnectionEvent] = []
            for event in events {
                changed.append(event)
                if event.isSound { sounds[event.connection, default: []].append(event) }
                guard case .callChanged(let call)? = event.notification, call.remoteIsOnHold,
                    event.at > .milliseconds(100), isHeld.insert(event.connection).inserted
                else { continue }
                changed += sounds[event.connection, default: []].suffix(3)
            }
            return changed
        }
        let failure = try #require(record.failure)
        #expect(failure.expected.contains("hears"))
        #expect(failure.actual.hasPrefix("bob hears carol"))
    }

    @Test func `a hold that is only announced is detected`() throws {
        let scenarioText = "alice calls bob as A\nbob: accept A\nwait 100 ms\nalice: hold A\nwait 100 ms"
        var sounds: [Int: ConnectionEvent] = [:]
        let record = try Self.run(scenarioText) { events in
            let isHeld = events.contains { event in
                if case .callChanged(let call)? = event.notification { call.isOnHold } else { false }
            }
            for event in events where event.isSound { sounds[event.connection] = event }
            let kept = events.filter { event in
                if case .didDeactivateAudioSession? = event.notification { false } else { true }
            }
            return isHeld ? kept + sounds.values.sorted { $0.connection < $1.connection } : events
        }
        #expect(record.failure != nil)
    }

    @Test func `an answer that activates audio before its fulfilment is detected`() throws {
        let record = try Self.run("alice calls bob as A\nbob: accept A\nwait 100 ms") { events in
            // The activation goes ahead of the answer, with the numbers in order all the same.
            guard
                let answer = events.firstIndex(where: { event in
                    if case .perform(_, let action, _, _, _)? = event.notification {
                        action.kind == .answer
                    } else {
                        false
                    }
                }),
                let active = events[answer...].firstIndex(where: { event in
                    guard event.connection == events[answer].connection else { return false }
                    if case .didActivateAudioSession? = event.notification { return true }
                    return false
                })
            else { return events }
            var changed = events
            let between = events[answer..<active].count {
                $0.connection == events[answer].connection && $0.notification != nil
            }
            let moved = changed.remove(at: active).renumbered(by: -between)
            for index in answer..<active where changed[index].connection == moved.connection {
                changed[index] = changed[index].renumbered(by: 1)
            }
            changed.insert(moved, at: answer)
            return changed
        }
        #expect(record.failure?.expected == "bob's audio session is active when the answer or start of A is fulfilled")
    }

    @Test func `a merge that leaves a member held is detected`() throws {
        var held: Set<ConnectionCall> = []
        var isMerged = false
        let record = try Self.run(Self.merge) { events in
            events.compactMap { event in
                // A hub that leaves the member held forwards no audio of it: only the notifications differ.
                guard var call = event.call else { return isMerged && event.isSound ? nil : event }
                let position = ConnectionCall(connection: event.connection, call: call.uuid)
                if call.isOnHold { held.insert(position) }
                guard call.group != nil else { return event }
                isMerged = true
                if held.contains(position) { (call.state, call.isOnHold) = (.held, true) }
                return event.replacingNotification(.callChanged(call))
            }
        }
        let failure = try #require(record.failure)
        #expect(failure.expected == "carol's group is held as a whole or not at all")
        #expect(failure.actual == "carol's A is held, and B of the same group is not")
        let merge = try #require(record.steps.first { $0.text == "carol: merge A with B" })
        #expect(failure.at == merge.end)
    }

    @Test func `a notification repeated after a resume is detected`() throws {
        let scenarioText = "alice calls bob as A\nbob: accept A\nalice drops\nbob: hold A\nalice resumes\nwait 100 ms"
        var isTold = false
        let record = try Self.run(scenarioText) { events in
            events.flatMap { event in
                // The third connection is Carol's after the drop; missed notifications come first.
                guard event.connection == 3, event.notification != nil, !isTold else { return [event] }
                isTold = true
                return [event, event]
            }
        }
        #expect(isTold)
        #expect(record.failure?.actual.contains("alice received a duplicate notification") ?? false)
    }

    @Test(arguments: [true, false])
    func `a repeated or omitted notification is detected`(isRepeated: Bool) throws {
        var count = 0
        let record = try Self.run(Self.swap) { events in
            events.flatMap { event in
                guard event.notification != nil else { return [event] }
                count += 1
                return count == 10 ? (isRepeated ? [event, event] : []) : [event]
            }
        }
        let actual = try #require(record.failure?.actual)
        #expect(actual.contains(isRepeated ? "received a duplicate notification" : "missed a notification"))
    }

    @Test func `audio that stays active during a hold is detected`() throws {
        let scenarioText = "alice calls bob as A\nbob: accept A\nalice: hold A\nwait 100 ms"
        var left: [Int: Int] = [:]
        let record = try Self.run(scenarioText) { events in
            events.compactMap { event in
                if case .didDeactivateAudioSession? = event.notification {
                    left[event.connection, default: 0] += 1
                    return nil
                }
                return event.renumbered(by: -left[event.connection, default: 0])
            }
        }
        #expect(record.failure?.actual.contains("A is held, and an audio session is active") ?? false)
    }

    @Test func `an unrequested connection loss is detected in the current step`() throws {
        let scenarioText = "alice calls bob as A\nbob: accept A\nwait 300 ms\nexpect alice hears nothing"
        let record = try Self.run(scenarioText) { events in
            events.map { event in
                guard event.at > .milliseconds(200) else { return event }
                var changed = event
                changed.content = .ended("the connection broke (1006)")
                return changed
            }
        }
        let failure = try #require(record.failure)
        #expect(failure.step.map { record.steps[$0].line } == 3)
        #expect(failure.actual.hasSuffix(" broke: the connection broke (1006)"), "\(failure.actual)")
    }

    @Test func `an audio session with the previous SSRC is detected`() throws {
        var first: [Int: UInt32] = [:]
        let record = try Self.run(Self.swap) { events in
            events.map { event in
                guard case .didActivateAudioSession(var session)? = event.notification else { return event }
                session.ssrc = first[event.connection] ?? session.ssrc
                first[event.connection] = session.ssrc
                return event.replacingNotification(.didActivateAudioSession(session))
            }
        }
        #expect(record.failure?.expected == "carol's audio session has an SSRC of its own")
    }

    private struct ConnectionCall: Hashable {
        var connection: Int
        var call: CallUUID
    }

    private static func run(
        _ text: String,
        maximumNotificationSkew: Duration = .zero,
        _ transform: @escaping ([ConnectionEvent]) -> [ConnectionEvent]
    ) throws -> RunResult {
        let scenario = try #require(try ScenarioText.scenarios(parsing: text).first)
        let environment = FaultInjectingTestEnvironment(
            try VirtualTestEnvironment(scenario.settings, seed: 1),
            maximumNotificationSkew: maximumNotificationSkew,
            transform
        )
        let record = environment.run(scenario)
        // The ladder shows where.
        #expect(Ladder(record).rows.filter(\.isFailure).map(\.at) == [record.failure?.at].compactMap(\.self))
        return record
    }
}
