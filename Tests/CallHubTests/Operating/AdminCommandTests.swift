import Foundation
import HubCrypto
import HubTestSupport
import Testing

@testable import OperatorCommands

private typealias TokenPermission = TokenClaims.Permission

/// `callhub admin` against a real hub.
struct AdminCommandTests {
    private typealias Object = RawPhone.Object

    private static func document(_ run: CommandRun) throws -> Object {
        try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? Object)
    }

    @Test func `calls are listed as a table and as JSON, and can be ended`() async throws {
        let hub = try await OperatedHub("accounts")
        let bob = try hub.bob()
        try bob.call("echo")
        try bob.next("call.changed") { $0.call["state"] as? String == "connected" }
        let table = try await hub.admin("calls")
        #expect(table.code == 0)
        let lines = table.output.split(separator: "\n")
        try #require(lines.count == 2)
        // Columns line up: each cell begins below its heading.
        for (heading, cell) in [("STATE", "talking"), ("FROM", "bob"), ("TO", "echo")] {
            let place = try #require(lines[0].range(of: heading)).lowerBound
            let column = lines[0].distance(from: lines[0].startIndex, to: place)
            #expect(lines[1].dropFirst(column).hasPrefix(cell), "\(table.output)")
        }
        let calls = try Self.document(try await hub.admin("calls", "--json"))["conversations"] as? [Object]
        let call = try #require(calls?.first?["conversation"] as? String)
        #expect(lines[1].hasPrefix(call + " "))
        #expect(try await hub.admin("end", call).code == 0)
        let ended = try bob.next("call.changed") { $0.call["hasEnded"] as? Bool == true }.call
        #expect(ended["cause"] as? String == "administrator")
        let again = try await hub.admin("end", call)
        #expect(again.code == 3)
        let sentence = "there is no such call, or it is over; callhub admin calls lists those there are."
        #expect(again.errors == "callhub admin end: \(sentence)\n")
        #expect(try await hub.admin("calls").output == "There are no calls.\n")
    }

    @Test func `devices and accounts are listed, and a device can be signed out`() async throws {
        let hub = try await OperatedHub("accounts")
        let bob = try hub.bob()
        let devices = try Self.document(try await hub.admin("devices", "--json"))["sessions"] as? [Object] ?? []
        #expect(devices.compactMap { $0["account"] as? String } == ["bob", "root"])
        let session = try #require(devices.first?["session"] as? String)
        let table = try await hub.admin("devices").output
        #expect(table.contains(session + "  bob      mobile"))
        let accounts = try await hub.admin("accounts").output
        #expect(accounts == "ACCOUNT  DEVICES  HANDLES\nbob      1        bob\nroot     1        root\n")
        #expect(try await hub.admin("sign-out", session).code == 0)
        #expect(try bob.next("session.closing")["reason"] as? String == "signedOut")
        #expect(try await hub.admin("sign-out", session).code == 3)
    }

    @Test func `a refused sign-in, an unknown name or a missing hub gives one sentence and exit code 2`() async throws {
        let hub = try await OperatedHub("accounts")
        let bob = try await hub.run(
            "admin",
            "calls",
            "--hub",
            hub.address,
            "--account",
            "bob",
            "--password-stdin",
            input: "bob-secret"
        )
        #expect(bob.code == 2)
        let sentence = "\"bob\" may not administer this hub; `callhub account admin bob on` lets it."
        #expect(bob.errors == "callhub admin calls: \(sentence)\n")
        let nobody = try await hub.run("admin", "calls", "--hub", hub.address)
        #expect(nobody.code == 2)
        #expect(nobody.errors.contains("give a password by --password-stdin"))
        let nowhere = try await hub.run("admin", "calls", "--hub", "ws://127.0.0.1:1/v1")
        #expect(nowhere.code == 2)
        #expect(nowhere.errors.contains("There is no connection to the hub"))
        #expect(nowhere.errors.split(separator: "\n").count == 1)
    }

    @Test(arguments: [
        ["end"], ["end", "x"], ["end", "1.0", "2.0"], ["calls", "x"], ["cals"], ["drain", "--grace", "-1"],
        ["calls", "--grace", "1"], ["calls", "--token-file", "/nowhere"],
        ["calls", "--hub", "gopher://x"],
    ])
    func `invalid arguments give exit code 1`(words: [String]) async throws {
        let run = try await CommandRun(["admin"] + words, in: try TemporaryFolder())
        #expect(run.code == 1)
        #expect(run.output.isEmpty)
        #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    }

    @Test func `on a terminal the program prompts for the password without echo`() async throws {
        let hub = try await OperatedHub("accounts")
        let words = ["admin", "accounts", "--hub", hub.address, "--account", "root"]
        let terminal = try Pseudoterminal(words, in: hub.folder)
        try terminal.waits(for: "Password of root: ")
        #expect(!terminal.echoes)
        terminal.type("root-secret\r")
        #expect(try terminal.end() == 0)
        #expect(terminal.shown.contains("HANDLES"))
        #expect(!terminal.shown.contains("root-secret"))
    }

    @Test func `in open mode on loopback any name may reload and drain the hub`() async throws {
        let hub = try await OperatedHub("open")
        let phone = try RawPhone(port: hub.port, account: "alice")
        #expect(try await hub.run("admin", "accounts", "--hub", hub.address).output.contains("\nalice    1  "))
        #expect(try await hub.run("admin", "reload", "--hub", hub.address).code == 0)
        try await hub.log.line(with: "method=reload")
        #expect(try await hub.run("admin", "drain", "--grace", "0", "--hub", hub.address).code == 0)
        #expect(try phone.next("session.closing")["reason"] as? String == "draining")
        #expect(await hub.log.exitCode() == 0)
    }

    @Test func `a token with the admin permission is accepted, one without is refused`() async throws {
        let hub = try await OperatedHub("token")
        for (permissions, code) in [([.call, .admin], 0), ([.call], 2)] as [(Set<TokenPermission>, Int32)] {
            let file = try hub.folder.write(hub.token(of: "ops", seconds: 60, permissions) + "\n", to: "token.jwt")
            let run = try await hub.run("admin", "devices", "--hub", hub.address, "--token-file", file)
            #expect(run.code == code, "\(run.errors)")
            #expect(run.output.contains("ops") == (code == 0))
        }
    }

    @Test func `durations are written with units`() {
        let words = [-5, 0, 59, 60, 192, 3_600, 7_380, 86_399, 90_000].map { AdminTables.words(for: $0) }
        #expect(
            words == ["0 s", "0 s", "59 s", "1 m 0 s", "3 m 12 s", "1 h 0 m", "2 h 3 m", "23 h 59 m", "1 d 1 h"]
        )
    }
}
