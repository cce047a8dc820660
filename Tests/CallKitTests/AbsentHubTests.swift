import CallKit
import Foundation
import HubServer
import HubTestSupport
import Testing

@testable import CallSystem

/// Apps whose hub is not there, stays away, or goes on without them, over sockets.
struct AbsentHubTests {
    private static func server(keepsLostSessionsFor grace: Duration? = nil) throws -> HubServer {
        var settings = HubSettings()
        settings.transport.port = 0
        settings.log.level = .error
        if let grace { settings.resumeGrace = grace }
        return try HubServer.start(settings)
    }

    private static func app(_ account: String, port: Int) -> TestApp {
        TestApp(on: CallSystem(HubAccess(url: "ws://127.0.0.1:\(port)/v1", account: account))) {}
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            (403, "Forbidden", "the server refuses this program (HTTP 403)"),
            (429, "Too Many Requests", "the server has too many connections from here (HTTP 429)"),
            (503, "Service Unavailable", "the server takes no more connections at present (HTTP 503)"),
            (200, "OK", "the server at this address is no hub (HTTP 200)"),
        ]
    )
    func `what answers in place of a hub fails the first request with CallKit's code, and one sentence says why`(
        status: Int,
        phrase: String,
        reason: String
    ) async throws {
        let server = try HTTPResponder(status: status, phrase)
        let app = Self.app("alice", port: server.port)
        #expect(await refusal { try await app.start("bob") } == .unknownCallProvider)
        #expect(await reportRefusal { try await app.report("bob") } == .unknown)
        #expect(app.system.warnings.count == 1)
        let sentence = "There is no connection to the hub at ws://127.0.0.1:\(server.port)/v1: \(reason)"
        #expect(app.system.warnings.first?.hasPrefix(sentence) == true, "\(app.system.warnings)")
    }

    @Test(.timeLimit(.minutes(1)))
    func `an app whose hub stays away for longer than it keeps a session ends its calls, and so does the hub`()
        async throws
    {
        let server = try Self.server(keepsLostSessionsFor: .seconds(1))
        let link = try FaultyLink(to: server.port)
        let (alice, bob) = (Self.app("alice", port: link.port), Self.app("bob", port: server.port))
        _ = await bob.takeLog(until: "begin")
        try await alice.start("bob")
        try await bob.user.wait { $0.map(\.state) == [.ringing] }
        try await bob.user.answer()
        _ = await alice.takeLog(until: "activate")
        link.refuse()
        link.reset()
        #expect(await alice.takeLog(until: "reset").filter { $0 == "reset" }.count == 1)
        #expect(alice.user.calls.isEmpty)
        try await bob.user.wait { $0.isEmpty }
        // Afterwards the app calls again, once the hub is back.
        link.restore()
        _ = await alice.takeLog(until: "begin")
        try await alice.start("bob")
        try await bob.user.wait { $0.map(\.state) == [.ringing] }
        server.stop()
        server.waitUntilStopped()
    }

    @Test(.timeLimit(.minutes(1))) func `a program's calls end when it calls exit, before the hub would give it up`()
        async throws
    {
        let server = try Self.server()
        let port = server.port
        let bob = Self.app("bob", port: port)
        _ = await bob.takeLog(until: "begin")
        async let answered: Void = {
            // A program takes its time to begin on a slow machine.
            try await bob.user.wait(timeout: .seconds(40)) { $0.map(\.state) == [.ringing] }
            try await bob.user.answer()
        }()
        await #expect(processExitsWith: .exitCode(7)) { [port = port as Int] in
            setenv("CALLHUB_URL", "ws://127.0.0.1:\(port)/v1", 1)
            setenv("CALLHUB_ACCOUNT", "alice", 1)
            // The system that a program gets without saying so.
            let app = TestApp(on: CallSystem.current) {}
            try await app.start("bob")
            try await app.user.wait(timeout: .seconds(40)) { $0.map(\.state) == [.connected] }
            exit(7)
        }
        try await answered
        // The hub keeps a session whose connection is lost for a minute.
        try await bob.user.wait(timeout: .seconds(20)) { $0.isEmpty }
        server.stop()
        server.waitUntilStopped()
    }
}
