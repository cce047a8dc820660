import HubAccountData
import HubEngine
import HubTestSupport
import Testing

@testable import HubStore

/// Erased data is not restored, even if a hub has not been notified yet.
struct ErasingTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var command: StoreFile {
        get throws { try StoreFile(folder("hub.db"), creatingIfMissing: false) }
    }

    @Test func `until the hub has released an erased account, nothing is stored under its name`() throws {
        let store = try Store(StoreSettings(folder("hub.db")))
        try store.wait { file throws(StoreError) in try file.addAccount(NewAccount("bob")) }
        store.addRecent(call("before"), of: "bob")
        #expect(try store.recents("bob") == ["before"])
        #expect(try command.erase("bob", notifyingHub: true))
        #expect(try command.isBeingErased("bob"))
        store.addRecent(call("after"), of: "bob")
        store.addRecent(call("hers"), of: "alice")
        let refusal = #expect(throws: StoreError.self) { try store.write([.blocked(.prefix("1"))], of: "bob") }
        #expect(refusal?.message == "the account was erased; none of its data is stored any more")
        try store.wait { file throws(StoreError) in try file.recordSignIn("bob") }
        #expect(try store.load().accounts.map(\.name) == ["alice"])
        #expect(store.statistics.lostRecents == 0)
        // A later account with that name is another one.
        try store.wait { file throws(StoreError) in try file.removeErasures(of: ["bob"]) }
        try store.wait { file throws(StoreError) in try file.recordSignIn("bob") }
        store.addRecent(call("another"), of: "bob")
        #expect(try store.recents("bob") == ["another"])
        store.close()
    }

    @Test func `an account recreated at once is a new one`() throws {
        let store = try Store(StoreSettings(folder("hub.db")))
        store.addRecent(call("before"), of: "bob")
        _ = try store.load()
        try command.erase("bob", notifyingHub: true)
        try command.addAccount(NewAccount("bob"))
        #expect(try !command.isBeingErased("bob"))
        try store.write([.blocked(.prefix("1"))], of: "bob")
        #expect(try store.recents("bob") == [])
        store.close()
    }

    @Test func `a killed hub's journal does not restore an erased account`() throws {
        let path = folder("hub.db")
        let file = try StoreFile(path)
        try file.addAccount(NewAccount("bob"))
        let journal = try #require(file.recoverJournal(path + ".recents", capacity: 65_536) { _ in })
        for account in ["bob", "alice"] { _ = journal.append(JournalEntry(call("x"), of: account)) }
        try file.erase("bob", notifyingHub: true)
        let store = try Store(StoreSettings(path))
        #expect(try store.load().storedData.map(\.name) == ["alice"])
        // The name is nowhere any more.
        #expect(try !command.isBeingErased("bob"))
        store.close()
    }

    @Test func `it is detectable whether a hub uses the database`() throws {
        #expect(!Store.isInUse(folder("hub.db")))
        let store = try Store(StoreSettings(folder("hub.db")))
        #expect(Store.isInUse(folder("hub.db")))
        store.close()
        #expect(!Store.isInUse(folder("hub.db")))
    }
}
