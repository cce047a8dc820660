import Foundation
import HubEngine

/// Keeps in memory what the hub remembers, so that another hub can go on where one was killed.
///
/// Every change is written at once. Kept apart from the hub's own memory, and made of nothing but what the hub has had
/// written: what the hub forgets to have written is gone with it.
final class VirtualStore: MemoryStore, @unchecked Sendable {
    private let lock = NSLock()
    private let listed: [ListedAccount]
    private var memory: HubMemory
    /// Those of which something is kept, in the order in which they came.
    private var names: [String] = []
    private var visitors: [ListedAccount] = []
    private var writes = 0

    /// A store.
    ///
    /// - Parameters:
    ///   - state: What it has at first.
    ///   - limits: How much is kept.
    init(_ state: StoredState, limits: MemoryLimits) {
        listed = state.listed
        visitors = state.visitors
        memory = HubMemory(limits: limits)
        names = state.memories.map(\.name)
        for account in state.memories { memory.restore(account) }
    }

    /// What a hub that starts now has from it.
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

    // Nobody erases accounts beside a virtual hub, so none is kept out.
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
