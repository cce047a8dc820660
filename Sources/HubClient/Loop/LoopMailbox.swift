import CUV
import Foundation

/// What other threads want done on the loop's thread: a list under a lock, and a way to wake the loop.
///
/// NSLock and not Mutex: ThreadSanitizer takes the latter for a race on this toolchain.
final class LoopMailbox: @unchecked Sendable {
    private let lock = NSLock()
    private var work: [@Sendable (LoopThread) -> Void] = []
    private var wake: UnsafeMutablePointer<uv_async_t>?
    private var reasonOfFailure: String?

    /// Why nothing will ever be taken out; nil while all is well.
    var failure: String? { lock.withLock { reasonOfFailure } }

    /// The loop runs from now on and is woken by this handle, which lives as long as the process.
    func open(wake handle: UnsafeMutablePointer<uv_async_t>) {
        lock.withLock { wake = handle }
    }

    /// The loop cannot run.
    func fail(_ reason: String) {
        lock.withLock {
            reasonOfFailure = reason
            work = []
        }
    }

    /// Adds work, and wakes the loop if it may be asleep; false if the loop cannot run.
    func post(_ item: @escaping @Sendable (LoopThread) -> Void) -> Bool {
        lock.withLock {
            guard reasonOfFailure == nil else { return false }
            work.append(item)
            // One signal stands for all that is posted until the loop has taken it.
            if work.count == 1, let wake { uv_async_send(wake) }
            return true
        }
    }

    /// Takes everything out, in order.
    func takeAll() -> [@Sendable (LoopThread) -> Void] {
        lock.withLock {
            defer { work.removeAll() }
            return work
        }
    }
}
