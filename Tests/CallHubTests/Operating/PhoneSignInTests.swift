import Foundation
import HubClient
import HubEngine
import HubTestSupport
import Testing

@testable import CommandLineClient

/// Tests of `callhub phone` and the client library at a hub with authentication.
struct PhoneSignInTests {
    private static func phone(_ hub: OperatedHub, _ words: String..., input: String? = nil) async throws -> CommandRun {
        try await CommandRun(["phone"] + words + ["--hub", hub.address, "--json"], in: hub.folder, input: input)
    }

    @Test func `the right password signs in; a wrong or missing one gives one sentence and exit code 2`() async throws {
        let hub = try await OperatedHub("accounts")
        let right = try await Self.phone(
            hub,
            "bob",
            "--password-stdin",
            "--call",
            "echo",
            "--for",
            "1",
            input: "bob-secret"
        )
        #expect(right.code == 0, "\(right.output)")
        #expect(right.output.contains("\"state\":\"connected\""))
        let wrong = try await Self.phone(hub, "bob", "--password-stdin", input: "bob-sekret")
        #expect(wrong.code == 2)
        #expect(wrong.output.contains("the hub refuses \\\"bob\\\": the name or the password is wrong."))
        #expect(wrong.output.split(separator: "\n").count == 1)
        let none = try await Self.phone(hub, "bob")
        #expect(none.code == 2)
        #expect(none.output.contains("give a password by --password-stdin, or a token by --token-file FILE"))
    }

    @Test func `commands follow the password on standard input`() async throws {
        let hub = try await OperatedHub("accounts")
        let run = try await Self.phone(hub, "bob", "--password-stdin", input: "bob-secret\ncalls\nquit")
        #expect(run.code == 0)
        #expect(run.output.contains("\"event\":\"calls\""))
    }

    @Test func `a line that is too long is told of, and the next ones are read`() async throws {
        let hub = try await OperatedHub("accounts")
        let long = String(repeating: "x", count: 70_000)
        let run = try await Self.phone(hub, "bob", "--password-stdin", input: "bob-secret\n\(long)\ncalls\nquit")
        #expect(run.code == 0)
        #expect(run.output.contains("the line on standard input is too long"))
        #expect(run.output.contains("\"event\":\"calls\""))
    }

    @Test func `the password is prompted for on a terminal, and Ctrl-C works in the phone afterwards`() async throws {
        let hub = try await OperatedHub("accounts")
        let words = ["phone", "bob", "--hub", hub.address, "--call", "echo"]
        let terminal = try Pseudoterminal(words, in: hub.folder)
        try terminal.waits(for: "Password of bob: ")
        #expect(!terminal.echoes)
        terminal.type("bob-secret\r")
        try terminal.waits(for: "Signed in as bob")
        #expect(terminal.echoes)
        try terminal.waits(for: "onnected")
        // Left as by `quit`, with the call hung up, and not ended by the signal.
        terminal.type("\u{3}")
        #expect(try terminal.end() == 0)
        #expect(!terminal.shown.contains("bob-secret"))
    }

    @Test func `a token in a file selects the account, and an expired one is refused`() async throws {
        let hub = try await OperatedHub("token")
        let good = try hub.folder.write(hub.token(of: "carol", seconds: 60) + "\n", to: "good.jwt")
        let run = try await Self.phone(hub, "--token-file", good, "--call", "echo", "--for", "1")
        #expect(run.code == 0, "\(run.output)")
        #expect(run.output.contains("\"account\":\"carol\""))
        let late = try hub.folder.write(hub.token(of: "carol", seconds: -60), to: "late.jwt")
        let refused = try await Self.phone(hub, "--token-file", late)
        #expect(refused.code == 2)
        #expect(refused.output.contains("the hub refuses this token: "))
    }

    @Test func `a newer token in the file is sent to the hub during the session`() async throws {
        let hub = try await OperatedHub("token")
        let file = try TokenFile(try hub.folder.write(hub.token(of: "carol", seconds: 300), to: "carol.jwt"))
        var options = ClientOptions()
        options.tokenProvider = { file.token }
        options.timing.tokenCheckInterval = .milliseconds(5)
        let client = try await HubClient.connect(to: hub.address, account: nil, options: options)
        let first = try #require(client.session?.expiresAt)
        let session = client.session?.session
        _ = try hub.folder.write(hub.token(of: "carol", seconds: 600), to: "carol.jwt")
        for await event in client.events {
            guard case .refreshed(let end) = event else { continue }
            #expect(end.since(first) > .seconds(200))
            #expect(client.session?.expiresAt == end)
            break
        }
        #expect(client.session?.session == session)
        await client.close()
    }

    @Test func `the client requests the token again at each sign-in`() async throws {
        let hub = try await OperatedHub("token")
        let tokens = Tokens([hub.token(of: "carol", seconds: 600), hub.token(of: "carol", seconds: 700)])
        var options = ClientOptions()
        options.tokenProvider = { tokens.next() }
        let client = try await HubClient.connect(to: hub.address, account: nil, options: options)
        #expect(tokens.count == 1)
        client.breakConnection()
        for await event in client.events {
            if case .resumed = event { break }
        }
        #expect(tokens.count >= 2)
        await client.close()
    }

    /// Tokens one after the other, the last one repeatedly.
    private final class Tokens: @unchecked Sendable {
        private let lock = NSLock()
        private let tokens: [String]
        private var asked = 0

        init(_ tokens: [String]) { self.tokens = tokens }

        var count: Int { lock.withLock { asked } }

        func next() -> String? {
            lock.withLock {
                asked += 1
                return tokens[min(asked, tokens.count) - 1]
            }
        }
    }
}
