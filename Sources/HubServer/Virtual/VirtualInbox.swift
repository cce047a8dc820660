import Foundation

/// What others have to say to a virtual hub: done when the hub is next told something, in the order in which it came.
///
/// Safe on any thread.
final class VirtualInbox: @unchecked Sendable {
    private let lock = NSLock()
    private var works: [@Sendable (Hub) -> Void] = []

    /// Asks for something to be done.
    func add(_ work: @escaping @Sendable (Hub) -> Void) {
        lock.withLock { works.append(work) }
    }

    /// Takes all that there is to do, the oldest first.
    func takeAll() -> [@Sendable (Hub) -> Void] {
        lock.withLock {
            defer { works = [] }
            return works
        }
    }
}
