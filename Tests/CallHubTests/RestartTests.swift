import Foundation
import HubClient
import HubEngine
import HubTestSupport
import Testing

/// A hub that is stopped or killed during calls, and restarted on the same port.
@Suite(.serialized) struct RestartTests {
    private static let pairs = 20
    private static let grace = 5

    private static func hub(_ folder: TemporaryFolder, port: Int) throws -> Program {
        let text = "{drain: {graceSeconds: \(grace), retryJitterSeconds: 1}, log: {level: \"error\"}}"
        let settings = try folder.write(text, to: "callhub.json5")
        return try Program(["serve", "--config", settings, "--listen", "127.0.0.1:\(port)"], in: folder)
    }

    /// Pairs of phones, each in a call with audio in both directions.
    private struct Load {
        var phones: [TestPhone] = []
        var talks: [NumberedAudioSender] = []

        init(port: Int) async throws {
            for pair in 0..<pairs {
                let quick: (inout ClientOptions) -> Void = { $0.timing.maximumRetryDelay = .milliseconds(300) }
                let caller = try await TestPhone.connect(port: port, "caller\(pair)", configure: quick)
                let callee = try await TestPhone.connect(port: port, "callee\(pair)", configure: quick)
                phones += [caller, callee]
                _ = try await caller.client.start(.generic("callee\(pair)"))
                try await callee.client.answer(try await callee.ringing().uuid)
            }
            for phone in phones { try await phone.activation() }
            talks = phones.map { NumberedAudioSender($0.client) }
            for phone in phones { try await phone.hears("the other one") { _ in true } }
        }
    }

    /// Expects each phone to be reset once, on a new session, and to be able to call again.
    private static func expectNewBeginning(_ load: Load, port: Int) async throws {
        for phone in load.phones {
            try await phone.next("a new session", within: .seconds(60)) { if case .reset = $0 { true } else { nil } }
            try await phone.next("the hub's closing message") {
                if case .notification(.didReset) = $0 { true } else { nil }
            }
        }
        for phone in load.phones { try await phone.settle() }
        for phone in load.phones {
            let resets = phone.told.count { if case .notification(.didReset) = $0 { true } else { false } }
            #expect(resets == 1)
            let resumed = phone.told.contains { if case .resumed = $0 { true } else { false } }
            #expect(!resumed)
            #expect(try await phone.client.calls().isEmpty, "no call is left over")
        }
        let page = String(decoding: try HTTPReply.fetch("GET", "/metrics", port: port).body, as: UTF8.self)
        #expect(page.contains("\ncallhub_sessions \(load.phones.count)\n"))
        #expect(page.contains("\ncallhub_conversations 0\n"))
        #expect(page.contains("\ncallhub_invariant_violations_total 0\n"))
        let again = load.phones[0]
        _ = try await again.client.start(.generic("callee0"))
        try await load.phones[1].client.answer(try await load.phones[1].ringing().uuid)
        try await again.call("is connected") { $0.state == .connected }
    }

    /// The hub's port, once it listens.
    private static func port(of hub: Program) async throws -> Int {
        let line = try await hub.line(with: "listens on")
        return try #require(line.firstMatch(of: /127\.0\.0\.1:(\d+)/).flatMap { Int($0.1) })
    }

    @Test func `a hub that is stopped and restarted loses only its calls`() async throws {
        let folder = try TemporaryFolder()
        // Its clients try the port again while there is no hub.
        let port = try FreePort.find()
        let first = try Self.hub(folder, port: port)
        _ = try await Self.port(of: first)
        let load = try await Load(port: port)
        let began = ContinuousClock.now
        first.send(signal: SIGTERM)
        let closing = try await load.phones[0].next("the hub's closing message") { event -> (String, Int?)? in
            guard case .notification(.closing(let reason, let seconds, _)) = event else { return nil }
            return (reason.rawValue, seconds)
        }
        #expect(closing.0 == "draining")
        #expect((Self.grace + 1...Self.grace + 2).contains(closing.1 ?? 0))
        #expect(try HTTPReply.fetch("GET", "/readyz", port: port).status == 503)
        // Calls continue for the grace period: audio sent after the closing message is received.
        let said = load.talks[1].count
        try await load.phones[0].hears("what was said after it") {
            (NumberedAudioSender.number(in: $0.payload) ?? 0) > said
        }
        let ended = try await load.phones[0].call("has ended") { $0.hasEnded }
        #expect(ended.cause == .shutdown)
        #expect(await first.exitCode() == 0)
        #expect(ContinuousClock.now - began >= .seconds(Self.grace), "no call is ended before its time")
        let second = try Self.hub(folder, port: port)
        _ = try await Self.port(of: second)
        try await Self.expectNewBeginning(load, port: port)
        second.send(signal: SIGTERM)
        _ = await second.exitCode()
    }

    @Test func `after a kill and restart each client is notified once that its calls are gone`() async throws {
        let folder = try TemporaryFolder()
        // Its clients try the port again while there is no hub.
        let port = try FreePort.find()
        let first = try Self.hub(folder, port: port)
        _ = try await Self.port(of: first)
        let load = try await Load(port: port)
        first.send(signal: SIGKILL)
        #expect(await first.exitCode() == SIGKILL)
        let second = try Self.hub(folder, port: port)
        _ = try await Self.port(of: second)
        try await Self.expectNewBeginning(load, port: port)
        second.send(signal: SIGTERM)
        _ = await second.exitCode()
    }

    @Test func `clients of a stopping hub connect to the hub named in its closing message`() async throws {
        let (folder, otherFolder) = (try TemporaryFolder(), try TemporaryFolder())
        let other = try Self.hub(otherFolder, port: 0)
        let otherPort = try await Self.port(of: other)
        let text = "{drain: {graceSeconds: 1, retryJitterSeconds: 0, elsewhere: \"ws://127.0.0.1:\(otherPort)/v1\"}}"
        let settings = try folder.write(text, to: "elsewhere.json5")
        let first = try Program(["serve", "--config", settings, "--listen", "127.0.0.1:0"], in: folder)
        let phone = try await TestPhone.connect(port: try await Self.port(of: first), "alice")
        first.send(signal: SIGTERM)
        #expect(await first.exitCode() == 0)
        try await phone.next("a new session on the other hub") { if case .reset = $0 { true } else { nil } }
        let page = String(decoding: try HTTPReply.fetch("GET", "/metrics", port: otherPort).body, as: UTF8.self)
        #expect(page.contains("\ncallhub_sessions 1\n"))
        other.send(signal: SIGTERM)
        _ = await other.exitCode()
    }
}
