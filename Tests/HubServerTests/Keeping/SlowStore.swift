import Foundation
import HubEngine
import HubServer

/// A store that writes when the test says so, and takes everything down.
final class SlowStore: MemoryStore, @unchecked Sendable {
    private let condition = NSCondition()
    private var waiting: [(changes: [MemoryChange], then: @Sendable (StoreFault?) -> Void)] = []
    private var isHeldUp: Bool
    private var keptCalls: [RecentCall] = []
    private var finishedErasures: [String] = []
    private var writtenChanges: [MemoryChange] = []

    /// A store.
    ///
    /// - Parameter isHeldUp: Whether it waits for `next` before each write.
    init(isHeldUp: Bool = true) {
        self.isHeldUp = isHeldUp
    }

    var kept: [RecentCall] { condition.withLock { keptCalls } }
    var written: [MemoryChange] { condition.withLock { writtenChanges } }

    func write(_ changes: [MemoryChange], of account: String, _ then: @escaping @Sendable (StoreFault?) -> Void) {
        let isNow = condition.withLock {
            if isHeldUp { waiting.append((changes, then)) } else { writtenChanges += changes }
            condition.broadcast()
            return !isHeldUp
        }
        if isNow { then(nil) }
    }

    /// Waits for a write, and lets it be done, or not.
    func next(_ fault: StoreFault? = nil) {
        let write = condition.withLock {
            while waiting.isEmpty { condition.wait() }
            let write = waiting.removeFirst()
            if fault == nil { writtenChanges += write.changes }
            return write
        }
        write.then(fault)
    }

    func keep(_ call: RecentCall, of account: String) {
        condition.withLock { keptCalls.append(call) }
    }

    func noteVisit(of account: String, handles: [Handle]) {}
    func forget(_ account: String) {}
    func finishErasure(of accounts: [String]) { condition.withLock { finishedErasures += accounts } }
    var finished: [String] { condition.withLock { finishedErasures } }
    func forgetRecents(endedBefore moment: Instant) {}
    var figures: MemoryStoreFigures { MemoryStoreFigures() }
}
