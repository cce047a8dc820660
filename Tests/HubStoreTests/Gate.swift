import Foundation

@testable import HubStore

/// Holds a store's thread up, so that what is asked meanwhile waits.
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

    /// Lets it go on.
    func open() {
        condition.withLock {
            isOpen = true
            condition.broadcast()
        }
    }
}
