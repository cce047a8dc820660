import Foundation
import HubAccountData
import HubClient
import HubEngine
import HubTestSupport
import Testing

@testable import CommandLineTools
@testable import DirectoryReading
@testable import OperatorCommands

/// `callhub directory` on a running hub, with the real programs.
struct DirectoryCommandTests {
    /// A hub of its own in a folder.
    private struct World {
        let folder: TemporaryFolder
        let hub: Program
        let port: Int

        init(_ settings: String = "{log: {level: \"error\"}}") async throws {
            folder = try TemporaryFolder()
            let file = try folder.write(settings, to: "callhub.json5")
            hub = try Program(["serve", "--config", file, "--listen", "127.0.0.1:0"], in: folder)
            let line = try await hub.line(with: "listens on")
            port = try #require(line.firstMatch(of: /127\.0\.0\.1:(\d+)/).flatMap { Int($0.1) })
        }

        func run(_ arguments: String...) async throws -> CommandRun {
            let hub = ["--hub", "ws://127.0.0.1:\(port)/v1", "--account", "alice"]
            return try await CommandRun(["directory"] + arguments + hub, in: folder)
        }

        func directories() async throws -> [DirectoryStatus] {
            let phone = try await TestPhone.connect(port: port, "alice")
            guard
                case .directories(let found) = try await phone.client.send(
                    .accountData(.directoryStatus(identifier: nil))
                )
            else { return [] }
            return found
        }
    }

    @Test func `a spreadsheet is loaded, listed, disabled and enabled`() async throws {
        let world = try await World()
        let file = try world.folder.write("number,label\n+49 2,Bob\n1234,block\n1,Ann\n1,Ann\n", to: "spam.csv")
        let load = try await world.run("load", file)
        #expect(load.code == 0, "\(load.errors)")
        #expect(load.output.hasPrefix("spam has 1 blocked number and 2 names now, loaded in "))
        #expect(load.output.hasSuffix(" (1 entry there twice).\n"))
        #expect(load.errors.isEmpty, "without a terminal no progress is printed")
        let found = try #require(try await world.directories().first)
        #expect((found.identifier, found.blocking, found.identification) == ("spam", 1, 2))
        let list = try await world.run("list")
        #expect(list.output.hasPrefix("NAME  STATE    BLOCKED  NAMES  LOADED\nspam  enabled  1        2      20"))
        let gone = try world.folder.write("+49 2,Bob\n", to: "gone.csv")
        let removal = try await world.run("load", "--extension", "spam", "--incremental", "--remove", gone)
        #expect(removal.output.hasPrefix("spam has 1 blocked number and 1 name now, 1 entry removed in "), "\(removal)")
        #expect(try await world.run("disable", "spam").output == "spam is disabled.\n")
        #expect(try await world.directories().first?.isEnabled == false)
        let refused = try await world.run("load", file)
        #expect(refused.code == 3)
        let sentence = "the extension is disabled; callhub directory enable enables it."
        #expect(refused.errors == "callhub directory load: \(sentence)\n")
        #expect(try await world.run("enable", "spam").code == 0)
        let json = try await world.run("list", "--json").output
        let listed = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
        #expect(listed.first?["enabled"] as? Bool == true)
        #expect(try await world.run("disable", "nothing").code == 3)
    }

