import Foundation
import HubAccountData
import HubEngine
import HubTestSupport
import Testing

@testable import HubStore

/// Backups of the database, and exports of an account.
struct BackupTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Makes a copy and waits; nil: it was made.
    private func backup(_ store: Store, to target: String) -> StoreError? {
        let said = ReportedValues<StoreError?>()
        store.backup(to: target) { result in
            if case .failure(let failure) = result { said.add(failure) } else { said.add(nil) }
        }
        return said.wait()[0]
    }

    @Test(arguments: ["hub.db", ":memory:"]) func `a backup contains everything written before it, in one file`(
        name: String
    ) throws {
        let store = try Store(StoreSettings(name == ":memory:" ? name : folder(name)))
        for number in 0..<400 { store.addRecent(call("\(number)"), of: "bob") }
        try #require(backup(store, to: folder("copy.db")) == nil)
        store.addRecent(call("later"), of: "bob")
        let copy = folder.names.filter { $0.hasPrefix("copy") }
        #expect(copy == ["copy.db"])
        let other = try Store(StoreSettings(folder("copy.db")))
        #expect(try other.recents("bob") == (0..<400).map { "\($0)" })
        #expect(try store.recents("bob").count == 401)
    }

    @Test func `the hub continues during a backup`() throws {
        let store = try Store(StoreSettings(folder("hub.db")))
        var load = DirectoryLoad("list")
        load.identification = (1...100_000).map { DirectoryEntry($0, "somebody \($0)") }
        try store.write(directoryChanges(load), of: "bob")
        let said = ReportedValues<Bool>()
        store.backup(to: folder("copy.db")) { result in said.add((try? result.get()) != nil) }
        for number in 0..<1_000 { store.addRecent(call("\(number)"), of: "bob") }
        #expect(said.wait() == [true])
        #expect(try store.recents("bob").count == 1_000)
        let copy = try StoreFile(folder("copy.db")).storedData("bob")
        #expect(copy?.directories[0].contents.identificationCount == 100_000)
        let numbers = copy?.recents.map(\.call.name) ?? []
        #expect(numbers == (0..<numbers.count).map { "\($0)" })
    }

    @Test func `no existing file is overwritten`() throws {
        let store = try Store(StoreSettings(folder("hub.db")))
        try Data("mine".utf8).write(to: URL(filePath: folder("copy.db")))
        let target = folder("copy.db")
        let sentence =
            "\(target) cannot be written: it is there already; name a new file that this user may write"
        #expect(backup(store, to: target)?.message == sentence)
        #expect(backup(store, to: folder("hub.db"))?.kind == .unusable)
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "mine")
        #expect(backup(store, to: "/dev/null/x")?.kind == .unusable)
    }

    @Test func `a damaged database gives no backup that looks complete`() throws {
        let store = try Store(StoreSettings(folder("hub.db")))
        for number in 0..<300 { store.addRecent(call("\(number)"), of: "bob") }
        store.close()
        var bytes = try Data(contentsOf: URL(filePath: folder("hub.db")))
        // The order of entries in the last page is wrong; the header and the schema are whole.
        let page = bytes.count - 4_096
        bytes.replaceSubrange(page + 100..<page + 4_000, with: Data(repeating: 0xA5, count: 3_900))
        try bytes.write(to: URL(filePath: folder("hub.db")))
        let failure = #expect(throws: StoreError.self) {
            try StoreFile(folder("hub.db")).backup(to: folder("copy.db"))
        }
        #expect(failure?.kind == .corrupt)
        #expect(!folder.names.contains { $0.hasPrefix("copy") })
    }

    @Test func `an account's export contains all its stored data, and no secret`() throws {
        let file = try StoreFile(folder("hub.db"), clock: { Instant(nanoseconds: 1_000_000_000) })
        try file.addAccount(NewAccount("bob", passwordHash: "$secret$", handles: [.generic("b")]))
        var settings = AccountSettings()
        settings.quietHours = [QuietHours(days: [.sunday, .monday], from: 60, to: 30)]
        settings.displayName = "Bob"
        settings.isNamedInGroups = false
        settings.acceptsTransferredStrangers = false
        settings.holdAudio = .tone
        let contact = Contact(
            identifier: "1",
            name: "Ann \"A\"",
            handles: [.generic("ann")],
            isFavorite: true,
            ringtone: "bell"
        )
        let other = Contact(identifier: "2", name: "Ben")
        let photo = try #require(Photo([0xFF, 0xD8, 0xFF]))
        var load = DirectoryLoad("list")
        load.blocking = [4]
        load.identification = [DirectoryEntry(5, "five")]
        let changes: [AccountDataChange] = [
            .settings(settings), .contact(contact, photo: .replace(photo)), .contact(other), .blocked(.prefix("49")),
        ]
        try file.write(changes + directoryChanges(load), of: "bob")
        try file.addRecent(call("ann"), of: "bob")
        try file.addRecent(call("nobody's business"), of: "alice")
        try file.put(
            StoredPushSubscription(
                account: "bob",
                device: "desk",
                subscription: PushSubscription(endpoint: "https://push.example/1", key: [1], secret: [2]),
                createdAt: Instant(nanoseconds: 0)
            )
        )
        let json = try file.export("bob").json
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let export = try decoder.decode(AccountExport.self, from: Data(json.utf8))
        #expect(export.account == "bob" && export.hasPassword && export.handles.map(\.value) == ["b"])
        #expect(export.createdAt == Date(timeIntervalSince1970: 1))
        #expect(!export.settings.isNamedInGroups && !export.settings.acceptsTransferredStrangers)
        #expect(export.settings.holdAudio == "tone")
        #expect(export.settings.displayName == "Bob" && export.settings.quietHours[0].days == ["monday", "sunday"])
        #expect(export.contacts[0].name == "Ann \"A\"" && export.contacts[0].handles[0].value == "ann")
        #expect(export.contacts[0].ringtone == "bell" && export.contacts.map(\.photo) == ["/9j/", nil])
        #expect(export.blocked[0].prefix == "49")
        #expect(export.recents.map(\.name) == ["ann"])
        #expect(export.directories[0].blocking == [4] && export.directories[0].identification[0].label == "five")
        #expect(export.subscriptions.map(\.endpoint) == ["https://push.example/1"])
        #expect(!json.contains("secret") && !json.contains("business"))
        let failure = #expect(throws: StoreError.self) { try file.export("carol") }
        #expect(failure?.message == "nothing is stored for an account \"carol\"; name another one")
    }
}
