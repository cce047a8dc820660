import HubWire
import Testing

@testable import CommandLineTools

@Suite("Command lines")
struct ArgumentsTests {
    private let hub = Option("--hub", value: "URL", help: "the hub")
    private let json = Option("--json", help: "one line\nand another")

    private func parse(_ arguments: String...) throws(UsageError) -> Arguments {
        try Arguments(arguments, options: [hub, json])
    }

    private func complaint(_ arguments: String...) -> String {
        do throws(UsageError) {
            _ = try Arguments(arguments, options: [hub, json])
            return "none"
        } catch {
            return error.message
        }
    }

    @Test func `options and positional arguments may be in any order`() throws {
        let parsed = try parse("alice", "--hub", "ws://a", "--json", "bob")
        #expect(parsed.words == ["alice", "bob"])
        #expect(parsed[hub] == "ws://a")
        #expect(parsed.has(json))
    }

    @Test func `a value may be attached, empty, or a single dash`() throws {
        #expect(try parse("--hub=ws://a=b")[hub] == "ws://a=b")
        #expect(try parse("--hub=")[hub]?.isEmpty == true)
        #expect(try parse("--hub", "-")[hub] == "-")
    }

    @Test func `the last of repeated options counts, and after two dashes all arguments are positional`() throws {
        #expect(try parse("--hub", "a", "--hub", "b")[hub] == "b")
        #expect(try parse("--", "--json", "-x").words == ["--json", "-x"])
    }

    @Test func `invalid arguments are reported with the valid form`() {
        #expect(complaint("--hbu", "x") == "there is no option \"--hbu\"; did you mean --hub?")
        #expect(complaint("--frobnicate") == "there is no option \"--frobnicate\"; see --help.")
        #expect(complaint("--hub") == "--hub needs a value: --hub URL.")
        #expect(complaint("--hub", "--json") == "--hub needs a value: --hub URL.")
        #expect(complaint("--json=1") == "--json takes no value.")
    }

    @Test func `a number outside its range is refused with the range`() throws {
        let parsed = try parse("--hub", "7x")
        do throws(UsageError) {
            _ = try parsed.number(hub, in: 0.5...10)
            Issue.record("7x was accepted as a number")
        } catch {
            #expect(error.message == "--hub is \"7x\"; it must be a number from 0.5 to 10.")
        }
        #expect(try parse("--hub", "7").number(hub, in: 0...10) == 7)
    }

    @Test func `the help lists the options in columns`() {
        let table = "  --hub URL  the hub\n  --json     one line\n             and another\n"
        #expect(Arguments.table([hub, json]) == table)
    }

    @Test func `external text is printed truncated and without control characters`() {
        #expect(quoted("a\u{1B}[31m\n") == "\"a?[31m?\"")
        #expect(quoted(String(repeating: "x", count: 100)).count == 63)
    }
}
