import Foundation
import HubAccountData
import HubClient
import HubCrypto
import HubEngine
import HubTestSupport
import Testing

@testable import CommandLineTools
@testable import HubStore
@testable import OperatorCommands

/// `callhub account`: the real program over a database of its own.
struct AccountCommandTests {
    private func store(_ folder: TemporaryFolder) throws -> StoreFile {
        try StoreFile(folder.path + "/callhub/callhub.db", creatingIfMissing: false)
    }

    private func account(_ name: String, in folder: TemporaryFolder) throws -> StoredAccount? {
        try store(folder).accounts().first { $0.name == name }
    }

    @Test func `an account has the requested password, handles and permissions`() async throws {
        let folder = try TemporaryFolder()
        let plain = try await CommandRun(
            "account",
            "add",
            "alice",
            "--password-stdin",
            in: folder,
            input: "open sesame"
        )
        #expect(plain.code == 0, "\(plain.errors)")
        let rich = try await CommandRun(
            "account",
            "add",
            "bob",
            "--no-password",
            "--admin",
            "--handle",
            "phoneNumber:+49 30 1",
            "--handle",
            "emailAddress:bob@example.org",
            in: folder
        )
        #expect(rich.code == 0, "\(rich.errors)")
        let alice = try #require(try account("alice", in: folder))
        #expect(alice.handles == [.generic("alice")])
        #expect(alice.hasPassword && !alice.isAdmin && !alice.isDisabled)
        let hash = try #require(try store(folder).password(of: "alice").flatMap { PasswordHash(text: $0.hash) })
        #expect(hash.matches(try Password("open sesame")))
        let bob = try #require(try account("bob", in: folder))
        #expect(bob.handles.map(\.typedText) == ["phoneNumber:+49 30 1", "emailAddress:bob@example.org"])
        #expect(!bob.hasPassword && bob.isAdmin)
    }

