import Foundation
import HubTestSupport
import Testing

@testable import HubStore
@testable import OperatorCommands

/// Tests of `callhub backup`, and of the commands' errors for a database that they cannot open.
struct BackupCommandTests {
    @Test func `a backup is a complete copy that only its owner can read`() async throws {
        let folder = try TemporaryFolder()
        _ = try await CommandRun("account", "add", "alice", "--no-password", in: folder)
        let copy = folder.path + "/copy.db"
        let run = try await CommandRun("backup", copy, in: folder)
        #expect(run.code == 0, "\(run.errors)")
        #expect(
            run.output.wholeMatch(of: /.*copy\.db is a complete copy of .*callhub\.db: [0-9]+ KB in [0-9.]+ s\.\n/)
                != nil
        )
        #expect(try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int == 0o600)
        let list = try await CommandRun("account", "list", "--store", copy, in: folder)
        #expect(list.output.contains("\nalice"))
    }

    @Test func `a backup overwrites nothing`() async throws {
        let folder = try TemporaryFolder()
        _ = try await CommandRun("account", "add", "alice", "--no-password", in: folder)
        let file = try folder.write("dear", to: "copy.db")
        let run = try await CommandRun("backup", file, in: folder)
        #expect(run.code == 2)
        #expect(run.errors.contains("it is there already"))
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "dear")
    }

    @Test(arguments: ["-wal", "-shm", "-journal", ".lock", ".recents"])
    func `a backup is not written to a path of the database's own files`(suffix: String) async throws {
        let folder = try TemporaryFolder()
        _ = try await CommandRun("account", "add", "alice", "--no-password", in: folder)
        let own = folder.path + "/callhub/../callhub/callhub.db" + suffix
        let run = try await CommandRun("backup", own, in: folder)
        #expect(run.code == 2)
        #expect(run.errors.contains("that is a file of the database's own"))
        #expect(!FileManager.default.fileExists(atPath: own))
        #expect(try await CommandRun("backup", folder.path + "/callhub.db" + suffix, in: folder).code == 0)
    }

    @Test func `a backup is not written to standard output`() async throws {
        let folder = try TemporaryFolder()
        _ = try await CommandRun("account", "add", "alice", "--no-password", in: folder)
        let run = try await CommandRun("backup", "-", in: folder)
        #expect(run.code == 1)
        #expect(run.errors.contains("name a new file"))
    }

    @Test func `a backup does not create a missing source database`() async throws {
        let folder = try TemporaryFolder()
        for arguments in [["backup", "copy.db"], ["account", "list"], ["account", "remove", "alice", "--yes"]] {
            let run = try await CommandRun(arguments + ["--data", folder.path + "/nowhere"], in: folder)
            #expect(run.code == 2)
            #expect(run.errors.contains("there is no database at \(folder.path)/nowhere/callhub.db"))
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/nowhere"))
    }

    @Test func `a database locked by another program for long is reported as busy`() async throws {
        let folder = try TemporaryFolder()
        _ = try await CommandRun("account", "add", "alice", "--no-password", in: folder)
        let other = try StoreFile(folder.path + "/callhub/callhub.db", creatingIfMissing: false)
        try other.run("BEGIN IMMEDIATE")
        let run = try await CommandRun("account", "disable", "alice", in: folder)
        #expect(run.code == 2)
        #expect(run.errors.contains("is locked by another program"))
        // A reader does not wait for a writer.
        #expect(try await CommandRun("account", "list", in: folder).output.contains("enabled"))
        try other.run("ROLLBACK")
        #expect(try await CommandRun("account", "disable", "alice", in: folder).code == 0)
    }

    @Test(arguments: ["no database at all", ""])
    func `a file of another type is refused and left unchanged`(content: String) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(content, to: "letter.txt")
        let run = try await CommandRun("account", "list", "--store", file, in: folder)
        #expect(run.code == (content.isEmpty ? 0 : 2))
        if !content.isEmpty {
            #expect(
                run.errors
                    == "callhub account list: \(file) is not a database; name another file, which is created if it is missing.\n"
            )
            #expect(try String(contentsOfFile: file, encoding: .utf8) == content)
        }
    }

    @Test func `the help fits the terminal's width`() {
        for line in BackupCommand.usage.split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
        #expect(BackupCommand.usage.contains("  --data DIR"))
    }
}
