import ScenarioKit
import Testing

/// Tests of the error messages for invalid lines.
@Suite struct FaultTests {
    @Test(
        arguments: [
            ("alcie: hold A", 1, "\"alcie\" is not a party of this scenario; did you mean alice?"),
            ("alice calls bbo", 13, "\"bbo\" is not a party of this scenario; did you mean bob?"),
            (
                "alice calls zoe", 13,
                "\"zoe\" is not a party of this scenario; \"parties alice, bob, carol, zoe\" would declare it"
            ),
            (
                "alice calls Bob", 13,
                "\"Bob\" begins with a capital, as calls do; a party has a small letter: bob"
            ),
            ("alice calls", 12, "after \"calls\" comes a party, such as bob, or a handle, such as phoneNumber:4912345"),
            ("alice calls phonNumber:49", 13, "\"phonNumber\" is no type of handle; did you mean phoneNumber?"),
            ("bob: hold", 10, "after \"hold\" comes a call, such as A"),
            ("bob: hold alice", 11, "after \"hold\" comes a call, such as A, not \"alice\""),
            ("bob: hold C", 11, "\"C\" is no call so far; did you mean A?"),
            ("bob: hold Transfer", 11, "\"Transfer\" is no call so far; there are A and B"),
            ("bob: hodl A", 6, "\"hodl\" is not a known request; did you mean hold?"),
            ("bob: calls alice", 6, "\"calls\" stands without a colon: \"alice calls bob\""),
            ("bob accept A", 5, "a request of a party stands behind a colon: \"bob: accept\""),
            ("bob drosp", 5, "\"drosp\" is no known verb; did you mean drops?"),
            (
                "bob cannot hold A: invalidActoin", 20,
                "\"invalidActoin\" is no error of the hub; did you mean invalidAction?"
            ),
            ("bob cannot hold A", 18, "after \"A\" comes \":\" and the error's name, such as invalidAction"),
            (
                "bob cannot accept A: invalidAction", 19,
                "with \"cannot\" and in a list stand the actions themselves, such as hold A, answer B"
            ),
            (
                "bob: accept A, hold B", 14,
                "\"accept\" is a transaction by itself; before a comma stands an action, such as hold A"
            ),
            ("bob: hold A answer B", 13, "the step ends before \"answer\""),
            ("bob: merge A B", 14, "after \"A\" comes \"with\", not \"B\""),
            (
                "bob's phone: hold A", 7,
                "\"phone\" is no device of bob; bob has one without a name: \"party bob on phone, laptop\" gives names"
            ),
            ("alice's labtop: hold A", 9, "\"labtop\" is no device of alice; did you mean laptop?"),
            (
                "bob fulfills merge A", 14,
                "\"merge\" is no action; there are start, answer, end, hold, unhold, mute, unmute, group, ungroup, key, pull, transfer and translate"
            ),
            (
                "bob fulfills translate A by hand", 29,
                "\"hand\" is no translation engine; there are default and custom"
            ), ("bob fulfills answer A by custom", 23, "the step ends before \"by\""),
            ("bob reports A ended: remotEnded", 22, "\"remotEnded\" is no end's reason; did you mean remoteEnded?"),
            (
                "bob: contact alice named Eve", 26,
                "after \"named\" comes a name in quotes, such as \"Eve\", not \"Eve\""
            ),
            ("bob: display name \"Eve", 19, "the text that begins here has no quote at its end"),
            (
                "bob: display name \"\\x\"", 20,
                "in quotes a backslash goes before \", \\, {, }, n, t or u with four hexadecimal digits"
            ),
            ("bob is throttled to 20 kb", 21, "after \"to\" comes a rate, such as 20 kbit/s, not \"20\""),
            ("wait 200ms", 6, "after \"wait\" comes a duration, such as 200 ms, 1.5 s or 2 min, not \"200ms\""),
            ("wait 25000 min", 6, "a duration is at most 1440 min; this is more"),
            (
                "hub stops", 5,
                "after \"hub\" comes \"is killed\", \"starts\", \"restarts\" or \"drains\", not \"stops\""
            ),
            ("hub: grace 1 s", 1, "this line stands before the first step"),
            ("seed 1", 1, "this line stands before the first step"),
            ("expct bob rings", 1, "\"expct\" is not a party of this scenario; did you mean expect?"),
            ("expect bob hear alice", 12, "\"hear\" is nothing that can be expected of bob; did you mean hears?"),
            (
                "expect bob is connected", 12,
                "the state of a call is expected of the call: \"expect bob's A is connected\""
            ),
            ("expect bob's A is conected", 19, "\"conected\" is no state of a call; did you mean connected?"),
            (
                "expect bob's A ended", 21,
                "after \"ended\" comes \":\" and the reason, such as unanswered; without a reason it is \"is ended\""
            ),
            ("expect bob's A ended: failed because bussy", 38, "\"bussy\" is no cause of an end; did you mean busy?"),
            ("expect bob is told didBeginn", 20, "\"didBeginn\" is no notification; did you mean didBegin?"),
            ("expect bob is told closing draning", 28, "\"draning\" is no reason to close; did you mean draining?"),
            ("expect bob hears alice and alice", 28, "this voice stands here twice; once is right"),
            (
                "expect bob never heard carol within 1 s", 30,
                "this is expected of the whole run; \"within\" goes with a moment"
            ),
            ("expect either bob rings", 24, "after \"rings\" comes \"or\" and another expectation"),
            ("together:", 1, "this block is empty; the lines of a block are indented"),
            ("repeat 0 times:", 1, "after \"repeat\" come a number from 1 and \"times:\", as in \"repeat 3 times:\""),
            (
                "for each WHO of alice, bob", 1,
                "a matrix stands before the first step; a loop ends with \":\" and has its lines under it"
            ),
            ("let ring", 1, "after \"let\" come a name, \"=\" and a value: let ring = 300 ms"),
            ("wait {rign}", 6, "\"rign\" is no variable here; did you mean ring?"),
            ("wait {ring", 6, "after \"{\" come a variable's name and \"}\""),
            (
                "  wait 1 s", 0,
                "line 6 is indented, but this line opens no block; blocks begin with together, in any order, at random within, repeat or for each and end with \":\""
            ),
            ("\twait 1 s", 1, "this line is indented with a tab; spaces are right"),
            (
                "together:\n    expect bob rings", 0,
                "in \"together:\" stand actions only; expectations and waits stand after it"
            ),
            (
                "in any order:\n  together:\n    bob: end A", 0,
                "a block of this kind stands in no other; repeat, for each and let do"
            ),
            (
                "together:\n    bob: end A\n  bob: end B", 0,
                "this line is indented by 2; the lines around it by 4 or by 0"
            ),
        ] as [(String, Int, String)]
    )
    func `a faulty step is reported in one sentence`(line: String, column: Int, sentence: String) {
        let before = """
            party alice on phone, laptop
            parties bob, carol
            let ring = 300 ms
            alice calls bob
            carol calls bob

            """
        let faults = faults(in: before + line)
        #expect(faults.map(\.sentence) == [sentence])
        if column > 0 {
            #expect(faults.map(\.line) == [6])
            #expect(faults.map(\.column) == [column])
        }
    }

