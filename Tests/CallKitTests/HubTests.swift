import CallKit
import Foundation
import HubServer
import HubTestSupport
import Testing

@testable import CallSystem

/// The same API at a hub over sockets.
struct HubTests {
    /// A hub on a free port of this machine, stopped when it is released.
    private final class OwnHub: Sendable {
        let server: HubServer

        init(port: Int = 0) throws {
            var settings = HubSettings()
            settings.transport.port = port
            settings.log.level = .error
            server = try HubServer.start(settings)
        }

        deinit {
            server.stop()
            server.waitUntilStopped()
        }

        /// Makes an app on a device of its own.
        func app(_ account: String, device: String? = nil) -> TestApp {
            var access = HubAccess(url: "ws://127.0.0.1:\(server.port)/v1", account: account)
            access.deviceID = device
            return TestApp(on: CallSystem(access)) {}
        }
    }

    @Test(.timeLimit(.minutes(1))) func `two apps call each other at a hub over sockets`() async throws {
        let hub = try OwnHub()
        let (alice, bob) = (hub.app("alice"), hub.app("bob"))
        _ = await bob.takeLog(until: "begin")
        let call = try await alice.start("bob")
        try await bob.user.wait { $0.map(\.state) == [.ringing] }
        try await bob.user.answer()
        try await alice.user.wait { $0.map(\.state) == [.connected] }
        #expect(await alice.takeLog(until: "activate") == ["begin", "start", "activate"])
        #expect(await bob.takeLog(until: "activate") == ["answer", "activate"])
        try await bob.user.end()
        try await alice.user.wait { $0.isEmpty }
        #expect(await alice.takeLog(until: "end").contains("end"))
        #expect((alice.performed.last as? CXEndCallAction)?.callUUID == call)
    }

    @Test(.timeLimit(.minutes(1))) func `a lost socket is resumed without a callback`() async throws {
        let hub = try OwnHub()
        let (alice, bob) = (hub.app("alice"), hub.app("bob"))
        _ = await bob.takeLog(until: "begin")
        try await alice.start("bob")
        try await bob.user.wait { $0.map(\.state) == [.ringing] }
        _ = await alice.takeLog(until: "activate")
        alice.system.breakConnection()
        // Waits for the connection, and then holds.
        try await bob.user.answer()
        try await alice.user.wait { $0.map(\.state) == [.connected] }
        try await alice.user.hold()
        try await bob.user.wait { $0.map(\.isHeldByOther) == [true] }
        #expect(await alice.takeLog(until: "deactivate") == ["hold", "deactivate"])
    }

    @Test(.timeLimit(.minutes(1))) func `a session that is over resets the app, and a new provider begins anew`()
        async throws
    {
        let hub = try OwnHub()
        let alice = hub.app("alice", device: "desk")
        _ = await alice.takeLog(until: "begin")
        try await alice.start("echo")
        try await alice.user.wait { $0.map(\.state) == [.connected] }
        // The same device signs in again: the hub ends the older session.
        let other = hub.app("alice", device: "desk")
        _ = await other.takeLog(until: "begin")
        #expect(await alice.takeLog(until: "reset").last == "reset")
        #expect(alice.user.calls.isEmpty)
    }

    @Test(.timeLimit(.minutes(1))) func `without a hub the first request fails with CallKit's code, and a reason`()
        async throws
    {
        // Nobody listens on port 1.
        let app = TestApp(on: CallSystem(HubAccess(url: "ws://127.0.0.1:1/v1", account: "alice"))) {}
        #expect(await refusal { try await app.start("bob") } == .unknownCallProvider)
        #expect(app.system.warnings.count == 1)
        let sentence = "There is no connection to the hub at ws://127.0.0.1:1/v1"
        #expect(app.system.warnings.first?.hasPrefix(sentence) == true)
        #expect(await reportRefusal { try await app.report("bob") } == .unknown)
    }

    @Test(.timeLimit(.minutes(1))) func `an app without a hub takes calls once there is one`() async throws {
        let port = try FreePort.find()
        let access = HubAccess(url: "ws://127.0.0.1:\(port)/v1", account: "alice")
        let alice = TestApp(on: CallSystem(access)) {}
        #expect(await refusal { try await alice.start("bob") } == .unknownCallProvider)
        let hub = try OwnHub(port: port)
        _ = await alice.takeLog(until: "begin")
        let bob = hub.app("bob")
        try await bob.start("alice")
        try await alice.user.wait { $0.map(\.state) == [.ringing] }
    }

    @Test(.timeLimit(.minutes(1))) func `a wrong account is refused with CallKit's code, and a reason`() async throws {
        let hub = try OwnHub()
        // The name of a built-in party.
        let app = hub.app("echo")
        #expect(await refusal { try await app.start("bob") } == .unknown)
        #expect(app.system.warnings.count == 1 && app.system.warnings.first?.contains("echo") == true)
    }

