import Foundation
import HubAccountData
import HubEngine
import HubServer
import HubWire

/// An account store in memory, which outlives a killed hub so that another one can start with its data.
///
/// Every change is written at once. It is separate from the hub's own account data, and contains only what the hub has
/// written: a change that the hub fails to write is lost with the hub.
final class VirtualStore: AccountDataStore, @unchecked Sendable {
    private let lock = NSLock()
    private let provisioned: [AccountRecord]
    private var accountData: AccountDataTable
    /// The names of the accounts with stored data, in the order of their first change.
    private var names: [String] = []
    private var unprovisionedAccounts: [AccountRecord] = []
    private var writes = 0

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - state: The initial content.
    ///   - limits: The limits of the stored data.
    init(_ state: StoredState, limits: AccountDataLimits) {
        provisioned = state.provisioned
        unprovisionedAccounts = state.unprovisionedAccounts
        accountData = AccountDataTable(limits: limits)
        names = state.storedAccounts.map(\.name)
        for account in state.storedAccounts { accountData.restore(account) }
    }

    /// The content for a hub that starts now.
    var state: StoredState {
        lock.withLock {
            var state = StoredState()
            state.provisioned = provisioned
            state.unprovisionedAccounts = unprovisionedAccounts
            state.storedAccounts = names.compactMap { accountData.storedData($0) }
            return state
        }
    }

    func write(
        _ changes: [AccountDataChange],
        of account: String,
        by actor: AuditActor?,
        _ then: @escaping @Sendable (StoreFault?) -> Void
    ) {
        lock.withLock {
            note(account)
            var storedData = accountData.storedData(account) ?? StoredAccountData(name: account)
            for change in changes { storedData.apply(change) }
            accountData.restore(storedData)
        }
        then(nil)
    }

    func readPhoto(
        of contact: String?,
        in account: String,
        _ then: @escaping @Sendable (Result<[UInt8]?, StoreFault>) -> Void
    ) {
        let stored = lock.withLock { accountData.storedData(account) }
        then(.success((contact.map { stored?.photos[$0] } ?? stored?.photo)?.bytes))
    }

    func readHoldMusic(
        of account: String,
        unless known: [Int64],
        _ then: @escaping @Sendable (Result<StoredHoldMusic, StoreFault>) -> Void
    ) {
        then(.success(.none))
    }

    func addRecent(_ call: RecentCall, of account: String) {
        lock.withLock {
            note(account)
            accountData.addRecent(call, of: account)
        }
    }

    func recordUnprovisionedSignIn(of account: AccountRecord) {
        lock.withLock {
            let key = FoldedName(account.name)
            guard !provisioned.contains(where: { FoldedName($0.name) == key }) else { return }
            unprovisionedAccounts.removeAll { FoldedName($0.name) == key }
            unprovisionedAccounts.append(account)
        }
    }

    func removeAccount(_ account: String) {
        lock.withLock {
            unprovisionedAccounts.removeAll { FoldedName($0.name) == FoldedName(account) }
            names.removeAll { FoldedName($0) == FoldedName(account) }
            accountData.removeAccount(account)
        }
    }

    // Accounts are erased by the hub alone here, so none is blocked during an erasure.
    func finishErasure(of accounts: [String]) {}

    func expireRecents(endedBefore moment: Instant) {
        lock.withLock { _ = accountData.expireRecents(endedBefore: moment) }
    }

    var statistics: AccountDataStoreStatistics {
        lock.withLock { AccountDataStoreStatistics(writes: writes, transactions: writes) }
    }

    private func note(_ account: String) {
        writes += 1
        if !names.contains(where: { FoldedName($0) == FoldedName(account) }) { names.append(account) }
    }
}
