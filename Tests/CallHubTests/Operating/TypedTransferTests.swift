import HubServer
import HubTestSupport
import Testing

/// Transfers by typed commands: three phones as programs at a real hub, of which bob's hands over alice's call.
struct TypedTransferTests {
    private let folder: TemporaryFolder
    private let hub: HubServer
    private let alice: Program
    private let bob: Program
    private let carol: Program

    init() async throws {
        let folder = try TemporaryFolder()
        var settings = HubSettings()
        settings.transport.port = 0
        settings.log.level = .warning
        let hub = try HubServer.start(settings)
        func phone(_ name: String) async throws -> Program {
            let words = ["phone", name, "--hub", "ws://127.0.0.1:\(hub.port)/v1", "--json"]
            let program = try Program(words, in: folder, isTypedAt: true)
            try await program.line(with: "signedIn")
            return program
        }
        (self.folder, self.hub) = (folder, hub)
        alice = try await phone("alice")
        carol = try await phone("carol")
        bob = try await phone("bob")
        try bob.type("call alice")
        try await see(alice, "\"handle\":\"bob\"", "\"state\":\"ringing\"")
        try alice.type("answer")
        try await see(bob, "\"handle\":\"alice\"", "\"state\":\"connected\"")
    }

    /// Waits for a line about a call in which all the words are.
    private func see(_ phone: Program, _ words: String...) async throws {
        try await phone.line("with \(words)") { line in
            line.contains("\"event\":\"call\"") && words.allSatisfy { line.contains($0) }
        }
    }

    /// Ends the call at Alice's phone, which ends Carol's, and all three programs.
    private func hangUp() async throws {
        try alice.type("end")
        try await see(carol, "\"handle\":\"alice\"", "\"endedReason\":\"remoteEnded\"", "\"transferredBy\":\"bob\"")
        for phone in [alice, bob, carol] {
            try phone.type("quit")
            #expect(await phone.exitCode() == 0)
        }
        hub.stop()
    }

    @Test func `a held call is connected with the active one by a typed command (CH-05)`() async throws {
        try bob.type("call carol")
        try await see(carol, "\"handle\":\"bob\"", "\"state\":\"ringing\"")
        try carol.type("answer")
        try await see(bob, "\"handle\":\"carol\"", "\"state\":\"connected\"")
        try bob.type("transfer")
        for handle in ["alice", "carol"] {
            try await see(bob, "\"handle\":\"\(handle)\"", "\"state\":\"ended\"", "\"cause\":\"transferred\"")
        }
        try await see(alice, "\"handle\":\"carol\"", "\"state\":\"connected\"", "\"transferredBy\":\"bob\"")
        try await see(carol, "\"handle\":\"alice\"", "\"state\":\"connected\"", "\"transferredBy\":\"bob\"")
        try await hangUp()
    }

    @Test func `the active call is given to somebody who is called, by a typed command (CH-06)`() async throws {
        try bob.type("transfer carol")
        try await see(bob, "\"handle\":\"alice\"", "\"state\":\"ended\"", "\"cause\":\"transferred\"")
        try await see(carol, "\"handle\":\"alice\"", "\"state\":\"ringing\"", "\"transferredBy\":\"bob\"")
        try await see(alice, "\"handle\":\"carol\"", "\"remoteIsRinging\":true", "\"state\":\"connected\"")
        try carol.type("answer")
        try await see(carol, "\"handle\":\"alice\"", "\"state\":\"connected\"", "\"transferredBy\":\"bob\"")
        try await see(alice, "\"handle\":\"carol\"", "\"remoteIsRinging\":false", "\"state\":\"connected\"")
        try await hangUp()
    }

    @Test func `a call that is declined comes back, and can be given to a built-in party (CH-06)`() async throws {
        try bob.type("transfer carol")
        try await see(carol, "\"handle\":\"alice\"", "\"state\":\"ringing\"")
        try carol.type("decline")
        try await see(bob, "\"cameBackFrom\":\"carol\"", "\"handle\":\"alice\"", "\"state\":\"ringing\"")
        try bob.type("answer")
        try await see(bob, "\"cameBackFrom\":\"carol\"", "\"handle\":\"alice\"", "\"state\":\"connected\"")
        try bob.type("transfer echo")
        try await see(alice, "\"handle\":\"echo\"", "\"state\":\"connected\"", "\"transferredBy\":\"bob\"")
        // Nothing is left to be given away.
        try bob.type("transfer carol")
        try await bob.line(with: "\"event\":\"error\"")
        for phone in [alice, bob, carol] {
            try phone.type("quit")
            #expect(await phone.exitCode() == 0)
        }
        hub.stop()
    }
}