    @Test(.timeLimit(.minutes(1))) func `requests wait for a lost hub for a time, and then fail with a reason`()
        async throws
    {
        let hub = try OwnHub()
        var access = HubAccess(url: "ws://127.0.0.1:\(hub.server.port)/v1", account: "alice")
        access.requestTimeout = .milliseconds(300)
        let alice = TestApp(on: CallSystem(access)) {}
        _ = await alice.takeLog(until: "begin")
        try await alice.start("echo")
        try await alice.user.wait { $0.map(\.state) == [.connected] }
        hub.server.stop()
        hub.server.waitUntilStopped()
        #expect(await refusal { try await alice.start("bob") } == .unknownCallProvider)
        #expect(await refusal { try await alice.start("bob") } == .unknownCallProvider)
        #expect(alice.system.warnings.count == 1)
    }

    @Test func `variables of the environment that do not go together give one sentence`() {
        func warnings(_ environment: [String: String]) -> [String] {
            var warnings: [String] = []
            _ = HubAccess(environment: environment) { warnings.append($0) }
            return warnings
        }
        let url = ["CALLHUB_URL": "ws://localhost:8080/v1"]
        #expect(warnings([:]) == [])
        #expect(warnings(url.merging(["CALLHUB_ACCOUNT": "alice"]) { $1 }) == [])
        #expect(
            warnings(["CALLHUB_URL": "", "CALLHUB_ACCOUNT": "alice"])
                == ["CALLHUB_ACCOUNT is set and CALLHUB_URL is not: the hub is a simulated one in this process."]
        )
        #expect(
            warnings(url)
                == [
                    "CALLHUB_ACCOUNT is not set; name the account to sign in as, or a token's file in "
                        + "CALLHUB_TOKEN_FILE."
                ]
        )
        #expect(
            warnings(url.merging(["CALLHUB_TOKEN_FILE": "/nofile"]) { $1 })
                == ["CALLHUB_TOKEN_FILE: /nofile cannot be read; it must be a file with a token."]
        )
    }

    @Test func `the environment names hub, account, token, device and machine`() throws {
        #expect(HubAccess(environment: [:]) { _ in } == nil)
        let folder = try TemporaryFolder()
        let file = folder.path + "/token"
        try Data("secret\n".utf8).write(to: URL(filePath: file))
        let access = try #require(
            HubAccess(environment: [
                "CALLHUB_URL": "ws://localhost:8080/v1", "CALLHUB_ACCOUNT": "alice", "CALLHUB_TOKEN_FILE": file,
                "CALLHUB_DEVICE": "desk", "CALLHUB_MACHINE": "iphone",
            ]) { _ in }
        )
        #expect(access.url == "ws://localhost:8080/v1" && access.account == "alice" && access.deviceID == "desk")
        #expect(access.machine == "iphone" && access.token == "secret")
    }

    @Test func `the environment names microphone and receiver, and a wrong value gives one sentence`() {
        func settings(_ input: String, _ output: String) -> (CallSystemSettings, [String]) {
            var warnings: [String] = []
            let environment = ["CALLHUB_AUDIO_IN": input, "CALLHUB_AUDIO_OUT": output]
            return (CallSystemSettings(environment: environment) { warnings.append($0) }, warnings)
        }
        let right: [(String, AudioInput, String, AudioOutput)] = [
            ("", .none, "none", .none), ("file:/a:b.wav", .file("/a:b.wav"), "file:c.ogg", .file("c.ogg")),
            ("-", .pipe("-"), "pipe:/p", .pipe("/p")), ("alsa:plughw:0,1", .alsa("plughw:0,1"), "-", .pipe("-")),
            ("tone:440", .tone(hertz: 440), "alsa:default", .alsa("default")),
        ]
        for (input, microphone, output, receiver) in right {
            let (settings, warnings) = settings(input, output)
            #expect(settings.audioInput == microphone && settings.audioOutput == receiver && warnings == [])
        }
        for (input, output) in [("a.wav", "b.wav"), ("file:", "file:"), ("alsa", "alsa:"), ("tone:nan", "tone:440")] {
            let (settings, warnings) = settings(input, output)
            #expect(settings.audioInput == .none && settings.audioOutput == .none && warnings.count == 2)
        }
        #expect(
            settings("a.wav", "").1 == [
                "CALLHUB_AUDIO_IN: a.wav does not name a microphone; it must be file:PATH, pipe:PATH, -, alsa:NAME, "
                    + "tone:HERTZ or none."
            ]
        )
    }

    @Test(.timeLimit(.minutes(1))) func `without a hub in the environment there is one in the process, in real time`()
        async throws
    {
        let system = CallSystem.fromEnvironment([:])
        let app = TestApp(on: system) {}
        try await app.start("echo")
        try await system.user.wait { $0.map(\.state) == [.connected] }
    }
}
