import Foundation
import HubAccountData
import HubEngine
import HubStore
import HubTestSupport
import Testing

/// A nightly backup on a machine that has nothing else: one command, and the hub is the one that it was.
struct EmptyMachineTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Starts a hub with accounts; returns it with its port.
    private func hub(_ data: String, backups: String? = nil) async throws -> (Program, Int) {
        let backup = backups.map { ", backup: {folder: '\($0)'}" } ?? ""
        let auth = "auth: {mode: 'accounts', passwordMegabytes: 8, passwordPasses: 1}"
        let settings = "{\(auth), log: {level: 'info'}\(backup)}"
        let program = try Program(
            ["serve", "--config", folder.write(settings, to: "hub.json5"), "--listen", "127.0.0.1:0", "--data", data],
            in: folder,
            withErrors: true
        )
        let line = try await program.line(with: "listens on")
        return (program, try #require(line.firstMatch(of: /127\.0\.0\.1:(\d+)/).flatMap { Int($0.1) }))
    }

    /// Has a process end in good order.
    private func end(_ program: Program) async {
        program.send(signal: SIGTERM)
        #expect(await program.exitCode() == 0)
    }

    /// Sends a request as a new client; returns its result, or its error's reason.
    private static func ask(_ port: Int, _ method: String, _ members: [String: String]) async throws -> String {
        try await blocking {
            let reply = try RawPhone(port: port).ask(method, members)
            if let result = reply["result"] as? [String: Any] {
                return result["account"] as? String ?? result["kind"] as? String ?? ""
            }
            let error = reply["error"] as? [String: Any]
            return (error?["data"] as? [String: Any])?["reason"] as? String ?? "\(reply)"
        }
    }

    @Test func `a nightly backup that is restored has the accounts, Recents and invitations, and people sign in`()
        async throws
    {
        let (old, backups) = (folder.path + "/old", folder.path + "/backups")
        for name in ["alice", "bob"] {
            let added = try await CommandRun(
                ["account", "add", name, "--password-stdin", "--data", old],
                in: folder,
                input: "a long password of \(name)"
            )
            #expect(added.code == 0, "\(added.errors)")
        }
        let (first, port) = try await hub(old)
        try await blocking {
            let alice = try RawPhone(port: port, account: "alice", ["password": "a long password of alice"])
            _ = try RawPhone(port: port, account: "bob", ["password": "a long password of bob"])
            try alice.socket.sendClose(code: 1000)
        }
        let account = try await CommandRun("invite", "account", "carol", "--data", old, in: folder)
        let guest = try await CommandRun("invite", "guest", "bob", "--calls", "1", "--data", old, in: folder)
        let secrets = try [account, guest].map { run in
            try #require(run.output.firstMatch(of: #/#i=([A-Za-z0-9_-]{22})/#).map { String($0.1) })
        }
        let call = RecentCall(
            id: RecentUUID(high: 1, low: 2),
            handle: .generic("alice"),
            name: "Alice",
            isOutgoing: false,
            outcome: .missed,
            startedAt: Instant(nanoseconds: 1_795_000_000_000_000_000),
            endedAt: Instant(nanoseconds: 1_795_000_001_000_000_000)
        )
        await end(first)
        try StoreFile(old + "/callhub.db").addRecent(call, of: "bob")
        let (second, _) = try await hub(old, backups: backups)
        // The night's backup is missing, so it is made at once.
        try await second.line(with: "backup complete")
        await end(second)
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: backups).first)

        let new = folder.path + "/new/callhub"
        let restored = try await CommandRun(["restore", backups + "/" + name, "--data", new], in: folder)
        #expect(restored.code == 0, "\(restored.errors)")
        #expect(restored.output.contains("with 2 accounts"))
        let (third, newPort) = try await hub(new)
        let recents = try await blocking {
            let bob = try RawPhone(port: newPort, account: "bob", ["password": "a long password of bob"])
            return "\(try bob.ask("recents.list", [:]))"
        }
        #expect(recents.contains("Alice") && recents.contains("missed"), "\(recents)")
        #expect(try await Self.ask(newPort, "invitation.show", ["secret": secrets[1]]) == "guest")
        let members = ["secret": secrets[0], "account": "carol", "password": "a long password"]
        #expect(try await Self.ask(newPort, "invitation.accept", members) == "carol")
        #expect(try await Self.ask(newPort, "invitation.accept", members) == "used")
        await end(third)
    }
}
