import Foundation
import HubTestSupport
import Testing

@testable import HubStore

/// The folder of a hub's own backups: names, completeness and rotation.
struct BackupFolderTests {
    private let folder: TemporaryFolder
    private let backups: BackupFolder

    init() throws {
        folder = try TemporaryFolder()
        backups = BackupFolder(folder.path, node: "hub.one-2")
    }

    private func write(_ target: String) {
        #expect(FileManager.default.createFile(atPath: target, contents: Data("copy".utf8)))
    }

    @Test func `a backup has the node and the time in its name`() throws {
        let file = try backups.add(at: 1_795_485_600) { write($0) }
        #expect(file == folder("backup-hub.one-2-20261124T020000Z.db"))
        #expect(folder.names == ["backup-hub.one-2-20261124T020000Z.db"])
        #expect(backups.newest(notAfter: 1_795_485_600) == 1_795_485_600)
        #expect(backups.newest(notAfter: 1_795_485_599) == nil, "a backup of the future was made by a wrong clock")
    }

    @Test func `a failed copy leaves no file, and one of a killed hub is removed by the next backup`() throws {
        let failure = #expect(throws: StoreError.self) {
            _ = try backups.add(at: 0) { target throws(StoreError) in
                write(target)
                throw StoreError(.full, "the disk is full")
            }
        }
        #expect(failure?.kind == .full)
        #expect(folder.names.allSatisfy { $0.hasSuffix(".partial") })
        #expect(backups.newest(notAfter: .max) == nil)
        write(folder("backup-hub.one-2-20200101T000000Z.db.partial-journal"))
        _ = try backups.add(at: 5) { write($0) }
        #expect(folder.names == ["backup-hub.one-2-19700101T000005Z.db"])
    }

    @Test func `only this hub's own backups are removed, the oldest first`() throws {
        let foreign = [
            "backup-hub.one-2-20261124T020000Z.db.keep", "backup-hub.one-2-20261124T020000Z.DB",
            "backup-hub.one-20261124T020000Z.db", "backup-hub.one-2-20261324T020000Z.db",
            "backup-hub.one-2-20261124T0200000.db", "backup-hub.one-2-2026-11-24.db", "callhub-2026-11-24.db",
            "backup-other-20261124T020000Z.db", "notes.txt", "backup-hub.one-2-00000000T000000Z.db",
        ]
        for name in foreign { write(folder(name)) }
        try FileManager.default.createDirectory(
            atPath: folder("backup-hub.one-2-20200101T000000Z.db"),
            withIntermediateDirectories: false
        )
        symlink(folder("notes.txt"), folder("backup-hub.one-2-20200102T000000Z.db"))
        let before = Set(folder.names)
        let files = try (0..<5).map { try backups.add(at: Int64($0) * 86_400) { write($0) } }
        let (removed, stuck) = backups.rotate(keeping: 2, with: files[4])
        #expect(Set(removed) == Set(files[0..<3]) && stuck == [])
        #expect(Set(folder.names).symmetricDifference(before).map { folder($0) }.sorted() == Array(files[3...]))
    }

    @Test(arguments: [Int.min, 0, 1]) func `the backup just made is kept, whatever the clock said before`(keep: Int)
        throws
    {
        let future = try backups.add(at: 4_000_000_000) { write($0) }
        let file = try backups.add(at: 1_000) { write($0) }
        #expect(backups.rotate(keeping: keep, with: file).removed == [future])
        #expect(backups.newest(notAfter: 2_000) == 1_000)
    }

    @Test func `a missing folder is created for this user alone, its parents are not`() throws {
        _ = try BackupFolder(folder("new"), node: "a").add(at: 1) { write($0) }
        let mode = try FileManager.default.attributesOfItem(atPath: folder("new"))[.posixPermissions] as? Int
        #expect(mode == 0o700)
        let failure = #expect(throws: StoreError.self) {
            _ = try BackupFolder(folder("not/there"), node: "a").add(at: 1) { write($0) }
        }
        #expect(failure?.message.contains("cannot be made: No such file or directory; create it") == true)
        chmod(folder("new"), 0o777)
        let open = #expect(throws: StoreError.self) {
            _ = try BackupFolder(folder("new"), node: "a").add(at: 2) { write($0) }
        }
        #expect(open?.message.contains("everybody may write in it") == true)
    }
}
