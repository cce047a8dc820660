import Foundation
import HubClient
import HubEngine
import HubTestSupport
import HubWire
import Testing

/// Tests of `callhub operate`: the real program at a real hub, with a headless device of bob's.
struct OperateTests {
    private let hub: OperatedHub
    private let entrance: TestPhone
    private let root: TestPhone

    init() async throws {
        let hub = try await OperatedHub("accounts")
        self.hub = hub
        entrance = try await TestPhone.connect(port: hub.port, "bob") { options in
            (options.password, options.deviceID) = ("bob-secret", "entrance")
        }
        root = try await TestPhone.connect(port: hub.port, "root") { $0.password = "root-secret" }
    }

    private func operate(
        _ lines: String...,
        device: String = "entrance",
        options: [String] = []
    ) async throws -> CommandRun {
        let words =
            ["operate", "bob", "--device", device, "--hub", hub.address, "--password-stdin", "--json"] + options
        let input = (["bob-secret"] + lines).joined(separator: "\n")
        return try await CommandRun(words, in: hub.folder, input: input, endsInput: true)
    }

    @Test func `a call of the device is listed with its choices, answered there, held and ended`() async throws {
        try await root.client.start(.generic("bob"))
        _ = try await entrance.ringing()
        let listed = try await operate("calls")
        #expect(listed.code == 0, "\(listed.output)")
        #expect(listed.output.contains("\"device\":\"entrance\"") && listed.output.contains("\"choices\":[\"accept\""))
        // Its end does not end the call.
        let answered = try await operate("answer")
        #expect(answered.code == 0, "\(answered.output)")
        _ = try await entrance.call("is connected") { $0.state == .connected }
        #expect(try await operate("hold", "quit").code == 0)
        _ = try await root.call("is held by the device") { $0.remoteIsOnHold }
        #expect(try await operate("resume").code == 0)
        _ = try await root.call("is held no more") { !$0.remoteIsOnHold }
        #expect(try await operate("mute", "keys 9").code == 0)
        _ = try await root.next("a digit") { event in
            if case .notification(.dtmf(_, "9", _)) = event { true } else { nil }
        }
        #expect(try await operate("end").code == 0)
        _ = try await root.call("has ended") { $0.hasEnded }
    }

    @Test func `a second call is taken by one of its choices, and both are merged`() async throws {
        try await entrance.client.start(.generic("echo"))
        _ = try await entrance.call("is connected") { $0.state == .connected }
        try await root.client.start(.generic("bob"))
        _ = try await entrance.ringing()
        let wrong = try await operate("choose accept")
        #expect(wrong.code == 3)
        #expect(wrong.output.contains("The call has the choices holdAndAccept, endAndAccept, decline; choose one."))
        #expect(try await operate("choose holdAndAccept").code == 0)
        _ = try await root.call("is connected") { $0.state == .connected }
        #expect(try await operate("merge").code == 0)
        _ = try await entrance.call("is in a group") { $0.group != nil }
        #expect(try await operate("end all").code == 0)
        _ = try await root.call("has ended") { $0.hasEnded }
    }

    @Test func `the device calls somebody at the operator's wish`() async throws {
        #expect(try await operate("call root").code == 0)
        #expect(try await root.ringing().localizedCallerName == "bob")
    }

    @Test func `the device's app is named, and named again when its name changes without a call`() async throws {
        var configuration = ProviderConfiguration()
        configuration.localizedName = "Monkey Call"
        _ = try await entrance.client.send(.engine(.configure(configuration)))
        let words = ["operate", "bob", "--device", "entrance", "--hub", hub.address, "--password-stdin"]
        let screen = try Program(words, in: hub.folder, isTypedAt: true)
        try screen.type("bob-secret")
        try await screen.line(with: "The device's calls are those of Monkey Call.")
        configuration.localizedName = "Ape Call"
        _ = try await entrance.client.send(.engine(.configure(configuration)))
        try await screen.line(with: "The device's calls are those of Ape Call.")
        try screen.type("quit")
        #expect(await screen.exitCode() == 0)
    }

