import Foundation
import HubEngine
import HubTestSupport
import Testing

@testable import HubStore

/// Files that another user could have put in place of the hub's own, which it refuses to open.
struct FileTrustTests {
    private let folder: TemporaryFolder
    private let stranger: uid_t = 54_321

    init() throws {
        folder = try TemporaryFolder()
        mkdir(folder("data"), 0o700)
    }

    private var path: String { folder("data/hub.db") }

    private func refusal() -> String? {
        do {
            try Store(StoreSettings(path)).close()
            return nil
        } catch {
            return error.message
        }
    }

    @Test(arguments: [".lock", ".recents", "-wal", "-shm"])
    func `a symbolic link in place of a file beside the database is refused, and its target is unchanged`(
        _ ending: String
    ) throws {
        let victim = try folder.write("precious", to: "victim")
        symlink(victim, path + ending)
        let sentence =
            "\(path) cannot be used: \(path)\(ending) is no plain file; remove it, or name another database"
        #expect(refusal() == sentence)
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
    }

    @Test func `a lock file with a second hard link is refused, and its target is unchanged`() throws {
        let victim = try folder.write("precious", to: "victim")
        link(victim, path + ".lock")
        #expect(refusal()?.contains("has 2 names (hard links)") == true)
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious")
    }

    @Test(.enabled(if: geteuid() == 0), arguments: ["", ".lock", ".recents", "-wal", "-shm"])
    func `a file of another user is refused`(_ ending: String) throws {
        _ = try folder.write("", to: "data/hub.db" + ending)
        chown(path + ending, stranger, stranger)
        let sentence =
            "\(path) cannot be used: \(path)\(ending) belongs to user 54321, who may change it; "
            + "make it user \(geteuid())'s, or name another database"
        #expect(refusal() == sentence)
    }

    @Test(.enabled(if: geteuid() == 0)) func `a folder of another user is refused`() {
        chown(folder("data"), stranger, stranger)
        #expect(refusal()?.contains("its folder \(folder("data")) belongs to user 54321") == true)
        #expect(access(path, F_OK) != 0, "nothing was made there")
    }

    @Test func `a world-writable folder is refused unless it has the sticky bit`() {
        chmod(folder("data"), 0o777)
        #expect(refusal()?.contains("everybody may write in its folder \(folder("data"))") == true)
        #expect(access(path, F_OK) != 0, "nothing was made there")
        chmod(folder("data"), 0o1777)
        #expect(refusal() == nil)
    }

    @Test(.enabled(if: geteuid() == 0))
    func `a link of another user in the path is refused, one of this user is followed`() throws {
        let link = folder("linked")
        symlink("data", link)
        #expect(throws: Never.self) { try Store(StoreSettings(folder("linked/hub.db"))).close() }
        lchown(link, stranger, stranger)
        let failure = #expect(throws: StoreError.self) { try Store(StoreSettings(folder("linked/hub.db"))) }
        #expect(failure?.message.contains("the link \(link) belongs to user 54321, who may point it elsewhere") == true)
    }

    @Test(.enabled(if: geteuid() == 0)) func `a command run by root works on another user's database`() throws {
        let store = try Store(StoreSettings(path))
        store.addRecent(call("alice"), of: "bob")
        store.close()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder("data")) {
            chown(folder("data/" + name), stranger, stranger)
        }
        chown(folder("data"), stranger, stranger)
        #expect(refusal() != nil, "a hub of root does not")
        try StoreFile(path, creatingIfMissing: false).addAccount(NewAccount("carol"))
        var settings = StoreSettings(path)
        settings.isForCommand = true
        try Store(settings).close()
        // A third one's link is none of the owner's.
        unlink(path + ".lock")
        _ = try folder.write("", to: "data/hub.db.lock")
        chown(path + ".lock", stranger + 1, stranger + 1)
        #expect(throws: StoreError.self) { try Store(settings) }
    }
}
