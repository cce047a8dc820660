import Foundation
import HubAccountData
import HubEngine
import HubTestSupport
import Testing

@testable import HubStore

/// A backup in the place of the database.
struct RestoreTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Makes a database with an account, and a backup of it.
    private func makeBackup(of account: String = "old") throws -> String {
        let file = try StoreFile(folder("source.db"))
        try file.addAccount(NewAccount(account))
        try file.backup(to: folder("backup.db"))
        return folder("backup.db")
    }

    private func restore(_ backup: String, to name: String = "hub.db") throws(StoreError) -> String? {
        try StoreFile.restore(backup, to: folder(name), at: Instant(nanoseconds: 1_795_528_800_000_000_000))
    }

    private func accounts(_ path: String) throws -> [String] {
        try StoreFile(path, creatingIfMissing: false).load().accounts.map(\.name)
    }

    @Test func `a backup becomes the database of an empty folder, and stays as it is`() throws {
        let backup = try makeBackup()
        let bytes = try Data(contentsOf: URL(filePath: backup))
        #expect(try restore(backup) == nil)
        #expect(try accounts(folder("hub.db")) == ["old"])
        #expect(try Data(contentsOf: URL(filePath: backup)) == bytes)
        #expect(folder.names.filter { $0.hasPrefix("hub.db") } == ["hub.db", "hub.db.lock"])
        let mode = try FileManager.default.attributesOfItem(atPath: folder("hub.db"))[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `the replaced database is kept whole, with what is in the files beside it`() throws {
        let backup = try makeBackup()
        // A killed hub leaves its last changes in the write-ahead log.
        let file = try StoreFile(folder("live.db"))
        try file.addAccount(NewAccount("late"))
        for suffix in ["", "-wal"] {
            try Data(contentsOf: URL(filePath: folder("live.db" + suffix))).write(
                to: URL(filePath: folder("hub.db" + suffix))
            )
        }
        try Data("journal".utf8).write(to: URL(filePath: folder("hub.db.recents")))
        let replaced = try #require(try restore(backup))
        #expect(replaced == folder("hub.db.replaced-2026-11-24"))
        #expect(try accounts(folder("hub.db")) == ["old"])
        #expect(try String(contentsOfFile: replaced + ".recents", encoding: .utf8) == "journal")
        try FileManager.default.removeItem(atPath: replaced + ".recents")
        #expect(try accounts(replaced) == ["late"])
        #expect(try restore(backup) == folder("hub.db.replaced-2026-11-24-2"), "a second one of the day is kept, too")
    }

    @Test func `a database that a hub uses is not replaced`() throws {
        let backup = try makeBackup()
        let store = try Store(StoreSettings(folder("hub.db")))
        defer { store.close() }
        let names = folder.names
        let failure = #expect(throws: StoreError.self) { try restore(backup) }
        #expect(
            failure?.message
                == "another hub (pid \(getpid())) is using \(folder("hub.db")); stop it, or name another file"
        )
        #expect(folder.names == names)
    }

    @Test(arguments: ["empty", "text", "foreign", "newer", "damaged", "missing", "folder", "in use", "itself"])
    func `a file that is no intact backup is refused with a sentence, and nothing changes`(kind: String) throws {
        let good = try makeBackup()
        _ = try restore(good)
        let bad = kind == "itself" ? folder("hub.db") : folder("bad.db")
        let instead = "; name a file that `callhub backup` or a hub's nightly backup has made"
        var sentence = ""
        switch kind {
        case "empty":
            try Data().write(to: URL(filePath: bad))
            sentence = "\(bad) is no database of CallHub's\(instead)"
        case "text":
            try Data(repeating: 0x41, count: 10_000).write(to: URL(filePath: bad))
            sentence = "\(bad) is no database of CallHub's\(instead)"
        case "foreign":
            try Database(path: bad).execute("CREATE TABLE theirs (x)")
            sentence = "\(bad) is no database of CallHub's\(instead)"
        case "newer":
            try FileManager.default.copyItem(atPath: good, toPath: bad)
            let known = try Database(path: bad).integer("PRAGMA user_version")
            try Database(path: bad).execute("PRAGMA user_version = 2147483647")
            sentence =
                "\(bad) is of version 2147483647, from a newer CallHub; this one supports versions up to \(known): "
                + "run the newer one, or restore a backup from before it"
        case "damaged":
            var bytes = try Data(contentsOf: URL(filePath: good))
            bytes.replaceSubrange(4_096..<bytes.count, with: Data(repeating: 0xA5, count: bytes.count - 4_096))
            try bytes.write(to: URL(filePath: bad))
            sentence = "\(bad) is damaged ("
        case "missing": sentence = "\(bad) cannot be read: No such file or directory\(instead)"
        case "folder":
            try FileManager.default.createDirectory(atPath: bad, withIntermediateDirectories: false)
            sentence = "\(bad) is no plain file\(instead)"
        case "in use":
            try FileManager.default.copyItem(atPath: good, toPath: bad)
            try Data("changes".utf8).write(to: URL(filePath: bad + "-wal"))
            sentence = "\(bad) is a database in use, of which a part is in \(bad)-wal\(instead)"
        default: sentence = "\(bad) is the hub's database itself\(instead)"
        }
        let names = folder.names
        let failure = #expect(throws: StoreError.self) { try restore(bad) }
        #expect(failure?.message.hasPrefix(sentence) == true, "\(failure?.description ?? "")")
        #expect(folder.names == names)
        #expect(try accounts(folder("hub.db")) == ["old"])
    }
}
