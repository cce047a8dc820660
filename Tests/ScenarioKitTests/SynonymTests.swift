import Foundation
import HubTestSupport
import ScenarioKit
import Testing

/// Tests of synonyms that people write for the language's keywords, and of files that are no scenarios.
struct SynonymTests {
    private static let call = "parties alice, bob, carol\nalice calls bob\n"

    @Test(arguments: [
        ("bob: hang up A", "\"hang up\" is not a known request; did you mean \"end A\"?"),
        ("bob hangs up A", "\"hangs up\" is no known verb; did you mean \"bob: end A\"?"),
        ("bob: reject A", "\"reject\" is not a known request; did you mean \"decline A\"?"),
        ("bob: pick up A", "\"pick up\" is not a known request; did you mean \"accept A\"?"),
        ("bob: resume A", "\"resume\" is not a known request; did you mean \"unhold A\"?"),
        ("bob: send dtmf 12 on A", "\"send\" is not a known request; did you mean \"key 12# on A\"?"),
        ("bob: dnd on", "\"dnd\" is not a known request; did you mean \"do not disturb on\"?"),
        ("bob disconnects", "\"disconnects\" is no known verb; did you mean \"bob drops\"?"),
        ("bob reconnects", "\"reconnects\" is no known verb; did you mean \"bob resumes\"?"),
        ("bob loses network", "\"loses\" is no known verb; did you mean \"bob drops\"?"),
        ("sleep 5 s", "\"sleep\" is not a party of this scenario; did you mean \"wait 5 s\"?"),
        ("// comment", "\"//\" is not a party of this scenario; did you mean \"# before a comment\"?"),
        (
            "expect alice does not hear bob",
            "\"does not hear\" is nothing that can be expected of alice; did you mean \"hears nothing\" or \"never heard alice\"?"
        ),
        ("expect alice hears silence", "\"silence\" is not a party of this scenario; did you mean \"nothing\"?"),
        ("expect alice hears no one", "\"no\" is not a party of this scenario; did you mean \"nothing\"?"),
        ("expect alice hears bob's laptop", "all devices of bob send the same sound; \"hears bob\" is right"),
        ("expect alice's call is connected", "a call is meant by its name, as in \"alice's A is connected\""),
        (
            "expect alice's A ended: declined",
            "\"declined\" is a cause, and stands behind a reason, as in \"ended: remoteEnded because declined\""
        ),
        ("expect nothing", "\"nothing\" is not a party of this scenario; there are alice, bob and carol"),
        ("bob cannot hold A: nonsenseError", "\"nonsenseError\" is no error of the hub; docs/protocol.md has the list"),
        ("bob:accept A", "\"bob:accept\" is not a party of this scenario; after a colon comes a blank"),
        (
            "expect alice hears bob for 0 ms",
            "sound is judged over 100 ms and more; \"for 100 ms\" or a longer time is right"
        ),
        (
            "expect alice hears nothing for 99 ms",
            "sound is judged over 100 ms and more; \"for 100 ms\" or a longer time is right"
        ),
        ("bob: key 12, on A", "after \"12\" comes \"on\", not \",\""),
        ("bob: key 12;;3 on A", "after each pause come digits, such as 12,34;56"),
    ])
    func `synonyms of keywords get the right suggestion, and no wrong one`(_ line: String, _ sentence: String) {
        #expect(faults(in: Self.call + line).map(\.sentence) == [sentence])
    }