    @Test func `passwd replaces or removes a password`() async throws {
        let folder = try TemporaryFolder()
        _ = try await CommandRun("account", "add", "alice", "--password-stdin", in: folder, input: "first of all")
        #expect(
            try await CommandRun("account", "passwd", "alice", "--password-stdin", in: folder, input: "second of all")
                .code == 0
        )
        let hash = try #require(try store(folder).password(of: "alice").flatMap { PasswordHash(text: $0.hash) })
        #expect(hash.matches(try Password("second of all")))
        #expect(try await CommandRun("account", "passwd", "alice", "--no-password", in: folder).code == 0)
        #expect(try store(folder).password(of: "alice")?.hash == nil)
    }

    @Test func `handles are added, put first and removed, but not the last one`() async throws {
        let folder = try TemporaryFolder()
        func run(_ verb: String, _ handle: String) async throws -> CommandRun {
            try await CommandRun("account", "handle", "alice", verb, handle, in: folder)
        }
        _ = try await CommandRun("account", "add", "alice", "--no-password", in: folder)
        _ = try await CommandRun("account", "add", "bob", "--no-password", in: folder)
        #expect(try await run("add", "tel:+49301").code == 0)
        #expect(try await run("first", "phoneNumber:+49 301").output == "alice: phoneNumber:+49301, generic:alice\n")
        let taken = try await run("add", "bob")
        #expect(taken.code == 3)
        #expect(taken.errors.contains("\"bob\" already"))
        #expect(try await run("remove", "generic:nobody").code == 3)
        #expect(try await run("remove", "alice").code == 0)
        let last = try await run("remove", "phoneNumber:+49301")
        #expect(last.code == 3)
        #expect(last.errors.contains("only handle"))
        #expect(try account("alice", in: folder)?.handles.map(\.typedText) == ["phoneNumber:+49301"])
    }

    @Test func `two programs that add a handle at the same time both succeed`() async throws {
        let folder = try TemporaryFolder()
        _ = try await CommandRun("account", "add", "alice", "--no-password", in: folder)
        try await withThrowingTaskGroup(of: Int32.self) { group in
            for number in 1...6 {
                group.addTask {
                    try await CommandRun("account", "handle", "alice", "add", "generic:alice\(number)", in: folder).code
                }
            }
            for try await code in group { #expect(code == 0) }
        }
        #expect(try account("alice", in: folder)?.handles.count == 7)
    }

    @Test func `an account is disabled, enabled, made administrator and removed`() async throws {
        let folder = try TemporaryFolder()
        _ = try await CommandRun("account", "add", "alice", "--no-password", in: folder)
        #expect(try await CommandRun("account", "disable", "alice", in: folder).code == 0)
        #expect(try account("alice", in: folder)?.isDisabled == true)
        #expect(try await CommandRun("account", "enable", "alice", in: folder).code == 0)
        #expect(try account("alice", in: folder)?.isDisabled == false)
        #expect(try await CommandRun("account", "admin", "alice", "on", in: folder).code == 0)
        #expect(try account("alice", in: folder)?.isAdmin == true)
        #expect(try await CommandRun("account", "admin", "alice", "off", in: folder).code == 0)
        #expect(try account("alice", in: folder)?.isAdmin == false)
        let unsaid = try await CommandRun("account", "remove", "alice", in: folder)
        #expect(unsaid.code == 1)
        #expect(unsaid.errors.contains("--yes"))
        #expect(try await CommandRun("account", "remove", "alice", "--yes", in: folder).code == 0)
        #expect(try account("alice", in: folder)?.isProvisioned == false)
    }

    @Test func `the name and the department of an account are set, and removed by an empty text`() async throws {
        let folder = try TemporaryFolder()
        _ = try await CommandRun("account", "add", "bob", "--no-password", in: folder)
        let both = ["--name", "Bob Miller", "--department", "Sales"]
        let set = try await CommandRun(["account", "set", "bob"] + both, in: folder)
        #expect(set.code == 0)
        #expect(set.output == "bob: Bob Miller, Sales\n")
        let removed = try await CommandRun("account", "set", "bob", "--name", "", in: folder)
        #expect(removed.output == "bob: Sales\n")
        #expect(try account("bob", in: folder)?.profile.department == "Sales")
        let nothing = try await CommandRun("account", "set", "bob", in: folder)
        #expect(nothing.code == 1)
        #expect(nothing.errors.contains("give --name TEXT, --department TEXT or both"))
        let hidden = try await CommandRun("account", "set", "bob", "--name", "Bo\u{202E}b", in: folder)
        #expect(hidden.code == 1)
        #expect(hidden.errors.contains("--name is \"Bo?b\"; it must have at most 256 bytes"))
        let long = try await CommandRun("account", "add", "c", "--name", String(repeating: "n", count: 257), in: folder)
        #expect(long.code == 1)
        #expect(try await CommandRun("account", "set", "nobody", "--name", "x", in: folder).code == 3)
    }

    @Test func `the list is an aligned table for people and JSON for programs`() async throws {
        let folder = try TemporaryFolder()
        let person = ["--name", "Al Bee", "--department", "Sales"]
        _ = try await CommandRun(["account", "add", "al", "--no-password", "--admin"] + person, in: folder)
        _ = try await CommandRun("account", "add", "李小龙", "--no-password", in: folder)
        _ = try await CommandRun("account", "disable", "李小龙", in: folder)
        try store(folder).recordSignIn("stranger")
        let table = try await CommandRun("account", "list", in: folder)
        #expect(
            table.output == """
                NAME    SIGNS IN BY  ADMIN  STATE     LAST SEEN  PERSON  DEPARTMENT  HANDLES
                al      token        yes    enabled   never      Al Bee  Sales       generic:al
                李小龙  token        -      disabled  never      -       -           generic:李小龙

                """
        )
        #expect(try await CommandRun("account", "list", "--all", in: folder).output.contains("\nstranger  -"))
        let json = try await CommandRun("account", "list", "--json", in: folder)
        let listed = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]])
        #expect(listed.map { $0["name"] as? String } == ["al", "李小龙"])
        #expect(listed[1]["disabled"] as? Bool == true)
        #expect(listed[0]["person"] as? String == "Al Bee" && listed[0]["department"] as? String == "Sales")
        #expect(listed[1]["person"] == nil)
        #expect((listed[0]["handles"] as? [[String: String]])?.first == ["type": "generic", "value": "al"])
    }

    @Test func `all stored data of an account is exported to a file that only its owner can read`() async throws {
        let folder = try TemporaryFolder()
        _ = try await CommandRun("account", "add", "alice", "--no-password", in: folder)
        let out = try await CommandRun("account", "export", "alice", in: folder)
        let path = folder.path + "/alice.json"
        #expect(out.errors.isEmpty, "standard output is the export itself")
        let written = try await CommandRun("account", "export", "alice", path, in: folder)
        #expect((written.code, written.output) == (0, ""))
        #expect(written.errors == "All stored data of alice is written to \(path).\n")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == out.output)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        let again = try await CommandRun("account", "export", "alice", path, in: folder)
        #expect(again.code == 2)
        #expect(again.errors.contains("it exists already"))
    }

    @Test func `a call in the journal of a killed hub is not restored after erase`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/callhub/callhub.db"
        _ = try await CommandRun("account", "add", "alice", "--no-password", in: folder)
        let call = RecentCall(
            id: .random(),
            handle: .generic("bob"),
            name: "Bob",
            isOutgoing: false,
            outcome: .missed,
            isSilenced: false,
            devices: [],
            startedAt: Instant(nanoseconds: 1),
            connectedAt: nil,
            endedAt: Instant(nanoseconds: 2)
        )
        let hub = try Store(StoreSettings(path))
        let copies = [try TemporaryFolder(), try TemporaryFolder()]
        try store(folder).atomically {
            // While this is open, the hub's call is in the journal alone: as if the hub were killed now.
            hub.addRecent(call, of: "alice")
            for copy in copies {
                let target = copy.path + "/callhub"
                #expect((try? FileManager.default.copyItem(atPath: folder.path + "/callhub", toPath: target)) != nil)
            }
        }
        hub.close()
        let kept = try Store(StoreSettings(copies[0].path + "/callhub/callhub.db"))
        #expect(try kept.load().storedData.first?.recents.count == 1)
        kept.close()
        #expect(try await CommandRun("account", "erase", "alice", "--yes", in: copies[1]).code == 0)
        let erased = try Store(StoreSettings(copies[1].path + "/callhub/callhub.db"))
        #expect(try erased.load().accounts.isEmpty)
        erased.close()
    }

    @Test(arguments: [
        ["add", ""], ["add", " alice"], ["add", "al\u{1B}[31mice"], ["add", "al\u{202E}ice"], ["add", "al\nice"],
        ["add", "echo"], ["add", String(repeating: "ä", count: 65)], ["add", "a", "--handle", "fax:1"],
        ["add", "guest-1"], ["add", "Guest-1"], ["add", "\u{3000}"],
        ["add", "a", "--handle", "phoneNumber:030123"], ["add", "a", "--handle", "phoneNumber:nobody"],
        ["add", "a", "--handle", "emailAddress:nobody"],
        ["add", "a", "--handle", "generic:"], ["add", "a", "--handle", "generic:music"],
        ["add", "a", "--no-password", "--password-stdin"], ["add"], ["add", "a", "b"], ["add", "a"], ["lst"],
        ["list", "--data", ".", "--store", "x"], ["list", "--store", ":memory:"], ["handle", "a", "swap", "b"],
        ["admin", "a", "perhaps"], ["list", "extra"], ["remove", "a", "--force"],
    ])
    func `invalid arguments are refused with one sentence, and nothing is created`(arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        var words = ["account"] + arguments
        if arguments.count == 2, arguments[0] == "add", arguments[1] != "a" { words.append("--no-password") }
        let run = try await CommandRun(words, in: folder)
        #expect(run.code == 1)
        #expect(run.errors.hasPrefix("callhub account"))
        #expect(run.errors.hasSuffix(".\n") || run.errors.hasSuffix("?\n"))
        #expect(run.errors.filter { $0 == "\n" }.count == 1)
        #expect(!run.errors.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x202E })
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/callhub/callhub.db"))
    }

    @Test(arguments: ["", "a\u{7}b", String(repeating: "x", count: 1_025)])
    func `an invalid password is refused`(password: String) async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun("account", "add", "alice", "--password-stdin", in: folder, input: password)
        #expect(run.code == 1)
        #expect(run.errors.contains("password"))
        #expect(try await CommandRun("account", "list", in: folder).output.isEmpty)
    }

    @Test func `an existing name is refused before a password is requested`() async throws {
        let folder = try TemporaryFolder()
        _ = try await CommandRun("account", "add", "alice", "--no-password", in: folder)
        let run = try await CommandRun("account", "add", "alice", in: folder)
        #expect(run.code == 3)
        #expect(run.errors == "callhub account add: there is an account \"alice\" already; choose another name.\n")
    }

    @Test(arguments: [
        ("alice", "Alice"), ("alice", "аlice"), ("alice", "ALIСE"), ("bob", "b0b"), ("paul", "ΡAUL"),
        ("АННА", "ahha"),
    ])
    func `a name that looks like another one, in any case, is found`(there: String, new: String) {
        #expect(ConfusableNames.of(new, among: [new, "zoe", there]) == [there])
    }

    @Test func `a name that looks like another one is accepted with a warning`() async throws {
        let folder = try TemporaryFolder()
        _ = try await CommandRun("account", "add", "alice", "--no-password", in: folder)
        let run = try await CommandRun("account", "add", "aIice", "--no-password", in: folder)
        #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
        let cyrillic = try await CommandRun("account", "add", "Аlice", "--no-password", in: folder)
        #expect(cyrillic.code == 0)
        #expect(cyrillic.errors.hasPrefix("\"Аlice\" looks like \"alice\", which exists too"), "\(cyrillic.errors)")
        #expect(try account("Аlice", in: folder) != nil)
        let other = try await CommandRun("account", "add", "zoe", "--no-password", in: folder)
        #expect(other.errors.isEmpty)
    }

    @Test func `an account is named in any case, and shown as it was created`() async throws {
        let folder = try TemporaryFolder()
        _ = try await CommandRun("account", "add", "Alice", "--no-password", in: folder)
        let again = try await CommandRun("account", "add", "ALICE", "--no-password", in: folder)
        #expect(again.code == 3)
        #expect(again.errors == "callhub account add: there is an account \"Alice\" already; choose another name.\n")
        for verb in [["passwd", "ALICE", "--no-password"], ["disable", "alice"], ["admin", "alice", "on"]] {
            #expect(try await CommandRun(["account"] + verb, in: folder).code == 0, "\(verb)")
        }
        let handle = try await CommandRun("account", "handle", "alice", "add", "emailAddress:A@X.org", in: folder)
        #expect(handle.code == 0)
        let taken = try await CommandRun(
            ["account", "add", "bob", "--no-password", "--handle", "emailAddress:a@x.ORG"],
            in: folder
        )
        #expect(taken.code == 3)
        #expect(taken.errors.contains("is a handle of \"Alice\" already"), "\(taken.errors)")
        let export = try await CommandRun("account", "export", "aLICE", in: folder)
        #expect(export.output.contains("\"account\" : \"Alice\""), "\(export.errors)")
        let link = try await CommandRun("link", "create", "ALICE", in: folder)
        #expect(link.code == 0 && !link.errors.contains("No account has this handle"), "\(link.errors)")
        #expect(try await CommandRun("account", "remove", "alice", "--yes", in: folder).output == "Alice is removed.\n")
        #expect(try await CommandRun("account", "erase", "ALICE", "--yes", in: folder).code == 0)
        #expect(try account("Alice", in: folder) == nil)
    }

    @Test(arguments: ["echo", "Echo", "MUSIC"])
    func `the names of the built-in parties are reserved in any case`(name: String) async throws {
        let folder = try TemporaryFolder()
        let run = try await CommandRun("account", "add", name, "--no-password", in: folder)
        #expect(run.code == 1)
        #expect(run.errors.contains("is a built-in party of the hub; choose another name."), "\(run.errors)")
        let handle = ["account", "add", "bob", "--no-password", "--handle", "generic:" + name]
        #expect(try await CommandRun(handle, in: folder).code == 1)
    }

    @Test func `options may stand before the verb`() async throws {
        let folder = try TemporaryFolder()
        let data = folder.path + "/elsewhere"
        let add = ["account", "--data", data, "--no-password", "add", "alice"]
        #expect(try await CommandRun(add, in: folder).code == 0)
        let list = try await CommandRun("account", "--json", "--data=" + data, "list", in: folder)
        #expect(list.output.contains("\"alice\""), "\(list.errors)")
        #expect(try await CommandRun("account", "--data", data, in: folder).code == 1)
        let help = try await CommandRun("account", "--data", data, "--help", in: folder)
        #expect(help.output == AccountCommand.usage)
        let wrong = try await CommandRun("account", "--dota", data, "list", in: folder)
        #expect(wrong.errors == "callhub account: there is no option \"--dota\"; did you mean --data?\n")
    }

    @Test func `an argument that is not UTF-8 is refused`() async throws {
        let folder = try TemporaryFolder()
        let script = "exec \"$0\" account add \"$(printf 'al\\377ce')\" --no-password"
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", script, Program.path]
        let errors = Pipe()
        shell.standardError = errors
        shell.environment = ["HOME": folder.path]
        try shell.run()
        let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        shell.waitUntilExit()
        #expect(said == "callhub: an argument is no UTF-8, and cannot be read; set the terminal to UTF-8.\n")
        #expect(shell.terminationStatus == 1)
    }

    @Test func `a wide table cell is truncated, but complete in JSON`() async throws {
        let folder = try TemporaryFolder()
        let name = String(repeating: "長", count: 30)
        _ = try await CommandRun("account", "add", name, "--no-password", in: folder)
        let list = try await CommandRun("account", "list", in: folder).output
        #expect(list.contains("\n" + String(repeating: "長", count: 19) + "…  "))
        #expect(try await CommandRun("account", "list", "--json", in: folder).output.contains(name))
    }

    @Test func `the help lists every command and option, in lines of limited length`() {
        for subcommand in AccountCommand.subcommands {
            #expect(AccountCommand.usage.contains("\n  \(subcommand.name) \(subcommand.synopsis)"))
            for option in subcommand.options { #expect(AccountCommand.usage.contains("  " + option.name)) }
        }
        for line in AccountCommand.usage.split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
    }
}
