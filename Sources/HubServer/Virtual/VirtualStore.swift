import Foundation
import HubAccountData
import HubEngine

/// An account store in memory, which outlives a killed hub so that another one can start with its data.
///
/// Every change is written at once. It is separate from the hub's own account data, and contains only what the hub has
/// written: a change that the hub fails to write is lost with the hub.
final class VirtualStore: MemoryStore, @unchecked Sendable {
    private let lock = NSLock()
    private let listed: [ListedAccount]
    private var memory: HubMemory
    /// The names of the accounts with stored data, in the order of their first change.
    private var names: [String] = []
    private var visitors: [ListedAccount] = []
    private var writes = 0

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - state: The initial content.
    ///   - limits: The limits of the stored data.
    init(_ state: StoredState, limits: MemoryLimits) {
        listed = state.listed
        visitors = state.visitors
        memory = HubMemory(limits: limits)
        names = state.memories.map(\.name)
        for account in state.memories { memory.restore(account) }
    }

    /// The content for a hub that starts now.
    var state: StoredState {
        lock.withLock {
            var state = StoredState()
            state.listed = listed
            state.visitors = visitors
            state.memories = names.compactMap { memory.remembered($0) }
            return state
        }
    }

    func write(_ changes: [MemoryChange], of account: String, _ then: @escaping @Sendable (StoreFault?) -> Void) {
        lock.withLock {
            note(account)
            var remembered = memory.remembered(account) ?? RememberedAccount(name: account)
            for change in changes { remembered.apply(change) }
            memory.restore(remembered)
        }
        then(nil)
    }

    func keep(_ call: RecentCall, of account: String) {
        lock.withLock {
            note(account)
            memory.remember(call, of: account)
        }
    }

    func noteVisit(of account: String, handles: [Handle]) {
        lock.withLock {
            guard !listed.contains(where: { $0.name == account }) else { return }
            visitors.removeAll { $0.name == account }
            visitors.append(ListedAccount(name: account, handles: handles))
        }
    }

    func forget(_ account: String) {
        lock.withLock {
            visitors.removeAll { $0.name == account }
            names.removeAll { $0 == account }
            memory.forget(account)
        }
    }

    // Accounts are erased by the hub alone here, so none is blocked during an erasure.
    func finishErasure(of accounts: [String]) {}

    func forgetRecents(endedBefore moment: Instant) {
        lock.withLock { _ = memory.forgetRecents(endedBefore: moment) }
    }

    var figures: MemoryStoreFigures { lock.withLock { MemoryStoreFigures(writes: writes, transactions: writes) } }

    private func note(_ account: String) {
        writes += 1
        if !names.contains(account) { names.append(account) }
    }
}
