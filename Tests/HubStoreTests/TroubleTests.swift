import HubAccountData
import HubEngine
import HubTestSupport
import Testing

@testable import HubStore

/// Arbitrary text in every column that clients can set.
struct TroubleTests {
    @Test(arguments: troubles.indices) func `any text round-trips byte by byte, in every column`(index: Int) throws {
        let text = troubles[index]
        let folder = try TemporaryFolder()
        let store = try Store(StoreSettings(folder("hub.db")))
        let name = "account " + text
        let handle = Handle(type: .emailAddress, value: text + "@")
        var settings = AccountSettings()
        settings.timeZone = text
        settings.displayName = text
        settings.quietDevices = [text, text + "2"]
        let contact = Contact(identifier: text, name: text, handles: [handle, .generic(text)])
        var load = DirectoryLoad(text)
        load.identification = [DirectoryEntry(7, text)]
        let changes: [AccountDataChange] = [
            .settings(settings), .contact(contact), .blocked(.handle(handle)), .blocked(.prefix("1")),
            .directoryEnabled(identifier: "other " + text, false),
        ]
        try store.write(changes + directoryChanges(load), of: name)
        let entry = call(text, devices: [text, "", text])
        store.addRecent(entry, of: name)
        store.close()

        let accountData = try #require(try StoreFile(folder("hub.db")).storedData(name))
        #expect(same([accountData.name], [name]))
        #expect(same([accountData.settings.timeZone, accountData.settings.displayName], [text, text]))
        #expect(same(accountData.settings.quietDevices.sorted(), settings.quietDevices.sorted()))
        #expect(same([accountData.contacts[0].identifier, accountData.contacts[0].name], [text, text]))
        #expect(same(accountData.contacts[0].handles.map(\.value), [text + "@", text]))
        #expect(accountData.contacts == [contact])
        #expect(accountData.blocked == [.handle(handle), .prefix("1")])
        #expect(same(accountData.recents[0].call.devices, [text, "", text]))
        #expect(same([accountData.recents[0].call.name, accountData.recents[0].call.handle.value], [text, text]))
        #expect(accountData.recents == [RecentEntry(entry)])
        #expect(same(accountData.directories.map(\.identifier), ["other " + text, text]))
        #expect(same(accountData.directories[1].contents.labels.map(\.label), [text]))
    }

    /// By bytes: Swift holds texts equal that are spelled differently.
    private func same(_ some: [String], _ others: [String]) -> Bool {
        some.map { Array($0.utf8) } == others.map { Array($0.utf8) }
    }
}
