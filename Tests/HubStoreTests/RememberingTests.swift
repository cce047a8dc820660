import HubAccountData
import HubEngine
import HubSimulation
import HubTestSupport
import Testing

@testable import HubStore

/// The persistence of account data: a restarted hub has the data of the one before.
struct RememberingTests {
    private static var limits: MemoryLimits {
        var limits = MemoryLimits()
        limits.maximumRecents = 6
        limits.maximumListEntries = 5
        limits.maximumListBytes = 700
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

    @Test(arguments: 0..<300) func `a store gives back the memory that it was told the changes of`(seed: UInt64) throws
    {
        var settings = StoreSettings(seed % 10 == 0 ? folder("\(seed)") : ":memory:")
        settings.limits = Self.limits
        let warnings = Said<String>()
        settings.warn = { warnings.add($0) }
        var store = try Store(settings)
        var memory = HubMemory(limits: Self.limits)
        var anybody = RandomMemory(seed: seed)
        var accounts: Set<String> = []
        for step in 0..<100 {
            let account = anybody.account()
            if anybody.chance(2) {
                let call = anybody.call()
                memory.remember(call, of: account)
                store.keep(call, of: account)
                accounts.insert(account)
            } else {
                try ask(anybody.request(), of: account, &memory, store, by: anybody.word())
                accounts.insert(account)
            }
            guard seed % 10 == 0, step % 30 == 29 else { continue }
            store.close()
            store = try Store(settings)
        }
        var restored = HubMemory(limits: Self.limits)
        let hub = try store.load()
        for account in hub.remembered { restored.restore(account) }
        #expect(warnings.all + hub.warnings == [])
        #expect(store.figures.lostCalls == 0)
        for account in accounts {
            let empty = RememberedAccount(name: account)
            let (before, after) = (memory.remembered(account) ?? empty, restored.remembered(account) ?? empty)
            // Part by part, so that a failure says which one it is.
            #expect(before.settings == after.settings, "\(account)")
            #expect(before.blocked == after.blocked, "\(account)")
            #expect(before.contacts == after.contacts, "\(account)")
            #expect(before.recents == after.recents, "\(account)")
            #expect(before.directories == after.directories, "\(account)")
        }
        store.close()
    }

    private func ask(
        _ request: MemoryRequest,
        of account: String,
        _ memory: inout HubMemory,
        _ store: Store,
        by device: String
    ) throws {
        let asker = MemoryAsker(account: account, device: device, session: SessionID(index: 1, generation: 0))
        let now = Instant(nanoseconds: 7)
        do throws(MemoryRefusal) {
            let changes = try memory.rehearse(request, from: asker, at: now, clock: Self.clock)
            if !changes.isEmpty {
                store.write(changes, of: account) { result in
                    if case .failure(let failure) = result { Issue.record("\(failure)") }
                }
            }
            _ = try memory.handle(request, from: asker, at: now, clock: Self.clock)
        } catch {
            // What is refused changes nothing, here and there.
            return
        }
    }
}
