import Foundation
import HubTestSupport
import Testing

@testable import HubStore
@testable import OperatorCommands

/// Tests of `callhub restore`.
struct RestoreCommandTests {
    @Test func `a hub on an empty machine continues with the accounts of a backup`() async throws {
        let old = try await OperatedHub("accounts")
        let copy = old.folder.path + "/copy.db"
        #expect(try await old.run("backup", copy, "--data", OperatedHub.data(old.folder)).code == 0)
        let machine = try TemporaryFolder()
        let data = machine.path + "/var/lib/callhub"
        let run = try await CommandRun("restore", copy, "--data", data, in: machine)
        #expect(run.code == 0, "\(run.errors)")
        #expect(
            run.output == """
                \(data)/callhub.db is now the database of \(copy), with 2 accounts.
                There was no database before.
                Start the hub: systemctl start callhub, or callhub serve --data \(data).

                """
        )
        let settings = "{auth: {mode: \"accounts\", passwordMegabytes: 8, passwordPasses: 1}}"
        let hub = try Program(
            [
                "serve", "--config", machine.write(settings, to: "hub.json5"), "--listen", "127.0.0.1:0", "--data",
                data,
            ],
            in: machine,
            withErrors: true
        )
        let line = try await hub.line(with: "listens on")
        let port = try #require(line.firstMatch(of: /127\.0\.0\.1:(\d+)/).flatMap { Int($0.1) })
        try await blocking {
            _ = try RawPhone(port: port, account: "bob", ["password": "bob-secret", "device": ["id": "mobile"]])
        }
    }

    @Test func `the database of a running hub is not replaced`() async throws {
        let hub = try await OperatedHub("accounts")
        let (copy, data) = (hub.folder.path + "/copy.db", OperatedHub.data(hub.folder))
        _ = try await hub.run("backup", copy, "--data", data)
        let run = try await hub.run("restore", copy, "--data", data)
        #expect(run.code == 2)
        #expect(
            run.errors == "callhub restore: a hub is using \(data)/callhub.db; stop it first: systemctl stop callhub.\n"
        )
        #expect(try hub.store().load().accounts.count == 2)
    }

    @Test func `the replaced database is named, and a file that is no backup changes nothing`() async throws {
        let folder = try TemporaryFolder()
        _ = try await CommandRun("account", "add", "alice", "--no-password", in: folder)
        _ = try await CommandRun("backup", "copy.db", in: folder)
        _ = try await CommandRun("account", "add", "bob", "--no-password", in: folder)
        let letter = try folder.write("Dear backup", to: "letter.txt")
        let wrong = try await CommandRun("restore", letter, in: folder)
        #expect(wrong.code == 2 && wrong.errors.contains("\(letter) is no database of CallHub's; name a file"))
        #expect(try await CommandRun("account", "list", in: folder).output.contains("\nbob"))
        let run = try await CommandRun("restore", "copy.db", in: folder)
        #expect(run.code == 0, "\(run.errors)")
        let replaced = try #require(run.output.firstMatch(of: /The replaced database is (\S+);/)).1
        #expect(try await !CommandRun("account", "list", in: folder).output.contains("\nbob"))
        #expect(
            try await CommandRun("account", "list", "--store", String(replaced), in: folder).output.contains("\nbob")
        )
    }

    @Test(arguments: [["restore"], ["restore", "a", "b"], ["restore", "-"], ["restore", "a", "--what"]])
    func `an invalid command line is refused`(arguments: [String]) async throws {
        let run = try await CommandRun(arguments, in: TemporaryFolder())
        #expect(run.code == 1 && run.errors.hasPrefix("callhub restore: "), "\(run.errors)")
    }

    @Test func `the help fits the terminal's width`() {
        for line in RestoreCommand.usage.split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
    }
}
