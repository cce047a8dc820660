import Foundation
import HubCrypto
import HubTestSupport
import Synchronization
import Testing

@testable import CommandLineClient

/// `callhub scenario record`: the real program, with real phones on a real hub.
struct RecordCommandTests {
    @Test func `the recorded session of two phones is a scenario file that passes`() async throws {
        let hub = try await OperatedHub("open")
        let words = ["--account", "alice", "--account", "bob", "--title", "A call", "a.scenario"]
        let recorder = try Self.record(hub, words)
        try await recorder.line(with: "Recording alice, bob")
        try await Self.talk(hub)
        // The last line may still become another one.
        try await recorder.line(with: "'s A ended: ")
        recorder.interrupt()
        #expect(await recorder.exitCode() == 0, "\(recorder.printed)")
        let text = try Self.read("a.scenario", in: hub.folder)
        let steps = text.split(separator: "\n").filter { !$0.hasPrefix("expect ") && !$0.hasPrefix("wait ") }
        #expect(
            steps == [
                "scenario A call", "parties alice, bob", "alice calls bob as A", "bob: accept A", "alice: key 12 on A",
                "alice: hold A", "alice: unhold A", "alice: end A",
            ],
            "\(text)"
        )
        for expected in [
            "expect bob's A is ringing", "expect bob is told dtmf 12", "expect bob's A is held by remote",
            "expect alice's A ended: locally", "expect bob's A ended: remoteEnded",
        ] { #expect(text.contains(expected + "\n"), "\(text)") }
        #expect(recorder.printed.contains("\n  alice: hold A\n"), "each line is printed as it is recorded")
        try await Self.expectTrue(text, hub)
    }

