import Foundation
import HubCrypto
import HubStore
import HubTestSupport
import Testing

/// The password as it is typed: the real program on a pseudo-terminal.
struct PasswordPromptTests {
    private func hash(of name: String, in folder: TemporaryFolder) throws -> PasswordHash? {
        let path = folder.path + "/callhub/callhub.db"
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let file = try StoreFile(path, creatingIfMissing: false)
        return try file.password(of: name).flatMap { PasswordHash(text: $0.hash) }
    }

    @Test func `a password is entered twice without echo`() throws {
        let folder = try TemporaryFolder()
        let terminal = try Pseudoterminal(["account", "add", "alice"], in: folder)
        try terminal.waits(for: "Password of alice: ")
        #expect(!terminal.echoes)
        terminal.type("open sesame\r")
        try terminal.waits(for: "The same again: ")
        terminal.type("open sesame\r")
        #expect(try terminal.end() == 0)
        #expect(terminal.echoes)
        #expect(!terminal.shown.contains("open sesame"))
        let hash = try #require(try hash(of: "alice", in: folder))
        #expect(hash.matches(try Password("open sesame")))
        #expect(!hash.matches(try Password("Sesame")))
    }

    @Test func `two different passwords change nothing`() throws {
        let folder = try TemporaryFolder()
        let terminal = try Pseudoterminal(["account", "add", "alice"], in: folder)
        try terminal.waits(for: "Password of alice: ")
        terminal.type("open sesame\r")
        try terminal.waits(for: "The same again: ")
        terminal.type("sesam\r")
        #expect(try terminal.end() == 4)
        #expect(terminal.shown.contains("two passwords differ"))
        #expect(try hash(of: "alice", in: folder) == nil)
    }

    @Test func `Ctrl-C ends the prompt and restores the echo`() throws {
        let folder = try TemporaryFolder()
        let terminal = try Pseudoterminal(["account", "add", "alice"], in: folder)
        try terminal.waits(for: "Password of alice: ")
        #expect(!terminal.echoes)
        terminal.type("ses\u{3}")
        #expect(try terminal.end() == -SIGINT)
        #expect(terminal.echoes)
        #expect(try hash(of: "alice", in: folder) == nil)
    }

    @Test func `a program stopped at the prompt restores the echo, and disables it again when it continues`() throws {
        let folder = try TemporaryFolder()
        let terminal = try Pseudoterminal(["account", "add", "alice"], in: folder)
        try terminal.waits(for: "Password of alice: ")
        // The leader of a session is not stopped by its terminal's Ctrl-Z, but by who stops it otherwise.
        terminal.send(SIGTSTP)
        #expect(terminal.waitUntilStopped())
        #expect(terminal.echoes)
        terminal.send(SIGCONT)
        try terminal.waits(for: "Password of alice: ", times: 2)
        #expect(!terminal.echoes)
        terminal.type("open sesame\r")
        try terminal.waits(for: "The same again: ")
        terminal.type("open sesame\r")
        #expect(try terminal.end() == 0)
        #expect(try hash(of: "alice", in: folder)?.matches(try Password("open sesame")) == true)
    }

    @Test func `end of input at the password prompt changes nothing`() throws {
        let folder = try TemporaryFolder()
        let terminal = try Pseudoterminal(["account", "add", "alice"], in: folder)
        try terminal.waits(for: "Password of alice: ")
        terminal.type("\u{4}")
        #expect(try terminal.end() == 4)
        #expect(terminal.echoes)
    }

    @Test(arguments: ["n\r", "\r", "\u{4}", "yesterday\r"])
    func `an account is erased only after the answer yes`(answer: String) async throws {
        let folder = try TemporaryFolder()
        #expect(try await CommandRun("account", "add", "alice", "--no-password", in: folder).code == 0)
        let first = try Pseudoterminal(["account", "erase", "alice"], in: folder)
        try first.waits(for: "[y/N] ")
        first.type(answer)
        #expect(try first.end() == 4)
        #expect(try await CommandRun("account", "export", "alice", in: folder).code == 0)
        let second = try Pseudoterminal(["account", "erase", "alice"], in: folder)
        try second.waits(for: "[y/N] ")
        second.type("y\r")
        #expect(try second.end() == 0)
        #expect(try await CommandRun("account", "export", "alice", in: folder).code == 3)
    }

    @Test func `the heading is highlighted on a terminal only`() async throws {
        let folder = try TemporaryFolder()
        #expect(try await CommandRun("account", "add", "alice", "--no-password", in: folder).code == 0)
        let terminal = try Pseudoterminal(["account", "list"], in: folder)
        #expect(try terminal.end() == 0)
        #expect(terminal.shown.contains("\u{1B}[1mNAME"))
        #expect(try await !CommandRun("account", "list", in: folder).output.contains("\u{1B}"))
    }
}
