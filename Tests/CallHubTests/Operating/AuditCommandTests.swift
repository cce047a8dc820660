import Foundation
import HubEngine
import HubStore
import HubTestSupport
import HubWire
import Testing

@testable import OperatorCommands

/// `callhub admin audit`, and the entries of commands, requests and signals.
struct AuditCommandTests {
    private typealias Object = RawPhone.Object

    private static let noHash = String(repeating: "0", count: 64)

    private func entries(_ run: CommandRun) throws -> [Object] {
        let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? Object
        return try #require(document?["entries"] as? [Object])
    }

    private func acts(_ run: CommandRun) throws -> [String] {
        try entries(run).reversed().compactMap { $0["act"] as? String }
    }

    @Test func `each command that changes something has an entry, which names the user and no secret`() async throws {
        let folder = try TemporaryFolder()
        let data = ["--data", folder.path + "/data"]
        func run(_ words: String..., input: String? = nil) async throws -> CommandRun {
            try await CommandRun(words + data, in: folder, input: input)
        }
        let secret = "a very secret password"
        let steps: [([String], String?)] = [
            (["account", "add", "bob", "--password-stdin"], secret), (["account", "add", "bob", "--no-password"], nil),
            (["account", "passwd", "bob", "--password-stdin"], secret + "!"), (["account", "disable", "bob"], nil),
            (["account", "enable", "bob"], nil), (["account", "admin", "bob", "on"], nil),
            (["account", "set", "bob", "--department", "Sales"], nil),
            (["account", "handle", "bob", "add", "phoneNumber:+4930123"], nil),
            (["account", "handle", "bob", "first", "phoneNumber:+4930123"], nil),
            (["account", "handle", "bob", "remove", "generic:bob"], nil), (["account", "export", "bob"], nil),
            (["link", "create", "bob"], nil), (["link", "revoke"], nil), (["invite", "guest", "bob"], nil),
            (["invite", "account", "--admin"], nil), (["account", "remove", "bob", "--yes"], nil),
            (["account", "disable", "nobody"], nil), (["account", "erase", "bob", "--yes"], nil),
        ]
        var links = ""
        for (words, input) in steps {
            let done = try await CommandRun(words + data, in: folder, input: input)
            if ["link", "invite"].contains(words[0]) { links += done.output }
        }
        let list = try await run("admin", "audit", "--json")
        #expect(
            try acts(list) == [
                "account.add", "account.password", "account.disable", "account.enable", "account.admin",
                "account.profile", "account.addHandle", "account.firstHandle", "account.removeHandle",
                "account.export", "link.create", "link.revoke", "invitation.create", "invitation.create",
                "account.remove", "account.disable", "account.erase",
            ]
        )
        let all = try entries(list)
        #expect(all.allSatisfy { $0["origin"] as? String == "commandLine" && $0["user"] is String })
        #expect(all.filter { $0["result"] as? String == "refused" }.count == 1)
        // Neither passwords nor the secrets of links.
        #expect(!list.output.contains("secret password"))
        for link in links.split(separator: "\n") where link.contains("#") {
            let secret = try #require(link.split(separator: "=").last)
            #expect(!list.output.contains(secret))
        }
        let table = try await run("admin", "audit", "--limit", "2")
        let lines = table.output.split(separator: "\n")
        #expect(lines.count == 3 && lines[0].hasPrefix("NUMBER") && lines[2].contains("account.erase"))
        #expect(try await run("admin", "audit", "--since", "2999-01-01", "--json").output == "{\"entries\":[]}\n")
        let verified = try await run("admin", "audit", "--verify")
        #expect(verified.code == 0)
        #expect(verified.output.hasPrefix("All 17 entries are as they were stored. The last one is 17, SHA-256\n"))
    }

    @Test func `links to a provider's users, removed passkeys and a new key have entries, void changes have none`()
        async throws
    {
        let folder = try TemporaryFolder()
        let data = ["--data", folder.path + "/data"]
        func run(_ words: String...) async throws -> CommandRun { try await CommandRun(words + data, in: folder) }
        let user = ["--issuer", "https://issuer.example", "--subject", "s1"]
        #expect(try await run("account", "add", "bob", "--no-password").code == 0)
        let passkey = StoredPasskey(
            id: [UInt8](repeating: 1, count: 32),
            site: "hub.example.com",
            name: "Bob's secret phone",
            algorithm: -8,
            publicKey: [2],
            counter: 0,
            createdAt: Instant(nanoseconds: 0)
        )
        #expect(try StoreFile(folder.path + "/data/callhub.db").add(passkey, to: "bob"))
        #expect(try await CommandRun(["account", "link", "bob"] + user + data, in: folder).code == 0)
        #expect(try await run("account", "link", "bob").code == 0)
        #expect(try await CommandRun(["account", "unlink", "bob"] + user + data, in: folder).code == 0)
        #expect(try await CommandRun(["account", "unlink", "bob"] + user + data, in: folder).code == 3)
        #expect(try await run("account", "passkeys", "bob").code == 0)
        #expect(try await run("account", "passkeys", "bob", "remove", "all", "--yes").code == 0)
        #expect(try await run("account", "renew-openid", "--yes").code == 0)
        let list = try await run("admin", "audit", "--json")
        let found = try entries(list).reversed().map { [$0["act"], $0["target"], $0["detail"]].map { $0 as? String } }
        #expect(
            found == [
                ["account.add", "bob", nil], ["account.link", "bob", "s1 of https://issuer.example"],
                ["account.unlink", "bob", "s1 of https://issuer.example"], ["passkey.remove", "bob", "AQEBAQEBAQEB"],
                ["openid.renewKey", nil, nil],
            ]
        )
        #expect(!list.output.contains("secret phone"))
    }

    @Test func `a changed entry is found offline and by the running hub, with exit code 4`() async throws {
        let hub = try await OperatedHub("accounts")
        let data = OperatedHub.data(hub.folder)
        for state in ["disable", "enable"] {
            #expect(try await hub.run("account", state, "bob", "--data", data).code == 0)
        }
        #expect(try await hub.run("admin", "audit", "--verify", "--data", data).code == 0)
        #expect(try await hub.admin("audit", "--verify").code == 0)
        let tool = try await CommandRunTool.python(
            "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); "
                + "c.execute(\"update audit set target='root' where number=1\"); c.commit()",
            data + "/callhub.db"
        )
        #expect(tool == 0)
        let offline = try await hub.run("admin", "audit", "--verify", "--data", data)
        #expect(offline.code == 4)
        #expect(offline.errors == "callhub admin audit: the audit log was changed: entry 1 was changed.\n")
        let online = try await hub.admin("audit", "--verify")
        #expect(online.code == 4 && online.errors == offline.errors)
    }

    @Test func `a head that was noted must still be in the log, offline and at the running hub`() async throws {
        let hub = try await OperatedHub("accounts")
        let data = ["--data", OperatedHub.data(hub.folder)]
        #expect(try await hub.run("account", "disable", "bob", "--data", data[1]).code == 0)
        let newest = try await hub.run("admin", "audit", "--limit", "1", "--json", "--data", data[1])
        let entry = try #require(try entries(newest).first)
        let (number, hash) = (try #require(entry["number"] as? Int), try #require(entry["hash"] as? String))
        #expect(try await hub.run("account", "enable", "bob", "--data", data[1]).code == 0)
        let other = String(hash.reversed())
        for (head, code, reason): (String, Int32, String) in [
            ("\(number):\(hash)", 0, ""), ("\(number):\(hash.uppercased())", 0, ""),
            ("\(number):\(other)", 4, "was written anew: entry \(number) is not"),
            ("\(number + 2):\(hash)", 4, "has no entry \(number + 2)"),
            ("\(Int64.max):\(hash)", 4, "has no entry \(Int64.max)"),
        ] {
            let words = ["admin", "audit", "--verify", "--head", head]
            let offline = try await CommandRun(words + data, in: hub.folder)
            #expect(offline.code == code, "\(offline)")
            #expect(reason.isEmpty ? offline.errors.isEmpty : offline.errors.contains(reason), "\(offline)")
            let online = try await hub.admin("audit", "--verify", "--head", head)
            #expect(online.code == code && online.errors == offline.errors, "\(online)")
        }
    }

    @Test func `requests, signals and the start of a hub leave their marks`() async throws {
        let hub = try await OperatedHub("accounts")
        let bob = try hub.bob()
        try bob.call("echo")
        try bob.next("call.changed") { $0.call["state"] as? String == "connected" }
        let calls = try await hub.admin("calls", "--json").output
        let call = try #require(calls.firstMatch(of: /"conversation":"([^"]+)"/)?.1)
        #expect(try await hub.admin("end", String(call)).code == 0)
        let devices = try await hub.admin("devices", "--json").output
        let session = try #require(devices.firstMatch(of: /"session":"([^"]+)","account":"bob"/)?.1)
        #expect(try await hub.admin("sign-out", String(session)).code == 0)
        #expect(try await hub.admin("end", String(call)).code == 3)
        #expect(try await hub.admin("reload").code == 0)
        hub.log.send(signal: SIGHUP)
        try await hub.log.line(with: "brand reloaded")
        let list = try await hub.admin("audit", "--json")
        #expect(try acts(list).prefix(3) == ["call.end", "session.signOut", "server.reload"])
        let end = try #require(try entries(list).last)
        #expect(end["account"] as? String == "root" && end["device"] as? String == "callhub admin")
        #expect(end["address"] as? String == "127.0.0.1" && end["detail"] as? String == "bob, echo")
        #expect(end["result"] as? String == "begun")
        hub.log.send(signal: SIGTERM)
        #expect(await hub.log.exitCode() == 0)
        let later = try await hub.run("admin", "audit", "--json", "--data", OperatedHub.data(hub.folder))
        let signals = try entries(later).filter { $0["origin"] as? String == "signal" }
        #expect(signals.compactMap { $0["detail"] as? String } == ["SIGTERM", "SIGHUP"])
    }

    @Test(arguments: [
        ["audit", "x"], ["audit", "--limit", "0"], ["audit", "--limit", "x"], ["audit", "--since", "yesterday"],
        ["audit", "--since", "2026-13-01"], ["calls", "--verify"], ["calls", "--data", "d"],
        ["audit", "--data", "d", "--hub", "ws://127.0.0.1:1/v1"], ["audit", "--grace", "1"],
        ["audit", "--head", "1:" + Self.noHash], ["audit", "--verify", "--head", "0:" + Self.noHash],
        ["audit", "--verify", "--head", "9223372036854775808:" + Self.noHash], ["audit", "--verify", "--head", "1:1"],
        ["audit", "--verify", "--head", Self.noHash], ["audit", "--verify", "--head", "1:x" + Self.noHash.dropFirst()],
    ])
    func `invalid arguments of the audit log give exit code 1`(words: [String]) async throws {
        let run = try await CommandRun(["admin"] + words, in: try TemporaryFolder())
        #expect(run.code == 1)
        #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    }
}

/// A tool that is not of this program, by which a test changes a file.
private enum CommandRunTool {
    static func python(_ script: String, _ file: String) async throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script, file]
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
