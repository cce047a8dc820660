import HubAccountData
import HubEngine
import HubTestSupport
import Testing

@testable import HubStore

/// The maximum amount of an account's data; runs alone, since it takes memory.
struct StoreScaleTests {
    @Test func `two million entries are stored, read back and looked up`() throws {
        let folder = try TemporaryFolder()
        var load = DirectoryLoad("list")
        load.blocking = (0..<1_000_000).map { 4_930_000_000 + $0 * 3 }
        load.identification = (0..<1_000_000).map { DirectoryEntry(4_940_000_000 + $0 * 3, "somebody \($0)") }
        let store = try Store(StoreSettings(folder("hub.db")))
        try store.write(directoryChanges(load), of: "bob")
        store.close()
        let next = try Store(StoreSettings(folder("hub.db")))
        let hub = try next.load()
        #expect(hub.warnings == [])
        var accountData = AccountDataTable()
        for account in hub.storedData { accountData.restore(account) }
        func screeningData(_ number: Int64) -> CallerScreeningData {
            accountData.screeningData(
                of: Handle(type: .phoneNumber, value: "+\(number)"),
                by: "bob",
                clock: { _ in nil }
            )
        }
        for step in stride(from: 0 as Int64, to: 1_000_000, by: 997) {
            #expect(screeningData(4_930_000_000 + step * 3).isBlockedByDirectory)
            #expect(!screeningData(4_930_000_001 + step * 3).isBlockedByDirectory)
            #expect(screeningData(4_940_000_000 + step * 3).names.directory == "somebody \(step)")
        }
    }
}
