import Foundation
import HubAccountData
import HubEngine
import HubServer
import HubWire

/// A store that completes a write when the test calls `next`, and records all changes.
final class SlowStore: AccountDataStore, @unchecked Sendable {
    private let condition = NSCondition()
    private var waiting: [(changes: [AccountDataChange], then: @Sendable (StoreFault?) -> Void)] = []
    private var isBlocked: Bool
    private var keptCalls: [RecentCall] = []
    private var finishedErasures: [String] = []
    private var writtenChanges: [AccountDataChange] = []

    /// Creates a store.
    ///
    /// - Parameter isBlocked: True if each write waits for a call of `next`.
    init(isBlocked: Bool = true) {
        self.isBlocked = isBlocked
    }

    var kept: [RecentCall] { condition.withLock { keptCalls } }
    var written: [AccountDataChange] { condition.withLock { writtenChanges } }

    func write(
        _ changes: [AccountDataChange],
        of account: String,
        by actor: AuditActor?,
        _ then: @escaping @Sendable (StoreFault?) -> Void
    ) {
        let isNow = condition.withLock {
            if isBlocked { waiting.append((changes, then)) } else { writtenChanges += changes }
            condition.broadcast()
            return !isBlocked
        }
        if isNow { then(nil) }
    }

    /// Waits for a write, and completes it, with a fault if there is one.
    func next(_ fault: StoreFault? = nil) {
        let write = condition.withLock {
            while waiting.isEmpty { condition.wait() }
            let write = waiting.removeFirst()
            if fault == nil { writtenChanges += write.changes }
            return write
        }
        write.then(fault)
    }

    func addRecent(_ call: RecentCall, of account: String) {
        condition.withLock { keptCalls.append(call) }
    }

    func readHoldMusic(
        of account: String,
        unless known: [Int64],
        _ then: @escaping @Sendable (Result<StoredHoldMusic, StoreFault>) -> Void
    ) {
        then(.success(.none))
    }

    func readPhoto(
        of contact: String?,
        in account: String,
        _ then: @escaping @Sendable (Result<[UInt8]?, StoreFault>) -> Void
    ) {
        then(.success(nil))
    }

    func recordUnprovisionedSignIn(of account: AccountRecord) {}
    func removeAccount(_ account: String) {}
    func finishErasure(of accounts: [String]) { condition.withLock { finishedErasures += accounts } }
    var finished: [String] { condition.withLock { finishedErasures } }
    func expireRecents(endedBefore moment: Instant) {}
    var statistics: AccountDataStoreStatistics { AccountDataStoreStatistics() }
}