    @Test func `for an unreadable file ten faulty lines are listed and the rest counted`() async throws {
        let world = try await World()
        let file = try world.folder.write(String(repeating: "nonsense\n", count: 1_000), to: "a.csv")
        let load = try await world.run("load", file)
        #expect(load.code == 4)
        let lines = load.errors.split(separator: "\n")
        #expect(lines.count == 12)
        #expect(lines.dropLast().last == "… and 990 more.")
        #expect(
            lines.last?.hasSuffix("1,000 lines are wrong and nothing was loaded; fix it, or use --skip-bad.") == true
        )
    }

    @Test func `a directory above the hub's limit is not sent`() async throws {
        let world = try await World("{limits: {maximumDirectoryEntries: 3}}")
        let file = try world.folder.write("1,block\n2,block\n3,A\n4,B\n", to: "a.csv")
        let load = try await world.run("load", file)
        #expect(load.code == 3)
        #expect(load.errors.contains("a.csv has 4 entries, and this hub stores 3 for an account"))
        #expect(try await world.directories().isEmpty)
    }

    @Test func `a pipe is read like a file`() async throws {
        let world = try await World()
        let pipe = world.folder.path + "/pipe.csv"
        try #require(mkfifo(pipe, 0o600) == 0)
        let writer = Task.detached { try Data("1,A\n".utf8).write(to: URL(filePath: pipe)) }
        #expect(try await world.run("load", pipe).code == 0)
        _ = await writer.result
        #expect(try await world.directories().map(\.identification) == [1])
    }

    @Test func `a load replaces the directory, or adds to it if requested`() async throws {
        let world = try await World()
        let first = try world.folder.write("1,A\n2,B\n", to: "first.csv")
        let second = try world.folder.write("3,block\n", to: "second.csv")
        #expect(try await world.run("load", second, "--extension", "work", "--incremental").code == 3)
        #expect(try await world.run("load", first, "--extension", "work").code == 0)
        #expect(try await world.run("load", second, "--extension", "work", "--incremental").code == 0)
        let added = try #require(try await world.directories().first { $0.identifier == "work" })
        #expect((added.blocking, added.identification) == (1, 2))
        #expect(try await world.run("load", second, "--extension", "work").code == 0)
        let replaced = try #require(try await world.directories().first { $0.identifier == "work" })
        #expect((replaced.blocking, replaced.identification) == (1, 0))
    }

    @Test func `an incremental load removes the entries of its removal file before it adds`() async throws {
        let world = try await World()
        let first = try world.folder.write("1,A\n1,B\n2,C\n3,block\n4,block\n", to: "first.csv")
        #expect(try await world.run("load", first, "--extension", "work").code == 0)
        let gone = try world.folder.write("1,any name\n4,block\n9,block\n", to: "gone.csv")
        let next = try world.folder.write("1,D\n", to: "next.csv")
        let change = try await world.run("load", next, "--extension", "work", "--incremental", "--remove", gone)
        #expect(change.code == 0, "\(change.errors)")
        let changed = try #require(try await world.directories().first)
        #expect((changed.blocking, changed.identification) == (1, 2))
        let only = try await world.run("load", "--extension", "work", "--incremental", "--remove", next, "--json")
        #expect(only.code == 0, "\(only.errors)")
        let report = try #require(try JSONSerialization.jsonObject(with: Data(only.output.utf8)) as? [String: Any])
        #expect((report["identification"] as? Int, report["removals"] as? Int) == (1, 1))
    }

    @Test func `an emptied directory keeps its name, and a missing one is not created`() async throws {
        let world = try await World()
        let file = try world.folder.write("1,A\n3,block\n", to: "spam.csv")
        #expect(try await world.run("load", file).code == 0)
        #expect(try await world.run("empty", "spam").output == "spam is empty.\n")
        let left = try #require(try await world.directories().first)
        #expect((left.identifier, left.blocking, left.identification) == ("spam", 0, 0))
        let nothing = try await world.run("empty", "spma")
        #expect(nothing.code == 3)
        #expect(try await world.directories().count == 1)
    }

    @Test func `national numbers are loaded if their country is given`() async throws {
        let world = try await World()
        let file = try world.folder.write("030 1,A\n+1 5,B\n", to: "friends.csv")
        let load = try await world.run("load", file, "--country-code", "49")
        #expect(load.code == 0, "\(load.errors)")
        #expect(try await world.directories().first?.identification == 2)
    }

    @Test func `faulty lines are listed and nothing is loaded, unless skipping them is allowed`() async throws {
        let world = try await World()
        let file = try world.folder.write("1,A\nbob,B\n2,C\n3\n", to: "list.csv")
        let refused = try await world.run("load", file)
        #expect(refused.code == 4)
        let lines = refused.errors.split(separator: "\n").map(String.init)
        #expect(lines.count == 3)
        #expect(lines.first?.hasPrefix("\(file):2: \"bob\" is no number;") == true)
        #expect(lines.dropFirst().first?.hasPrefix("\(file):4: it has one field;") == true)
        #expect(
            lines.last?.hasSuffix("2 lines are wrong and nothing was loaded; fix it, or use --skip-bad.") == true
        )
        #expect(try await world.directories().isEmpty)
        let skipped = try await world.run("load", file, "--skip-bad", "--json")
        #expect(skipped.code == 0)
        let report = try #require(try JSONSerialization.jsonObject(with: Data(skipped.output.utf8)) as? [String: Any])
        #expect(report["identification"] as? Int == 2)
        #expect(report["badLines"] as? Int == 2)
    }

    @Test func `a load in many batches is complete, even if the hub's message rate is low`() async throws {
        let world = try await World(
            "{log: {level: \"error\"}, limits: {maximumMessageBytes: 4096, messagesPerSecond: 20}}"
        )
        let file = try world.folder.write(Self.many, to: "many.csv")
        let load = try await world.run("load", file)
        #expect(load.code == 0, "\(load.errors)")
        #expect(try await world.directories().first?.identification == 9_000)
    }

    /// Numbers in the wrong order, enough for more than a hundred messages of 4 KB.
    private static let many = (1...9_000).reversed().map { "\($0),Subscriber number \($0)\n" }.joined()

    @Test(arguments: [200, 20])
    func `batches sent in parallel arrive in order, or the load restarts`(
        messagesPerSecond: Int
    ) async throws {
        let world = try await World(
            "{log: {level: \"error\"}, limits: {maximumMessageBytes: 4096, messagesPerSecond: \(messagesPerSecond)}}"
        )
        let file = try world.folder.write(Self.many, to: "many.csv")
        let source = DirectorySource(path: file, skipsBad: false) { Issue.record("\($0)") }
        let phone = try await TestPhone.connect(port: world.port, "alice")
        // Every answer counts as one from far away.
        let loader = DirectoryLoader(
            client: phone.client,
            identifier: "many",
            isIncremental: false,
            timeForOne: .nanoseconds(1)
        )
        let result = try await loader.load(try source.table { _ in }.table) { _ in }
        #expect(result.identification == 9_000)
    }

    @Test func `an interrupted load does not block later ones`() async throws {
        let world = try await World(
            "{log: {level: \"error\"}, limits: {maximumMessageBytes: 4096, messagesPerSecond: 5}}"
        )
        let many = try world.folder.write(Self.many, to: "many.csv")
        let few = try world.folder.write("1,A\n", to: "few.csv")
        let hub = ["--hub", "ws://127.0.0.1:\(world.port)/v1", "--account", "alice"]
        let terminal = try Pseudoterminal(["directory", "load", many] + hub, in: world.folder)
        try terminal.waits(for: "% of 9,000 entries sent")
        terminal.type("\u{3}")
        let end = try terminal.end()
        #expect(end == -SIGINT, "\(end): \(terminal.shown)")
        let next = try await world.run("load", few, "--extension", "many")
        #expect(next.code == 0, "\(next.errors)")
    }

    @Test func `vCards are loaded under the name of their file`() async throws {
        let world = try await World()
        let file = try world.folder.write(
            "BEGIN:VCARD\nVERSION:3.0\nFN:Acme Sales\nTEL:+49 30 1111\nEND:VCARD\n",
            to: "work.vcf"
        )
        #expect(try await world.run("load", file).code == 0)
        let status = try #require(try await world.directories().first)
        #expect((status.identifier, status.identification) == ("work", 1))
    }

    @Test func `a device signed in to load a directory does not ring`() async throws {
        let world = try await World()
        let file = try world.folder.write("1,A\n", to: "list.csv")
        #expect(try await world.run("load", file).code == 0)
        let bob = try await TestPhone.connect(port: world.port, "bob")
        _ = try await bob.client.start(.generic("alice"))
        let ended = try await bob.call("ends because the callee is offline") { $0.hasEnded }
        #expect(ended.endedReason != nil)
    }

    @Test func `an account added while the hub runs can sign in, a disabled one cannot`()
        async throws
    {
        let world = try await World("{log: {level: \"error\"}, auth: {mode: \"accounts\"}}")
        func list(_ password: String) async throws -> CommandRun {
            let hub = ["--hub", "ws://127.0.0.1:\(world.port)/v1", "--account", "alice", "--password-stdin"]
            return try await CommandRun(["directory", "list"] + hub, in: world.folder, input: password)
        }
        #expect(try await list("open sesame").code == 2)
        let add = ["account", "add", "alice", "--password-stdin"]
        #expect(try await CommandRun(add, in: world.folder, input: "open sesame").code == 0)
        // The hub looks once a second: asked again until it has.
        var isIn = false
        for _ in 0..<20 where !isIn { isIn = try await list("open sesame").code == 0 }
        #expect(isIn)
        let wrong = try await list("Sesame")
        #expect(wrong.code == 2)
        #expect(wrong.errors.contains("the hub refuses \"alice\": the name or the password is wrong."))
        #expect(try await CommandRun("account", "disable", "alice", in: world.folder).code == 0)
        for _ in 0..<20 where isIn { isIn = try await list("open sesame").code == 0 }
        #expect(!isIn)
    }

    @Test func `on a terminal the program prompts for the password`() async throws {
        let hub = try await OperatedHub("accounts")
        let terminal = try Pseudoterminal(
            ["directory", "list", "--hub", hub.address, "--account", "bob"],
            in: hub.folder
        )
        try terminal.waits(for: "Password of bob: ")
        terminal.type("bob-secret\r")
        #expect(try terminal.end() == 0)
        #expect(terminal.shown.contains("There are no directories"))
    }

    @Test func `each kind of load error is reported with its exit code`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("1,A\n", to: "list.csv")
        let empty = try folder.write("number,label\n", to: "empty.csv")
        let national = try folder.write("030 1,A\n", to: "national.csv")
        let dead = ["--hub", "ws://127.0.0.1:1/v1"]
        let cases: [(words: [String], code: Int32, says: String)] = [
            (["load", file, "--account", "alice"] + dead, 2, "There is no connection to the hub"),
            (["load", file] + dead, 1, "--account NAME is missing"),
            (["load", file, "--account", "alice", "--hub", "http://"], 1, "no address of a hub"),
            (["load", "list.txt", "--account", "alice"] + dead, 4, "must end in .csv or .vcf"),
            (["load", "none.csv", "--account", "alice"] + dead, 4, "none.csv cannot be read: No such file"),
            (["load", empty, "--account", "alice"] + dead, 4, "has no entries"),
            (["load", "--account", "alice"] + dead, 1, "FILE.csv or FILE.vcf is missing"),
            (["lod", file], 1, "did you mean load?"),
            (["load", file, "--password-stdin", "--token-file", file] + dead, 1, "exclude each other"),
            (["load", file, "--account", "alice", "--remove", file], 1, "--remove goes with --incremental"),
            (["load", "--account", "alice", "--incremental", "--remove", file], 1, "--extension NAME is missing"),
            (["load", file, "--account", "alice", "--country-code", "0"], 1, "it must be one to three digits"),
            (["load", national, "--account", "alice"] + dead, 4, "national.csv:1: \"030 1\" has no country code"),
            (["load", file, "--extension", "", "--account", "alice"] + dead, 1, "cannot be a directory's name"),
        ]
        for (words, code, says) in cases {
            let run = try await CommandRun(["directory"] + words, in: folder)
            #expect(run.code == code, "\(words): \(run.errors)")
            #expect(run.errors.contains(says), "\(words): \(run.errors)")
        }
    }

    @Test func `the help lists every option, in lines of limited length`() {
        for option in DirectoryCommand.options { #expect(DirectoryCommand.usage.contains("  " + option.name)) }
        for line in DirectoryCommand.usage.split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
    }
}
