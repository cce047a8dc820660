import Foundation
import HubAccountData
import HubEngine
import HubTestSupport
import Testing

@testable import HubStore

/// The location of a database file, its permissions and its lock.
struct OpeningTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test func `folder and files are accessible to this user only`() throws {
        let path = folder("new/er/hub.db")
        let store = try Store(StoreSettings(path))
        try store.write([.blocked(.prefix("1"))], of: "bob")
        #expect(mode(folder("new")) == 0o700)
        #expect(mode(folder("new/er")) == 0o700)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder("new/er")).sorted()
        #expect(names == ["hub.db", "hub.db-shm", "hub.db-wal", "hub.db.lock", "hub.db.recents"])
        for name in names { #expect(mode(folder("new/er/" + name)) == 0o600, "\(name)") }
        store.close()
    }

    @Test func `a closed database can be reopened at once, even while a child process starts`() throws {
        let path = folder("hub.db")
        let store = try Store(StoreSettings(path))
        // Between its fork and its exec a child has all descriptors, those that close on exec too.
        let own = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { CInt($0) }
        let lock = try #require(own.first { Self.file(of: $0) == path + ".lock" })
        let inherited = dup(lock)
        defer { close(inherited) }
        store.close()
        let next = try Store(StoreSettings(path))
        #expect(throws: StoreError.self, "the lock is the next one's") { try Store(StoreSettings(path)) }
        next.close()
    }

    @Test func `a failed lock attempt closes no descriptor of another thread`() throws {
        let path = folder("hub.db")
        let lock = try HubLock(path)
        let faults = ReportedValues<String>()
        try concurrently(8) {
            for _ in 0..<1_000 {
                if (try? HubLock(path)) != nil { faults.add("the lock was given twice") }
                let own = open("/dev/null", O_RDONLY | O_CLOEXEC)
                sched_yield()
                if fcntl(own, F_GETFD) < 0 { faults.add("descriptor \(own) is gone") }
                close(own)
            }
        }
        #expect(faults.all == [])
        withExtendedLifetime(lock) {}
    }

