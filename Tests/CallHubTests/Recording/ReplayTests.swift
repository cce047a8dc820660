import Foundation
import HubEngine
import HubSimulation
import HubTestSupport
import HubWire
import Testing

@testable import CommandLineTools
@testable import HubReplay

/// Tests of the replay of an event log, without a hub.
struct ReplayTests {
    /// Replays a log; returns the exit code and the output, or code 1 and the error message.
    private func replay(
        _ recording: String,
        json: Bool = false,
        device: String? = nil,
        rules: @escaping (Engine) -> [String] = { $0.violations() }
    ) throws -> (code: Int32, text: String) {
        let folder = try TemporaryFolder()
        let path = try folder.write(recording, to: "events.jsonl")
        var text = ""
        do {
            let code = try ReplayCommand.replay(path, json: json, device: device, rules: rules) { text += $0 }
            return (code, text.replacingOccurrences(of: folder.path + "/", with: ""))
        } catch {
            return (1, error.message.replacingOccurrences(of: folder.path + "/", with: ""))
        }
    }

    private static let header = """
        {"format":"callhub events","version":1,"hub":{"version":"0.1.0","node":"n"},"engine":{"seed":"1",\
        "ringTimeoutSeconds":60,"startDeadlineSeconds":600,"answerDeadlineSeconds":60,"actionDeadlineSeconds":5,\
        "resumeGraceSeconds":60,"softPauseSeconds":2,"wakeWaitSeconds":0}}

        """

    private static func signIn(_ account: String, second: Int = 1) -> String {
        """
        {"time":"2026-11-21T07:22:0\(second).5Z","event":"sessionOpened","account":"\(account)",\
        "handles":[{"type":"generic","value":"\(account)"}],"device":{"id":"phone"},"provider":{},\
        "fulfillment":"automatic","permissions":["call"]}

        """
    }

    /// Alice calls Bob, who does not answer.
    private static let unanswered =
        header + signIn("alice") + signIn("bob") + """
            {"time":"2026-11-21T07:22:02.5Z","event":"request","session":"0.0","method":"transaction.request","params":\
            {"actions":[{"type":"start","callUUID":"795c8045-32c2-4815-b7e5-0a6cae6c171c",\
            "handle":{"type":"generic","value":"bob"}}]}}
            {"time":"2026-11-21T07:22:02.6Z","event":"lookedUp","conversation":"0.0","target":"account","account":"bob"}
            {"time":"2026-11-21T07:25:00Z","event":"sessionClosed","session":"1.0"}

            """

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `an event log replays to the same effects, state and timers`(seed: UInt64) throws {
        var walk = RecordedWalk(seed: seed)
        walk.run(steps: 500)
        var lines = walk.recording.split(separator: UInt8(ascii: "\n")).map(Array.init)
        var replay = Replay(try EventLogHeader(parsing: lines.removeFirst()))
        #expect(lines.count == walk.eventCount)
        var effects: [Effect] = []
        for (index, line) in lines.enumerated() {
            for event in replay.take(try EventLogEntry(parsing: line), line: index + 2) {
                effects += event.effects.map(\.effect)
            }
        }
        #expect(effects.count == walk.effects.count, "seed \(seed)")
        let difference = zip(effects, walk.effects).first { $0 != $1 }
        #expect(difference == nil, "seed \(seed): \(difference.map { "\($0.0), but it was \($0.1)" } ?? "")")
        #expect(replay.engine.objectCounts == walk.engine.objectCounts, "seed \(seed)")
        #expect(replay.engine.nextDeadline == walk.engine.nextDeadline, "seed \(seed)")
        #expect(replay.violationCount == 0, "seed \(seed)")
        let timeouts = effects.count { if case .notify(_, .timedOutPerforming) = $0 { true } else { false } }
        #expect(effects.count > 1_000 && timeouts > 0, "seed \(seed): a walk in which much happens")
    }

    @Test(arguments: [true, false])
    func `every event and effect has a description, and all lines together are all events`(json: Bool) throws {
        var walk = RecordedWalk(seed: 77)
        walk.run(steps: 600)
        let (code, text) = try replay(String(decoding: walk.recording, as: UTF8.self), json: json)
        #expect(code == 0)
        let lines = text.split(separator: "\n")
        guard json else {
            #expect(lines.last?.hasPrefix("\(walk.eventCount) events, ") == true)
            #expect(!lines.contains { $0.hasSuffix(" ") || $0.contains("Optional(") || $0.contains("session 0.") })
            return
        }
        var told = 0
        for line in lines.dropLast() {
            let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(event?["came"] is [String: Any])
            told += (event?["told"] as? [Any])?.count ?? 0
        }
        #expect(told == walk.effects.count)
    }