    @Test func `when the hub disconnects, the recording up to then is written`() async throws {
        let folder = try TemporaryFolder()
        let settings = try folder.write("{auth: {mode: 'open'}, session: {resumeGraceSeconds: 1}}", to: "hub.json5")
        let hub = try Program(["serve", "--listen", "127.0.0.1:0", "--config", settings], in: folder)
        let line = try await hub.line(with: "listens on")
        let port = try #require(line.firstMatch(of: /127\.0\.0\.1:([0-9]+)/).flatMap { Int($0.1) })
        let words = ["scenario", "record", "--hub", "ws://127.0.0.1:\(port)/v1", "--account", "alice", "a.scenario"]
        let recorder = try Program(words, in: folder, withErrors: true)
        try await recorder.line(with: "Recording alice")
        let alice = try RawPhone(port: port, account: "alice")
        try alice.call("echo")
        try await recorder.line(with: "alice calls echo as A")
        hub.send(signal: SIGKILL)
        #expect(await recorder.exitCode() == 0, "\(recorder.printed)")
        #expect(
            recorder.printed.hasSuffix("record: the connection to the hub was lost; earlier events are in the file.\n")
        )
        #expect(try Self.read("a.scenario", in: folder).contains("alice calls echo as A\n"))
    }

    @Test func `standard output contains only the file, and a recording without actions gives exit code 3`()
        async throws
    {
        let hub = try await OperatedHub("open")
        let words = ["--account", "alice", "--for", "200ms", "-"]
        let none = try await CommandRun(["scenario", "record", "--hub", hub.address] + words, in: hub.folder)
        #expect(none.code == 3 && none.output.isEmpty)
        #expect(
            none.errors.hasSuffix("callhub scenario record: no call activity was recorded; no scenario was written.\n")
        )
        // Its messages are read here; its standard output goes to a file.
        let recorder = try Program(
            ["-c", "exec \"$0\" scenario record --hub \"$1\" --account alice --no-sound --no-waits - > a.scenario"]
                + [Program.path, hub.address],
            program: "/bin/sh",
            in: hub.folder,
            withErrors: true
        )
        try await recorder.line(with: "Recording alice")
        let alice = try RawPhone(port: hub.port, account: "alice")
        try alice.call("echo")
        try await recorder.line(with: "alice calls echo as A")
        recorder.interrupt()
        #expect(await recorder.exitCode() == 0)
        let text = try Self.read("a.scenario", in: hub.folder)
        #expect(text.hasPrefix("scenario What was recorded\nparties alice\n\nalice calls echo as A\n"), "\(text)")
        #expect(!text.contains("hears") && !text.contains("wait"))
    }

    // MARK: Permissions and refusals

    @Test func `an account's password permits recording; a wrong one does not`() async throws {
        let hub = try await OperatedHub("accounts")
        let words = ["scenario", "record", "--hub", hub.address, "--account", "bob", "--for", "200ms", "a.scenario"]
        let right = try await CommandRun(words + ["--password-stdin"], in: hub.folder, input: "bob-secret")
        #expect(right.code == 3 && right.errors.contains("Recording bob"), "\(right.errors)")
        let wrong = try await CommandRun(words + ["--password-stdin"], in: hub.folder, input: "bob-sekret")
        #expect(wrong.code == 2 && wrong.errors.contains("the hub refuses \"bob\""), "\(wrong.errors)")
        #expect(!FileManager.default.fileExists(atPath: hub.folder.path + "/a.scenario"))
    }

    @Test func `a token permits recording only with the record permission`() async throws {
        let hub = try await OperatedHub("token")
        func run(_ token: String) async throws -> CommandRun {
            let file = try hub.folder.write(token, to: "a.jwt")
            let words = ["scenario", "record", "--hub", hub.address, "--token-file", file, "--for", "200ms", "-"]
            return try await CommandRun(words, in: hub.folder)
        }
        let may = try await run(hub.token(of: "carol", seconds: 60, [.record]))
        #expect(may.code == 3 && may.errors.contains("Recording carol"), "\(may.errors)")
        let mayNot = try await run(hub.token(of: "carol", seconds: 60, [.call, .observe]))
        #expect(mayNot.code == 2)
        #expect(
            mayNot.errors
                == "callhub scenario record: this token may not record; a token must have \"record\" among its permissions.\n"
        )
    }

    @Test func `a guest's link does not permit recording`() async throws {
        let hub = try await OperatedHub("accounts")
        let page = ["--url", "http://127.0.0.1:\(hub.port)", "--data", OperatedHub.data(hub.folder)]
        let made = try await CommandRun(["link", "create", "bob"] + page, in: hub.folder)
        let token = try CallLink(text: made.output.trimmingCharacters(in: .newlines)).token
        let reply = try RawPhone(port: hub.port).open(["token": token, "permissions": ["record"]])
        #expect(reply.errorCode == 403)
    }

    @Test(arguments: [
        (["a.scenario"], "--account is missing"),
        (["--account", "alice", "--account", "alice", "a.scenario"], "is given twice"),
        (["--account", "alice", "--for", "soon", "a.scenario"], "--for is \"soon\""),
        (["--account", "alice", "no/a.scenario"], "there is no folder"),
        (["--account", "alice", "there.scenario"], "\"there.scenario\" is there already; --force writes over it."),
        (["--account", "alice"], "FILE is missing"),
    ])
    func `invalid arguments are reported before the recording starts`(_ words: [String], _ sentence: String)
        async throws
    {
        let folder = try TemporaryFolder()
        _ = try folder.write("alice calls bob", to: "there.scenario")
        let run = try await CommandRun(["scenario", "record", "--hub", "ws://127.0.0.1:1"] + words, in: folder)
        #expect(run.code == 1 && run.errors.contains(sentence), "\(run.errors)")
        #expect(try Self.read("there.scenario", in: folder) == "alice calls bob")
    }

    // MARK: -

    private static func record(_ hub: OperatedHub, _ words: [String]) throws -> Program {
        try Program(["scenario", "record", "--hub", hub.address] + words, in: hub.folder, withErrors: true)
    }

    /// Two `callhub phone` have a call: Alice calls, sends digits, holds, resumes and ends it.
    private static func talk(_ hub: OperatedHub) async throws {
        func phone(_ name: String) throws -> Program {
            try Program(["phone", name, "--hub", hub.address, "--json"], in: hub.folder, isTypedAt: true)
        }
        let (alice, bob) = (try phone("alice"), try phone("bob"))
        for phone in [alice, bob] { try await phone.line(with: "signedIn") }
        try alice.type("call bob")
        try await bob.line(with: "\"state\":\"ringing\"")
        try bob.type("answer")
        try await alice.line(with: "\"state\":\"connected\"")
        try alice.type("keys 12")
        try await bob.line(with: "\"digits\":\"2\"")
        try alice.type("hold")
        try await bob.line(with: "\"remoteIsOnHold\":true")
        try await alice.line(with: "\"state\":\"held\"")
        try alice.type("resume")
        let wasHeld = Mutex(false)
        try await alice.line("of a call that is connected again") { line in
            if line.contains("\"state\":\"held\"") { wasHeld.withLock { $0 = true } }
            return wasHeld.withLock(\.self) && line.contains("\"state\":\"connected\"")
        }
        try alice.type("end")
        for phone in [alice, bob] {
            try await phone.line(with: "\"state\":\"ended\"")
            try phone.type("quit")
            #expect(await phone.exitCode() == 0)
        }
    }

    /// Runs what was recorded: in virtual time, and at the hub that it was recorded at.
    private static func expectTrue(_ text: String, _ hub: OperatedHub) async throws {
        let virtual = try await hub.run("scenario", "run", "a.scenario", "--virtual")
        #expect(virtual.code == 0, "\(virtual.output)\n\(text)")
        // A machine with more to do than this test takes its time.
        let patient = text.replacing("parties alice", with: "patience 20 s\nparties alice", maxReplacements: 1)
        _ = try hub.folder.write(patient, to: "patient.scenario")
        let real = try await hub.run("scenario", "run", "patient.scenario", "--hub", hub.address)
        #expect(real.code == 0, "\(real.output) \(real.errors)\n\(text)")
    }

    private static func read(_ file: String, in folder: TemporaryFolder) throws -> String {
        try String(contentsOf: folder.url.appending(path: file), encoding: .utf8)
    }
}
