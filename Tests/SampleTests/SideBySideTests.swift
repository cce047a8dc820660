import Foundation
import HubClient
import HubEngine
import HubServer
import HubTestSupport
import HubWire
import Testing

/// Two sample programs as their users run them, side by side at a hub over sockets.
struct SideBySideTests {
    private let folder: TemporaryFolder
    private let server: HubServer

    init() throws {
        folder = try TemporaryFolder()
        var settings = HubSettings()
        settings.transport.port = 0
        settings.log.level = .error
        server = try HubServer.start(settings)
    }

    private var url: String { "ws://127.0.0.1:\(server.port)/v1" }

    private func start(
        _ name: String,
        as account: String,
        environment: [String: String] = [:]
    ) async throws -> Program {
        let program = try Program(
            [],
            program: URL(filePath: Program.path).deletingLastPathComponent().appending(path: name).path(),
            in: folder,
            isTypedAt: true,
            environment: ["CALLHUB_URL": url, "CALLHUB_ACCOUNT": account].merging(environment) { $1 },
            withErrors: true
        )
        try await program.line(with: "ready")
        return program
    }

    @Test(.timeLimit(.minutes(2))) func `two samples call each other at a hub, a client joins, and somebody swaps`()
        async throws
    {
        let monkey = try await start("MonkeyCall", as: "alice")
        let hotline = try await start("Hotline", as: "bob")
        try monkey.type("call bob")
        try await hotline.line(with: "calls: alice connecting")
        try hotline.type("tap accept")
        try await monkey.line(with: "bob: connected")
        try await hotline.line(with: "calls: alice active")
        // A third party joins: a client of another kind.
        let carol = try await HubClient.connect(to: url, account: "carol")
        try await carol.start(.generic("alice"))
        try await monkey.line(with: "carol: ringing")
        try monkey.type("tap holdAndAccept")
        try await monkey.line(with: "bob: held")
        try await monkey.line(with: "carol: connected")
        #expect(try await changed(carol) { $0.hasConnected && !$0.remoteIsOnHold })
        try monkey.type("tap swap")
        try await monkey.line(with: "carol: held")
        #expect(try await changed(carol) { $0.remoteIsOnHold })
        // The first call is resumed: its other end hangs up.
        try hotline.type("end 1")
        try await hotline.line(with: "calls: none")
        try await monkey.line(with: "bob: ended")
        try monkey.type("end carol")
        try await monkey.line(with: "carol: ended")
        #expect(try await changed(carol) { $0.hasEnded })
        await carol.close()
        for program in [monkey, hotline] {
            try program.type("quit")
            #expect(await program.exitCode() == 0)
        }
        server.stop()
    }

    @Test(.timeLimit(.minutes(1))) func `without a hub in the environment a sample talks to the echo of its own`()
        async throws
    {
        let monkey = try Program(
            [],
            program: URL(filePath: Program.path).deletingLastPathComponent().appending(path: "MonkeyCall").path(),
            in: folder,
            isTypedAt: true,
            environment: ["CALLHUB_URL": ""]
        )
        try monkey.type("call echo")
        try await monkey.line(with: "echo: connected")
        try monkey.type("end echo")
        try await monkey.line(with: "echo: ended")
        try monkey.type("quit")
        #expect(await monkey.exitCode() == 0)
        server.stop()
    }

    /// The ways in which a sample ends.
    enum Ending: CaseIterable {
        case quit
        case endOfInput
        case signal

        func happen(to program: Program) throws {
            switch self {
            case .quit: try program.type("quit")
            case .endOfInput: try program.endInput()
            case .signal: program.send(signal: SIGTERM)
            }
        }

        var exitCode: Int32 { self == .signal ? 128 + SIGTERM : 0 }
    }

