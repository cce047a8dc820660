import Foundation
import HubServer

/// A queue of work that other threads post to a simulated hub, run in order at its next iteration.
///
/// Safe on any thread.
final class VirtualWorkQueue: @unchecked Sendable {
    private let lock = NSLock()
    private var works: [@Sendable (Hub) -> Void] = []

    /// Appends work.
    func add(_ work: @escaping @Sendable (Hub) -> Void) {
        lock.withLock { works.append(work) }
    }

    /// Removes and returns all work, the oldest first.
    func takeAll() -> [@Sendable (Hub) -> Void] {
        lock.withLock {
            defer { works = [] }
            return works
        }
    }
}