    @Test func `what cannot be done is one sentence and exit code 3 for scripts`() async throws {
        let absent = try await operate("call root", device: "nowhere", options: ["--wait"])
        #expect(absent.code == 3 && absent.output.contains("the device that this session operates is not signed in"))
        for line in ["answer", "recents", "pull", "people", "sing"] {
            #expect(try await operate(line).code == 3, "\(line)")
        }
    }

    @Test func `a device that is not signed in is one sentence with those that are, and exit code 1`() async throws {
        let wrong = try await operate("calls", device: "entrence")
        #expect(wrong.code == 1)
        #expect(
            wrong.output.contains(
                #"no device of bob with the id \"entrence\" is signed in; signed in are entrance"#
            )
        )
    }

    @Test func `a line waits for the effect of the one before, as the device performs it`() async throws {
        try await root.client.start(.generic("bob"))
        _ = try await entrance.ringing()
        let run = try await operate("answer", "hold", "calls", "resume", "mute", "unmute", "end", "calls")
        #expect(run.code == 0, "\(run.output)")
        let lists = run.output.split(separator: "\n").filter { $0.contains(#""event":"calls""#) }
        #expect(lists.first?.contains(#""state":"ringing""#) == true)
        #expect(lists.dropFirst().first?.contains(#""state":"held""#) == true)
        #expect(lists.last?.contains(#""calls":[]"#) == true)
    }

    @Test func `a script ends at its first refused line, unless it is told to keep going`() async throws {
        try await root.client.start(.generic("bob"))
        _ = try await entrance.ringing()
        #expect(try await operate("hold", "answer").code == 3)
        #expect(try await operate("calls").output.contains(#""state":"ringing""#))
        #expect(try await operate("hold", "answer", options: ["--keep-going"]).code == 3)
        _ = try await root.call("is connected") { $0.state == .connected }
    }

    @Test func `no command is suggested that an operator does not have`() async throws {
        for (line, suggestion) in [("goo", "go"), ("recent", "recents"), ("bak", "back"), ("peple", "people")] {
            let run = try await operate(line)
            #expect(run.code == 3 && run.output.contains("There is no command"))
            #expect(!run.output.contains("did you mean \(suggestion)?"), "\(run.output)")
        }
        #expect(try await operate("anser").output.contains("did you mean answer?"))
    }

    @Test func `who has no right, no device or no account is told so in one sentence`() async throws {
        let none = try await hub.run("operate", "bob", "--hub", hub.address)
        #expect(none.code == 1 && none.errors.contains("a device is missing: --device ID"))
        let nobody = try await hub.run("operate", "--device", "entrance", "--hub", hub.address)
        #expect(nobody.code == 1 && nobody.errors.contains("an account is missing"))
        let tokens = try await OperatedHub("token")
        let token = try tokens.folder.write(tokens.token(of: "bob", seconds: 60), to: "bob.jwt")
        let words = ["operate", "--device", "entrance", "--token-file", token, "--hub", tokens.address, "--json"]
        let refused = try await CommandRun(words, in: tokens.folder, input: "calls", endsInput: true)
        #expect(refused.code == 2 && refused.output.contains("the hub refuses this token: "), "\(refused.output)")
    }

    @Test func `a terminal shows what happens, and leaves without ending the call`() async throws {
        let words = ["operate", "bob", "--device", "entrance", "--hub", hub.address]
        let terminal = try Pseudoterminal(words, in: hub.folder)
        try terminal.waits(for: "Password of bob: ")
        terminal.type("bob-secret\r")
        try terminal.waits(for: "Operating the device entrance of bob")
        try await root.client.start(.generic("bob"))
        try terminal.waits(for: "root calls.")
        terminal.type("answer\r")
        try terminal.waits(for: "Connected with root.")
        terminal.type("\u{3}")
        #expect(try terminal.end() == 0)
        // A request after the operator has left: the call is there.
        #expect(try await operate("hold").code == 0)
        _ = try await root.call("is held by the device") { $0.remoteIsOnHold }
    }
}