    /// The file of a descriptor of this process.
    private static func file(of descriptor: CInt) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
    }

    @Test func `a file readable by others is restricted to its owner`() throws {
        try Data().write(to: URL(filePath: folder("hub.db")))
        chmod(folder("hub.db"), 0o644)
        _ = try StoreFile(folder("hub.db"))
        #expect(mode(folder("hub.db")) == 0o600)
    }

    @Test(arguments: [
        ("", "the database has no name; name a file, such as callhub.db"),
        ("/dev/null/x/hub.db", "/dev/null/x cannot be made: Not a directory; name a folder that this user may write"),
        ("/dev/null", "/dev/null cannot be used: it is no plain file; name another one"),
        ("/tmp", "/tmp cannot be used: it is no plain file; name another one"),
        (
            "/proc/hub.db",
            "/proc/hub.db cannot be made: No such file or directory; name a file that this user may write"
        ),
    ]) func `an impossible path is refused with a sentence`(path: String, sentence: String) {
        let failure = #expect(throws: StoreError.self) { try Store(StoreSettings(path)) }
        #expect(failure?.kind == .unusable)
        #expect(failure?.message == sentence)
    }

    @Test(.enabled(if: geteuid() != 0)) func `a folder without write permission is refused with a sentence`() throws {
        _ = try StoreFile(folder("hub.db"))
        chmod(folder.path, 0o500)
        let failure = #expect(throws: StoreError.self) { try Store(StoreSettings(folder("hub.db"))) }
        #expect(failure?.message.contains("its folder may not be written; permit that, or name another file") == true)
    }

    @Test func `a file that is no database is refused and left unchanged`() throws {
        let text = Data(String(repeating: "Dear diary, ", count: 1_000).utf8)
        try text.write(to: URL(filePath: folder("diary.txt")))
        let failure = #expect(throws: StoreError.self) { try Store(StoreSettings(folder("diary.txt"))) }
        let path = folder("diary.txt")
        #expect(failure?.message == "\(path) is not a database; name another file, which is created if it is missing")
        #expect(try Data(contentsOf: URL(filePath: path)) == text)
    }

    @Test func `a command does not create a missing database`() throws {
        let failure = #expect(throws: StoreError.self) { try StoreFile(folder("x.db"), creatingIfMissing: false) }
        #expect(failure?.message == "there is no database at \(folder("x.db")); name the one that the hub uses")
        #expect(folder.names == [])
    }

    @Test func `two hubs cannot open one file, a command can`() throws {
        let first = try Store(StoreSettings(folder("hub.db")))
        let failure = #expect(throws: StoreError.self) { try Store(StoreSettings(folder("hub.db"))) }
        let sentence = "another hub (pid \(getpid())) is using \(folder("hub.db")); stop it, or name another file"
        #expect(failure?.message == sentence)
        try StoreFile(folder("hub.db"), creatingIfMissing: false).addAccount(NewAccount("bob"))
        #expect(try first.load().accounts.map(\.name) == ["bob"])
        first.close()
        _ = try Store(StoreSettings(folder("hub.db")))
    }

    @Test func `two hubs cannot open one file through a link to it, or to its folder`() throws {
        let first = try Store(StoreSettings(folder("hub.db")))
        mkdir(folder("elsewhere"), 0o700)
        symlink("../hub.db", folder("elsewhere/linked.db"))
        symlink(folder.path, folder("elsewhere/folder"))
        let sentence = "another hub (pid \(getpid())) is using \(folder("hub.db")); stop it, or name another file"
        for path in ["elsewhere/linked.db", "elsewhere/folder/hub.db"] {
            #expect(Store.isInUse(folder(path)))
            let failure = #expect(throws: StoreError.self) { try Store(StoreSettings(folder(path))) }
            #expect(failure?.message == sentence)
        }
        first.addRecent(call("alice"), of: "bob")
        first.close()
        let second = try Store(StoreSettings(folder("elsewhere/linked.db")))
        #expect(try second.recents("bob") == ["alice"])
        second.close()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder("elsewhere")).sorted()
        #expect(names == ["folder", "linked.db"], "what lies beside the database lies beside the file itself")
    }

    @Test func `a file with a second hard link is refused, for hubs and commands`() throws {
        _ = try StoreFile(folder("hub.db"))
        #expect(link(folder("hub.db"), folder("again.db")) == 0)
        for path in [folder("hub.db"), folder("again.db")] {
            let reason = "it has 2 names (hard links), and what is written by one of them is lost by another"
            let sentence = "\(path) cannot be used: \(reason); remove the other names, or make them symbolic links"
            #expect(
                #expect(throws: StoreError.self) { try StoreFile(path, creatingIfMissing: false) }?.message == sentence
            )
            #expect(#expect(throws: StoreError.self) { try Store(StoreSettings(path)) }?.message == sentence)
        }
        unlink(folder("again.db"))
        _ = try StoreFile(folder("hub.db"), creatingIfMissing: false)
    }

    @Test func `a dangling link is reported as such`() throws {
        symlink("/nowhere/hub.db", folder("hub.db"))
        let failure = #expect(throws: StoreError.self) { try Store(StoreSettings(folder("hub.db"))) }
        let reason = "it is a link to /nowhere/hub.db, which is not there"
        let sentence = "\(folder("hub.db")) cannot be used: \(reason); repair or remove the link, or name another file"
        #expect(failure?.message == sentence)
    }

    @Test func `a damaged file is reported as such, in queries and at the start`() throws {
        let store = try Store(StoreSettings(folder("hub.db")))
        for number in 0..<200 { store.addRecent(call("\(number)"), of: "bob") }
        try store.write([.blocked(.prefix("1"))], of: "bob")
        store.close()
        let path = folder("hub.db")
        var bytes = try Data(contentsOf: URL(filePath: path))
        #expect(bytes.count > 40_000)
        // All but the first page.
        for index in stride(from: 4_096, to: bytes.count, by: 5) { bytes[index] ^= 0x5A }
        try bytes.write(to: URL(filePath: path))
        let failure = #expect(throws: StoreError.self) { try Store(StoreSettings(path)).load() }
        #expect(failure?.description.contains("malformed") == true, "\(failure.map { "\($0)" } ?? "")")
    }

    @Test func `an in-memory database has no files`() throws {
        let store = try Store(StoreSettings(":memory:"))
        store.addRecent(call("alice"), of: "bob")
        #expect(try store.recents("bob") == ["alice"])
        #expect(!FileManager.default.fileExists(atPath: ":memory:.recents"))
        #expect(!FileManager.default.fileExists(atPath: ":memory:.lock"))
    }
}
