import Foundation

@testable import HubStore

/// Blocks a store's thread, so that later operations wait.
final class Gate: @unchecked Sendable {
    private let condition = NSCondition()
    private var isOpen = false
    private var isReached = false

    /// Returns when the thread is held.
    init(_ store: Store) {
        store.perform { [self] _ throws(StoreError) in
            condition.withLock {
                isReached = true
                condition.broadcast()
                while !isOpen { condition.wait() }
            }
        } then: { _ in
        }
        condition.withLock {
            while !isReached { condition.wait() }
        }
    }

    /// Unblocks the thread.
    func open() {
        condition.withLock {
            isOpen = true
            condition.broadcast()
        }
    }
}
