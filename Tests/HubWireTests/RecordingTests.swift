import HubEngine
import Testing

@testable import HubWire

/// The lines of event logs: read as written, readable for people, with clear error messages.
@Suite struct RecordingTests {
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `an event is read as written, to the nanosecond`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var names: Set<EventLogEntry.Name> = []
        for _ in 0..<600 {
            let entry = random.entry()
            names.insert(entry.name)
            var bytes: [UInt8] = []
            entry.encode(into: &bytes)
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(bytes.last == UInt8(ascii: "\n"))
            #expect(bytes.count { $0 == UInt8(ascii: "\n") } == 1, "seed \(seed): one line: \(text)")
            #expect(try EventLogEntry(parsing: bytes.dropLast()) == entry, "seed \(seed): \(text)")
        }
        #expect(names.count == EventLogEntry.Name.allCases.count, "seed \(seed): every kind of event was drawn")
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `a header is read as written`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<200 {
            let header = EventLogHeader(
                hubVersion: random.text(),
                node: random.text(),
                engine: random.engineConfiguration()
            )
            var bytes: [UInt8] = []
            header.encode(into: &bytes)
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(try EventLogHeader(parsing: bytes.dropLast()) == header, "seed \(seed): \(text)")
        }
    }

    @Test func `the header contains every setting of the engine`() {
        var bytes: [UInt8] = []
        EventLogHeader(hubVersion: "1", node: "n", engine: EngineConfiguration(seed: 1)).encode(into: &bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        for setting in Mirror(reflecting: EngineConfiguration(seed: 1)).children {
            // The log's format is older than this name.
            let name = setting.label == "pushWait" ? "wakeWait" : setting.label ?? "?"
            #expect(text.contains("\"\(name)") || text.contains("\"\(name)Seconds"), "\(name) would be lost")
        }
    }

    @Test func `log lines use the names of the wire protocol`() {
        let time = Instant(nanoseconds: 1_795_246_921_123_456_789)
        let alice = SessionID(index: 3, generation: 0)
        let conversation = ConversationID(index: 1, generation: 2)
        let uuid = CallUUID(high: 1, low: 2)
        let start = ActionRequest(
            callUUID: uuid,
            kind: .start(handle: .generic("bob"), isVideo: false, contactIdentifier: nil)
        )
        let lines: [(EventLogEntry.Content, String)] = [
            (
                .event(.request(alice, .transaction([start]), token: RequestToken(rawValue: 0))),
                #""event":"request","session":"3.0","method":"transaction.request","params":{"actions":[{"type":"start","#
                    + #""callUUID":"00000000-0000-0001-0000-000000000002","handle":{"type":"generic","value":"bob"},"#
                    + #""isVideo":false}]}}"#
            ),
            (.event(.sessionLost(alice)), #""event":"sessionLost","session":"3.0"}"#),
            (
                .event(.lookedUp(LookUpToken(conversation: conversation), LookUpResult(.builtIn(.echo)))),
                #""event":"lookedUp","conversation":"1.2","target":"builtIn","party":"echo"}"#
            ),
            (.timePassed, #""event":"timePassed"}"#),
        ]
        for (content, text) in lines {
            var bytes: [UInt8] = []
            EventLogEntry(time: time, content).encode(into: &bytes)
            let line = String(decoding: bytes, as: UTF8.self)
            #expect(line == #"{"time":"2026-11-21T07:42:01.123456789Z","# + text + "\n")
        }
    }

    private static let good = #""time":"2026-11-21T07:22:01.5Z","#

    @Test(arguments: [
        ("", "this is not JSON: at its end there must be a value"),
        (#"{"time":"2026-11-21T07"#, "this is not JSON: at its end there must be"),
        ("[]", "this is []; it must be an object"),
        ("{}", "time is missing; it must be an RFC 3339 date, like 2026-11-21T07:22:01.123456789Z"),
        (
            #"{"time":"noon","event":"timePassed"}"#,
            #"time is "noon"; it must be an RFC 3339 date, like 2026-11-21T07:22:01.123456789Z"#
        ),
        (#"{\#(good)"event":"sesionLost"}"#, #"event is "sesionLost"; it must be "sessionOpened", "sessionResumed""#),
        (
            #"{\#(good)"event":"sessionLost"}"#,
            #"session is missing; it must be a session of the event log, like "0.0""#
        ),
        (#"{\#(good)"event":"sessionLost","session":"0.-1"}"#, #"session is "0.-1"; it must be a session"#),
        (
            #"{\#(good)"event":"request","session":"0.0","method":"session.open","params":{}}"#,
            #"method is "session.open"; it must be a method that the engine answers"#
        ),
        (
            #"{\#(good)"event":"request","session":"0.0","method":"action.fail","params":{"action":"x"}}"#,
            #"params.action is "x"; it must be a UUID"#
        ),
        (
            #"{\#(good)"event":"lookedUp","conversation":"0.0","target":"bob"}"#,
            #"target is "bob"; it must be "account""#
        ),
    ])
    func `a faulty line is reported with its fault and the valid form`(line: String, sentence: String) {
        let error = #expect(throws: EventLogError.self) { try EventLogEntry(parsing: Array(line.utf8)) }
        #expect(error?.message.contains(sentence) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        (#"{"jsonrpc":"2.0"}"#, #"format is missing; it must be "callhub events""#),
        (#"{"format":"callhub events","version":2}"#, "version is 2; it must be 1"),
        (
            #"{"format":"callhub events","version":1,"hub":{"version":"1","node":"n"},"engine":{"seed":"g"}}"#,
            #"engine.seed is "g"; it must be 1 to 16 hexadecimal digits"#
        ),
        (
            #"{"format":"callhub events","version":1,"hub":{"version":"1","node":"n"},"#
                + #""engine":{"seed":"1","ringTimeoutSeconds":-1}}"#,
            "engine.ringTimeoutSeconds is -1; it must be a number of seconds from 0 to 1000000"
        ),
    ])
    func `a faulty first line is reported with its fault and the valid form`(line: String, sentence: String) {
        let error = #expect(throws: EventLogError.self) { try EventLogHeader(parsing: Array(line.utf8)) }
        #expect(error?.message.contains(sentence) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `a truncated or altered line is read or refused, without a crash`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<300 {
            var bytes: [UInt8] = []
            random.entry().encode(into: &bytes)
            let cut = Array(bytes.prefix(random.number(0...bytes.count - 2)))
            #expect((try? EventLogEntry(parsing: cut)) == nil, "seed \(seed): \(String(decoding: cut, as: UTF8.self))")
            bytes[random.number(0...bytes.count - 1)] = random.number(0...255)
            _ = try? EventLogEntry(parsing: bytes)
        }
    }
}
