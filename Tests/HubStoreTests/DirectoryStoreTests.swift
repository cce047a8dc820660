import HubAccountData
import HubEngine
import HubSimulation
import HubTestSupport
import Testing

@testable import HubStore

/// Call directories in the database: atomic, with only changed chunks written.
struct DirectoryStoreTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func list(_ numbers: some Sequence<Int64>) -> DirectoryLoad {
        var load = DirectoryLoad("list")
        load.blocking = numbers.map { $0 * 2 }
        load.identification = load.blocking.map { DirectoryEntry($0, "name \($0)") }
        return load
    }

    @Test(arguments: [false, true]) func `a small change of a large list writes few chunks`(isRestarted: Bool) throws {
        let requester = AccountDataRequester(account: "bob", device: "", session: SessionID(index: 1, generation: 0))
        let now = Instant(nanoseconds: 3)
        var accountData = AccountDataTable()
        var file = try StoreFile(folder("hub.db"))
        let all = list(1...100_000)
        try file.write(
            try accountData.plannedChanges(.loadDirectory(all), from: requester, at: now, clock: { _ in nil }),
            of: "bob"
        )
        _ = try accountData.handle(.loadDirectory(all), from: requester, at: now, clock: { _ in nil })
        if isRestarted {
            file = try StoreFile(folder("hub.db"))
            accountData = AccountDataTable()
            for account in try file.load().storedData { accountData.restore(account) }
        }
        var change = DirectoryLoad("list", isIncremental: true)
        change.blocking = [100_001]
        change.removeIdentification = [50_000]
        let before = try file.first("SELECT total_changes()") { $0.integer(0) } ?? 0
        try file.write(
            try accountData.plannedChanges(.loadDirectory(change), from: requester, at: now, clock: { _ in nil }),
            of: "bob"
        )
        let written = try file.first("SELECT total_changes()") { $0.integer(0) } ?? 0
        // The list itself and two chunks, each in place of an old one.
        #expect(written - before <= 6)
        _ = try accountData.handle(.loadDirectory(change), from: requester, at: now, clock: { _ in nil })
        let read = try StoreFile(folder("hub.db")).storedData("bob")
        #expect(read?.directories == accountData.storedData("bob")?.directories)
        #expect(read?.directories[0].contents.blockingCount == 100_001)
        #expect(read?.directories[0].contents.identificationCount == 99_999)
    }

    @Test func `a list changed by another process is rewritten completely`() throws {
        let file = try StoreFile(folder("hub.db"))
        try file.write(directoryChanges(list(1...10_000)), of: "bob")
        try StoreFile(folder("hub.db")).run("DELETE FROM directory_chunks")
        try file.write(directoryChanges(list(1...10_000)), of: "bob")
        #expect(try StoreFile(folder("hub.db")).storedData("bob")?.directories[0].contents.blockingCount == 10_000)
    }

    @Test(arguments: [
        "UPDATE directory_chunks SET entries = substr(entries, 2) WHERE rowid = 1",
        "UPDATE directory_chunks SET entries = x'' WHERE rowid = 2", "DELETE FROM directory_chunks WHERE rowid = 1",
        "UPDATE directory_chunks SET entries = (SELECT entries FROM directory_chunks WHERE rowid = 2) WHERE rowid = 1",
        "UPDATE directories SET blocking = blocking + 1",
        "UPDATE directory_chunks SET first_number = 1000000 WHERE rowid = 1",
    ]) func `a damaged list is skipped with a warning, and can be loaded again`(damage: String) throws {
        let file = try StoreFile(folder("hub.db"))
        try file.write(directoryChanges(list(1...10_000)), of: "bob")
        try file.run(damage)
        let hub = try StoreFile(folder("hub.db")).load()
        let sentence = "the call directory \"list\" is damaged and left out; load it again completely"
        #expect(hub.warnings == [sentence])
        #expect(hub.storedData[0].directories.map(\.contents.blockingCount) == [0])
        #expect(hub.storedData[0].directories.map(\.loadedAt) == [nil])
        try StoreFile(folder("hub.db")).write(directoryChanges(list(1...10_000)), of: "bob")
        let mended = try StoreFile(folder("hub.db")).load()
        #expect(mended.warnings == [])
        #expect(mended.storedData[0].directories[0].contents.blockingCount == 10_000)
    }
}