    @Test func `replay prints each event, each device's notifications and a summary`() throws {
        let (code, text) = try replay(Self.unanswered)
        #expect(code == 0)
        for line in [
            "     4  07:22:02.500000  alice/phone requests transaction.request: start #1 to bob",
            "     5  07:22:02.600000  the hub finds the account bob",
            "                         bob/phone     call.changed #2 ringing, from alice, choices accept/decline",
            "                         alice/phone   call.changed #1 connecting, to bob, remotely ringing",
            "                                       #1 is call 795c8045-32c2-4815-b7e5-0a6cae6c171c",
            "     6  07:25:00.000000  time passes",
            "                         alice/phone   call.changed #1 ended unanswered, timeout, to bob",
            "     6  07:25:00.000000  bob/phone signs out",
            "5 events, 2 devices, no rule broken.",
        ] {
            #expect(text.contains("\n" + line + "\n"), "\(line)\nis not in\n\(text)")
        }
    }

    @Test func `the filter by device shows only its requests and notifications`() throws {
        let (_, text) = try replay(Self.unanswered, device: "bob/phone")
        #expect(text.contains("bob/phone signs out") && text.contains("call.changed #2 ringing"))
        #expect(!text.contains("alice/phone"))
        #expect(try replay(Self.unanswered, device: "bob").text == text)
        let (code, complaint) = try replay(Self.unanswered, device: "bo")
        #expect(code == 1)
        #expect(complaint == "events.jsonl has no device \"bo\"; it has alice/phone, bob/phone.")
    }

    @Test func `a violated invariant is reported once, with its event, and gives exit code 5`() throws {
        let rules = { (engine: Engine) in engine.objectCounts.calls > 1 ? ["there are two legs"] : [] }
        let (code, text) = try replay(Self.unanswered, rules: rules)
        #expect(code == 5)
        let parts = text.components(separatedBy: "RULE BROKEN")
        #expect(parts.count == 2, "\(text)")
        #expect(parts[0].contains("     5  07:22:02.600000") && !parts[0].contains("     6  "))
        #expect(text.hasSuffix("5 events, 2 devices, 1 broken rule.\n"))
        // Also when only another device is selected.
        #expect(try replay(Self.unanswered, device: "carol", rules: rules).code == 5)
    }

    @Test func `a truncated event log is replayed up to its end`() throws {
        let (code, text) = try replay(String(Self.unanswered.dropLast(9)))
        #expect(code == 0)
        #expect(text.contains("The last line is not complete"))
        #expect(text.hasSuffix("4 events, 2 devices, no rule broken.\n"))
        let (_, json) = try replay(String(Self.unanswered.dropLast(9)), json: true)
        #expect(json.contains(#""isCutOff":true"#))
        // A last line without its newline is complete.
        #expect(try replay(String(Self.unanswered.dropLast(1))).text == replay(Self.unanswered).text)
    }

    @Test(arguments: [
        ("", "events.jsonl is empty; it must be a file that"),
        (String(header.prefix(40)), "events.jsonl breaks off in its first line; it holds no event."),
        ("hello\n", "events.jsonl:1: this is not JSON: at byte 0 there must be"),
        (header + "{}\n" + signIn("alice"), "events.jsonl:2: time is missing; it must be an RFC 3339 date"),
        (header + signIn("alice", second: 2) + signIn("bob"), "events.jsonl:3: time is before that of the line above"),
        (header + signIn("alice") + "{\"time\n" + signIn("bob"), "events.jsonl:3: this is not JSON"),
    ])
    func `an invalid event log is reported in one sentence, with the line`(recording: String, sentence: String) throws {
        let (code, complaint) = try replay(recording)
        #expect(code == 1)
        #expect(complaint.hasPrefix(sentence), "\(complaint)")
        #expect(!complaint.contains("\n"))
    }

    @Test func `escape sequences in names are removed from the output`() throws {
        let (_, text) = try replay(Self.header + Self.signIn("\\u001b[2Jeve"))
        #expect(text.contains("?[2Jeve/phone signs in"))
        #expect(!text.contains("\u{1B}"))
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `replaying a log with shuffled or missing lines terminates`(seed: UInt64) throws {
        var walk = RecordedWalk(seed: seed)
        walk.run(steps: 200)
        var random = SeededRandom(seed: seed)
        let lines = walk.recording.split(separator: UInt8(ascii: "\n")).dropFirst().map(Array.init)
        var replay = Replay(walk.header)
        for line in lines.shuffled(using: &random).dropLast(50) {
            _ = replay.take(try EventLogEntry(parsing: line), line: 2)
        }
        #expect(replay.violationCount == 0, "seed \(seed)")
    }
}