    @Test(arguments: [
        ("alice cals bob as A\nbob: accept A", ["1:7: \"cals\" is no known verb; did you mean calls?"]),
        (
            "Alice calls Bob\nBob: accept A",
            [
                "1:1: \"Alice\" begins with a capital, as calls do; a party has a small letter: alice",
                "2:1: \"Bob\" begins with a capital, as calls do; a party has a small letter: bob",
            ]
        ),
        (
            "parties alice,bob\nalice calls bob\nbob: accept A",
            [
                "1:9: after \"parties\" comes a party with a small letter, such as alice, not \"alice,bob\"; after a comma comes a blank"
            ]
        ),
        ("senario Foo\nalice calls bob", ["1:1: \"senario\" is not a party of this scenario; did you mean scenario?"]),
        ("alice calls bob\rbob: accept A\r", ["1:1: the lines end with CR alone; LF, or CR and LF, is right"]),
        (
            "repeat 1 times:\n\talice calls bob\n\tbob: accept A",
            [
                "2:1: this line is indented with a tab; spaces are right",
                "3:1: this line is indented with a tab; spaces are right",
            ]
        ),
        (
            (0...12).map { String(repeating: " ", count: $0) + "repeat 1 times:\n" }.joined() + "             wait 1 s",
            ["14:1: blocks nest at most 12 deep"]
        ),
    ])
    func `without declared parties a typo is one fault, and so is an invalid form`(_ text: String, _ told: [String]) {
        #expect(faults(in: text).map { "\($0.line):\($0.column): \($0.sentence)" } == told)
    }

    @Test func `spacing within a line and a byte order mark are ignored`() throws {
        let read = try ScenarioText.scenarios(parsing: "\u{FEFF}alice\tcalls bob as A\r\nbob: accept A\r\n")
        #expect(read.first?.steps.map(\.text) == ["alice calls bob as A", "bob: accept A"])
    }

    @Test(arguments: [
        ([0xFF, 0xFE, 0x61, 0x00, 0x6C, 0x00] as [UInt8], 1), (Array("alice calls bob\nbob\u{0}".utf8), 2),
        (Array("a\nb\n".utf8) + [0xFC, 0x62], 3),
    ])
    func `bytes that are not text are one fault`(_ bytes: [UInt8], _ line: Int) {
        let faults = faults { () throws(ScenarioSyntaxErrors) in
            try ScenarioText.scenarios(reading: bytes, file: "x.scenario")
        }
        #expect(faults.map(\.description) == ["x.scenario:\(line):1: this is no UTF-8 text, as scenarios are"])
    }

    @Test func `an unusable audio file is a fault of its line`() throws {
        let folder = try TemporaryFolder()
        let mute = try folder.wave("mute.wav", hertz: [0])
        try Data("junk".utf8).write(to: folder.url.appending(path: "junk.ogg"))
        let text = "party alice: plays no-such.ogg\nparty bob\nalice calls bob\nbob plays junk.ogg\nbob plays \(mute)"
        let file = folder.url.appending(path: "a.scenario").path()
        let faults = faults { () throws(ScenarioSyntaxErrors) in
            try ScenarioText.scenarios(reading: Array(text.utf8), file: file)
        }
        #expect(faults.map { "\($0.line):\($0.column)" } == ["1:20", "4:11", "5:11"])
        for (fault, name) in zip(faults, ["no-such.ogg", "junk.ogg", "mute.wav"]) {
            #expect(fault.sentence.contains(name), "\(fault.sentence)")
        }
    }

    @Test func `more parties than tones are a fault, with a remedy`() {
        let names = (0..<17).map { "party\($0)" }.joined(separator: ", ")
        let sentence =
            "17 parties speak, and 16 tones can be distinguished; \"silent\" is right for the others, as in \"party zoe: silent\""
        let told = faults(in: "scenario Crowd\nparties \(names)\nparty0 calls party1 as A")
        #expect(told.map { "\($0.line): \($0.sentence)" } == ["2: \(sentence)"])
    }

    private func faults(in text: String) -> [ScenarioSyntaxError] {
        faults { () throws(ScenarioSyntaxErrors) in try ScenarioText.scenarios(parsing: text) }
    }

    private func faults(_ read: () throws(ScenarioSyntaxErrors) -> [Scenario]) -> [ScenarioSyntaxError] {
        do throws(ScenarioSyntaxErrors) {
            _ = try read()
            return []
        } catch {
            return error.faults
        }
    }
}
