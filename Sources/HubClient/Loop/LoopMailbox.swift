import CUV
import Foundation

/// A queue of closures that other threads post to the loop's thread.
///
/// NSLock and not Mutex: ThreadSanitizer takes the latter for a race on this toolchain.
final class LoopMailbox: @unchecked Sendable {
    private let lock = NSLock()
    private var work: [@Sendable (LoopThread) -> Void] = []
    private var wake: UnsafeMutablePointer<uv_async_t>?
    private var reasonOfFailure: String?

    /// The reason that the loop cannot run; nil if it can.
    var failure: String? { lock.withLock { reasonOfFailure } }

    /// Sets the handle that wakes the running loop; it lives as long as the process.
    func open(wake handle: UnsafeMutablePointer<uv_async_t>) {
        lock.withLock { wake = handle }
    }

    /// Marks the loop as failed and discards the queue.
    func fail(_ reason: String) {
        lock.withLock {
            reasonOfFailure = reason
            work = []
        }
    }

    /// Appends a closure, and wakes the loop if it may be asleep; false if the loop cannot run.
    func post(_ item: @escaping @Sendable (LoopThread) -> Void) -> Bool {
        lock.withLock {
            guard reasonOfFailure == nil else { return false }
            work.append(item)
            // One signal suffices for all closures until the loop takes them.
            if work.count == 1, let wake { uv_async_send(wake) }
            return true
        }
    }

    /// Removes and returns all closures, in order.
    func takeAll() -> [@Sendable (LoopThread) -> Void] {
        lock.withLock {
            defer { work.removeAll() }
            return work
        }
    }
}
