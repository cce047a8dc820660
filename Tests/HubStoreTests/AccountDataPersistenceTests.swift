import HubAccountData
import HubEngine
import HubSimulation
import HubTestSupport
import Testing

@testable import HubStore

/// The persistence of account data: a restarted hub has the data of the one before.
struct AccountDataPersistenceTests {
    private static var limits: AccountDataLimits {
        var limits = AccountDataLimits()
        limits.maximumRecents = 6
        limits.maximumListEntries = 5
        limits.maximumListBytes = 700
        limits.maximumPhotoBytes = 20
        limits.maximumDirectoryExtensions = 3
        return limits
    }

    /// The clock of every zone but one, so that refusals occur too.
    private static let clock: @Sendable (String) -> LocalTime? = { zone in
        zone == "0" ? nil : LocalTime(.monday, minute: 0)
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: 0..<300) func `a store returns the account data of its changes`(seed: UInt64) throws {
        var settings = StoreSettings(seed % 10 == 0 ? folder("\(seed)") : ":memory:")
        settings.limits = Self.limits
        let warnings = ReportedValues<String>()
        settings.warn = { warnings.add($0) }
        var store = try Store(settings)
        var accountData = AccountDataTable(limits: Self.limits)
        var anybody = RandomAccountDataRequests(seed: seed)
        var accounts: Set<String> = []
        for step in 0..<100 {
            let account = anybody.account()
            if anybody.chance(2) {
                let call = anybody.call()
                accountData.addRecent(call, of: account)
                store.addRecent(call, of: account)
                accounts.insert(account)
            } else {
                try ask(anybody.request(), of: account, &accountData, store, by: anybody.word())
                accounts.insert(account)
            }
            guard seed % 10 == 0, step % 30 == 29 else { continue }
            store.close()
            store = try Store(settings)
        }
        var restored = AccountDataTable(limits: Self.limits)
        let hub = try store.load()
        for account in hub.storedData { restored.restore(account) }
        #expect(warnings.all + hub.warnings == [])
        #expect(store.statistics.lostRecents == 0)
        for account in accounts {
            let empty = StoredAccountData(name: account)
            let (before, after) = (accountData.storedData(account) ?? empty, restored.storedData(account) ?? empty)
            // Part by part, so that a failure identifies the part.
            #expect(before.settings == after.settings, "\(account)")
            #expect(before.blocked == after.blocked, "\(account)")
            #expect(before.contacts == after.contacts, "\(account)")
            #expect(before.photos.mapValues(\.byteCount) == after.photos.mapValues(\.byteCount), "\(account)")
            for (identifier, photo) in before.photos {
                #expect(try stored(identifier, in: account, store) == photo.bytes, "\(account)")
            }
            #expect(before.recents == after.recents, "\(account)")
            #expect(before.directories == after.directories, "\(account)")
        }
        store.close()
    }

    private func stored(_ contact: String, in account: String, _ store: Store) throws -> [UInt8]? {
        try store.wait { file throws(StoreError) in try file.photo(of: contact, in: account) }
    }

    private func ask(
        _ request: AccountDataRequest,
        of account: String,
        _ accountData: inout AccountDataTable,
        _ store: Store,
        by device: String
    ) throws {
        let requester = AccountDataRequester(
            account: account,
            device: device,
            session: SessionID(index: 1, generation: 0)
        )
        let now = Instant(nanoseconds: 7)
        do throws(AccountDataError) {
            let changes = try accountData.plannedChanges(request, from: requester, at: now, clock: Self.clock)
            if !changes.isEmpty {
                store.write(changes, of: account) { result in
                    if case .failure(let failure) = result { Issue.record("\(failure)") }
                }
            }
            _ = try accountData.handle(request, from: requester, at: now, clock: Self.clock)
        } catch {
            // A refused request changes nothing, neither in memory nor in the store.
            return
        }
    }
}