    @Test(arguments: [
        ("", "here the steps are missing, such as \"alice calls bob\""),
        ("scenario", "after \"scenario\" comes a title, such as Alice calls Bob"),
        ("seed 1\nseed 2", "a scenario has one line \"seed\"; this is the second"),
        ("seed x", "after \"seed\" comes a number from 0 to 18446744073709551615, not \"x\""),
        (
            "parties alice,bob",
            "after \"parties\" comes a party with a small letter, such as alice, not \"alice,bob\"; after a comma comes a blank"
        ),
        ("patience 0 s", "with no patience nothing is waited for; a time such as 5 s is right"),
        ("parties alice, alice", "\"alice\" takes part already; once is right"),
        (
            "parties alice, aLice",
            "\"aLice\" is the account of alice at the hub, which compares names without case; choose another name"
        ),
        ("party hub", "\"hub\" is a word of the language; a party needs another name"),
        ("party alice on phone, phone", "alice has a device \"phone\" already"),
        ("party alice: manul", "\"manul\" is no option of a party; did you mean manual?"),
        ("hub: ring time 2 s", "\"ring\" is no setting of the hub; did you mean ring timeout?"),
        ("hub: calls per device 0", "the number of calls goes from 1 to 1000000"),
        ("let a = 1\nlet a = 2", "\"a\" is set in line 1 already; another name is right"),
        ("let a =", "after \"=\" comes a value, such as 300 ms"),
        ("for each X of a,, b", "between two commas, and at both ends, stands a value"),
        (
            "for X of a",
            "a loop begins with \"for each\", a name, \"of\" and values, as in \"for each WHO of alice, bob:\""
        ),
    ])
    func `a faulty header line is reported in one sentence`(text: String, sentence: String) {
        let faults = faults(in: text.isEmpty ? "" : text + "\nwait 1 s")
        #expect(faults.map(\.sentence) == [sentence])
    }

    @Test func `all faults are reported at once, each at its position and once`() throws {
        let text = """
            parties alice, bob
            alice calls bbo as Transfer
            repeat 3 times:
                bob: accept Transfre
            bob: hold Transfer
            wait
            """
        let faults = faults(in: text, file: "wrong.scenario")
        #expect(
            faults.map(\.description) == [
                "wrong.scenario:2:13: \"bbo\" is not a party of this scenario; did you mean bob?",
                "wrong.scenario:4:17: \"Transfre\" is no call so far; did you mean Transfer?",
                "wrong.scenario:6:5: after \"wait\" comes a duration, such as 200 ms, 1.5 s or 2 min",
            ]
        )
        #expect(
            faults.first.map { ScenarioSyntaxError(line: 4, column: 1, sentence: $0.sentence).description.prefix(8) }
                == "line 4: "
        )
    }

    @Test func `the column refers to the file, even if variables are substituted`() {
        let text =
            "let LONG = a long value that is not as long in the file\nlet U = bob\nalice calls bob\n{U}: hodl A # {LONG}\nüü: x"
        let faults = faults(in: text)
        #expect(faults.map(\.line) == [4, 5])
        #expect(faults.map(\.column) == [6, 1])
    }

    @Test func `quoted text of a line is truncated and without control characters`() {
        let faults = faults(
            in: "alice calls bob\nx\u{1B}[31m\u{202E}" + String(repeating: "y", count: 500) + ": hold A"
        )
        #expect(faults.count == 1)
        for fault in faults {
            #expect(fault.sentence.count < 150)
            #expect(!fault.sentence.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x202E })
        }
    }

    private func faults(in text: String, file: String? = nil) -> [ScenarioSyntaxError] {
        do throws(ScenarioSyntaxErrors) {
            _ = try ScenarioText.scenarios(parsing: text, file: file)
            return []
        } catch {
            return error.faults
        }
    }
}
