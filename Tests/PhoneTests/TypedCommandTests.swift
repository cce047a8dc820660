import HubAccountData
import HubClient
import HubEngine
import Testing

@testable import CommandLinePhone
@testable import CommandLineTools

@Suite("Commands typed at a phone")
struct TypedCommandTests {
    private static let wrongText =
        "The text must be 1 to 256 bytes long, without control or invisible characters."

    private static let lines: [(String, TypedCommand)] = [
        ("call bob", .call(.generic("bob"))),
        ("  CALL   generic:echo ", .call(.generic("echo"))),
        ("answer", .answer(nil)),
        ("hold 2", .hold("2")),
        ("resume", .resume(nil)),
        ("swap", .swap),
        ("mute", .mute(nil)),
        ("unmute bob", .unmute("bob")),
        ("merge", .merge([])),
        ("merge 2", .merge(["2"])),
        ("MERGE 1 bob", .merge(["1", "bob"])),
        ("split 2", .split("2")),
        ("split", .split(nil)),
        ("pull", .pull(nil)),
        ("transfer", .transfer([])),
        ("transfer carol", .transfer(["carol"])),
        ("transfer 1 carol", .transfer(["1", "carol"])),
        ("pull desk", .pull("desk")),
        ("keys 12#", .keys([DialStringSegment("12#")])),
        (
            "dtmf 1,23;4",
            .keys([DialStringSegment("1"), DialStringSegment("23", .softPause), DialStringSegment("4", .hardPause)])
        ),
        ("keys ;4,5", .keys([DialStringSegment("4", .hardPause), DialStringSegment("5", .softPause)])),
        ("go", .go),
        ("end all", .end("all")),
        ("dismiss", .dismiss(nil)),
        ("call callhub:emailAddress:x@y", .call(Handle(type: .emailAddress, value: "x@y"))),
        ("recents", .recents), ("skip", .skip), ("onhold music", .onHold(.music)), ("onhold HUB", .onHold(.hub)),
        ("redial", .redial(1)),
        ("redial 3", .redial(3)),
        ("decline", .end(nil)),
        ("decline Can't talk now,  call me later ", .decline("Can't talk now,  call me later")),
        (" DECLINE 2", .decline("2")),
        ("wait 0.5", .wait(seconds: 0.5)),
        ("q", .quit),
        ("", .nothing),
    ]

    @Test(arguments: lines)
    func `a command is parsed`(line: String, command: TypedCommand) throws {
        #expect(try TypedCommand(line) == command)
    }

    @Test(arguments: [
        ("cal bob", "There is no command \"cal\"; did you mean call?"),
        ("frobnicate", "There is no command \"frobnicate\"; `help` lists the commands."),
        ("call", "Who is to be called? call HANDLE."),
        ("decline \(String(repeating: "x", count: 257))", wrongText),
        ("decline now\u{202E}", wrongText),
        ("hold 1 2", "\"2\" is one word too many; `help` lists the commands."),
        ("wait long", "How long? wait SECONDS."),
        ("merge 1 2 3", "\"3\" is one word too many; `help` lists the commands."),
        ("keys 1,,2", "After each pause come digits: keys 12,34;56."),
        ("keys 1;", "After each pause come digits: keys 12,34;56."),
        ("keys", "Which keys? keys DIGITS."),
        ("redial bob", "Which one? redial NUMBER, as `recents` lists them."),
        ("redial 0", "Which one? redial NUMBER, as `recents` lists them."),
        (
            "call sip:bob",
            "\"sip:bob\" is neither a handle, with generic:, phoneNumber: or emailAddress: in front, nor a callhub: link."
        ),
    ])
    func `an invalid command is answered with the valid form`(line: String, answer: String) {
        do throws(UsageError) {
            _ = try TypedCommand(line)
            Issue.record("\(line) was understood")
        } catch {
            #expect(error.message == answer)
        }
    }

    private static let handles: [(String, Handle)] = [
        ("bob", .generic("bob")),
        ("bob@example.org", .generic("bob@example.org")),
        ("generic:a:b", .generic("a:b")),
        ("phoneNumber:+493012345", Handle(type: .phoneNumber, value: "+493012345")),
        ("tel:+493012345", Handle(type: .phoneNumber, value: "+493012345")),
        ("EMAILADDRESS:x@y", Handle(type: .emailAddress, value: "x@y")),
        ("callhub:bob", .generic("bob")),
        ("callhub://emailAddress:x@y", Handle(type: .emailAddress, value: "x@y")),
        ("callhub:bob%20smith", .generic("bob smith")),
        ("https://hub.example/#call=phoneNumber:%2B49", Handle(type: .phoneNumber, value: "+49")),
    ]

    @Test(arguments: handles)
    func `a handle is parsed in its usual spellings`(text: String, handle: Handle) throws {
        #expect(try Handle(text: text) == handle)
        #expect(try Handle(text: handle.text) == handle)
    }

    @Test(arguments: ["", "generic:", "callhub:", "fax:1", "https://hub.example"])
    func `an invalid handle is refused`(text: String) {
        #expect(throws: UsageError.self) { try Handle(text: text) }
    }

    @Test(arguments: [
        "sip:bob", "http://bob", "skype:bob?call", "callhubs:bob", "callhub:sip:bob", "callhub:callhub:bob",
    ])
    func `a link with another scheme is refused with one sentence (CK-73)`(link: String) {
        do throws(UsageError) {
            _ = try Handle(text: link)
            Issue.record("\(link) was accepted")
        } catch {
            #expect(error.message.hasSuffix("nor a callhub: link."))
        }
    }
}