    @Test(.timeLimit(.minutes(1)), arguments: Ending.allCases)
    func `a sample that ends in a call ends the call, long before the hub would give it up`(ending: Ending) async throws
    {
        let monkey = try await start("MonkeyCall", as: "alice")
        let bob = try await HubClient.connect(to: url, account: "bob")
        try monkey.type("call bob")
        var ringing: CallUUID?
        for await event in bob.events {
            guard case .notification(.callChanged(let call)) = event, call.state == .ringing else { continue }
            ringing = call.uuid
            break
        }
        try await bob.answer(try #require(ringing))
        try await monkey.line(with: "bob: connected")
        try ending.happen(to: monkey)
        #expect(await monkey.exitCode() == ending.exitCode)
        // Within the test's minute: the hub keeps a lost session for as long.
        let clock = ContinuousClock()
        let start = clock.now
        #expect(try await changed(bob) { $0.hasEnded })
        #expect(clock.now - start < .seconds(20))
        await bob.close()
        server.stop()
    }

    @Test(.timeLimit(.minutes(1))) func `a line of a script that cannot be performed makes the exit code 1`()
        async throws
    {
        let monkey = try await start("MonkeyCall", as: "alice")
        try monkey.type("sing")
        try await monkey.line(with: "error: There is no command sing")
        try monkey.type("quit")
        #expect(await monkey.exitCode() == 1)
        server.stop()
    }

    @Test(.timeLimit(.minutes(1))) func `a file that cannot be opened is told of with its variable`() async throws {
        let files = ["CALLHUB_AUDIO_IN": "file:/nowhere/in.wav", "CALLHUB_AUDIO_OUT": "file:/nowhere/out.wav"]
        let monkey = try await start("MonkeyCall", as: "alice", environment: files)
        try await monkey.line(with: "CallSystem: CALLHUB_AUDIO_IN: /nowhere/in.wav cannot be opened")
        try await monkey.line(with: "CallSystem: CALLHUB_AUDIO_OUT: /nowhere/out.wav cannot be made")
        server.stop()
    }

    @Test(.timeLimit(.minutes(1))) func `MonkeyCall's own icon and ringtone are on the account's other devices`()
        async throws
    {
        let phone = try await HubClient.connect(to: url, account: "alice")
        let monkey = try await start("MonkeyCall", as: "alice", environment: ["CALLHUB_DEVICE": "monkey"])
        var provider: ListedProvider?
        // Each change is told of: the ringtone is read after the program has signed in.
        for await event in phone.events {
            guard case .notification(.providersChanged) = event,
                case .providers(let list) = try await phone.send(.appearance(.list))
            else { continue }
            provider = list.first { $0.device?.id == "monkey" && $0.iconHash != nil && $0.ringtoneHash != nil }
            if provider != nil { break }
        }
        let files = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Samples/MonkeyCall")
        #expect(provider?.ringtoneSound == "monkeys.wav")
        for (hash, name) in [(provider?.iconHash, "monkey.png"), (provider?.ringtoneHash, "monkeys.wav")] {
            guard case .media(let bytes) = try await phone.send(.appearance(.media(hash: hash ?? ""))) else {
                Issue.record("no \(name)")
                continue
            }
            #expect(Data(bytes) == (try Data(contentsOf: files.appending(path: "Resources/\(name)"))))
        }
        #expect(!monkey.printed.contains("CallSystem:"), "\(monkey.printed)")
        await phone.close()
        server.stop()
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["after:0s", "after:50ms"])
    func `a program whose environment says so answers by itself, holding what is active`(answer: String) async throws {
        let monkey = try await start("MonkeyCall", as: "alice", environment: ["CALLHUB_ANSWER": answer])
        let bob = try await HubClient.connect(to: url, account: "bob")
        try await bob.start(.generic("alice"))
        #expect(try await changed(bob) { $0.state == .connected })
        try await monkey.line(with: "bob: connected")
        let carol = try await HubClient.connect(to: url, account: "carol")
        try await carol.start(.generic("alice"))
        #expect(try await changed(carol) { $0.state == .connected })
        #expect(try await changed(bob) { $0.remoteIsOnHold })
        try await monkey.line(with: "bob: held")
        for client in [bob, carol] { await client.close() }
        try monkey.type("quit")
        #expect(await monkey.exitCode() == 0)
        server.stop()
    }

    @Test(.timeLimit(.minutes(1))) func `a program whose environment says so declines by itself`() async throws {
        let monkey = try await start("MonkeyCall", as: "alice", environment: ["CALLHUB_ANSWER": "decline"])
        let bob = try await HubClient.connect(to: url, account: "bob")
        try await bob.start(.generic("alice"))
        #expect(try await changed(bob) { $0.hasEnded })
        try await monkey.line(with: "bob: ended")
        #expect(!monkey.printed.contains("bob: connected"))
        await bob.close()
        server.stop()
    }

    @Test(.timeLimit(.minutes(1))) func `a program that is told to answer in unknown words says so, and does not`()
        async throws
    {
        let monkey = try await start("MonkeyCall", as: "alice", environment: ["CALLHUB_ANSWER": "always"])
        try await monkey.line(
            with: "CallSystem: CALLHUB_ANSWER is \"always\"; it must be never, decline, or a time as in after:2s."
        )
        let bob = try await HubClient.connect(to: url, account: "bob")
        try await bob.start(.generic("alice"))
        try await monkey.line(with: "bob: ringing")
        try monkey.type("tap accept")
        #expect(try await changed(bob) { $0.state == .connected })
        try monkey.type("quit")
        // Its own tap was the one that has answered.
        #expect(await monkey.exitCode() == 0)
        await bob.close()
        server.stop()
    }

    @Test(.timeLimit(.minutes(1))) func `a sample says once, on standard error, what is there in place of a hub`()
        async throws
    {
        let responder = try HTTPResponder(status: 503, "Service Unavailable")
        let errors = Pipe()
        let monkey = try Program(
            [],
            program: URL(filePath: Program.path).deletingLastPathComponent().appending(path: "MonkeyCall").path(),
            in: folder,
            isTypedAt: true,
            environment: ["CALLHUB_URL": "ws://127.0.0.1:\(responder.port)/v1", "CALLHUB_ACCOUNT": "alice"],
            standardError: errors
        )
        for _ in 1...2 {
            try monkey.type("call bob")
            try await monkey.line(with: "(com.apple.CallKit.error.requesttransaction 2)")
        }
        try monkey.type("quit")
        #expect(await monkey.exitCode() == 1)
        let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let reason = "the server takes no more connections at present (HTTP 503); try again in a minute."
        let sentence = "There is no connection to the hub at ws://127.0.0.1:\(responder.port)/v1: \(reason)"
        #expect(said == "CallSystem: \(sentence)\n")
        server.stop()
    }

    /// Waits until a client's call is as expected.
    private func changed(_ client: HubClient, _ isExpected: (CallSnapshot) -> Bool) async throws -> Bool {
        if client.currentCalls.contains(where: isExpected) { return true }
        for await event in client.events {
            guard case .notification(.callChanged(let call)) = event, isExpected(call) else { continue }
            return true
        }
        return false
    }
}
