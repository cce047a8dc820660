package import CUV
import Foundation

/// A queue of closures that any thread posts to a libuv loop; they run on the loop's thread in order.
///
/// Safe on any thread, at any time; once it is closed `post` returns false. The lock is an NSLock since
/// `Synchronization.Mutex` gives ThreadSanitizer false positives on this toolchain.
package final class Mailbox<Loop>: @unchecked Sendable {
    /// A closure to be run on the loop's thread.
    package typealias Command = @Sendable (Loop) -> Void

    private let lock = NSLock()
    private var commands: [Command] = []
    private var wakeUp: UnsafeMutablePointer<uv_async_t>?
    private var isClosed = false

    /// Creates an empty mailbox without a loop; closures that are posted before `attach(_:)` are queued.
    package init() {}

    /// Posts a closure to be run on the loop's thread.
    ///
    /// - Parameter command: The closure; it receives the loop.
    /// - Returns: False if the mailbox is closed; the closure is then discarded.
    @discardableResult
    package func post(_ command: @escaping Command) -> Bool {
        lock.withLock {
            guard !isClosed else { return false }
            commands.append(command)
            // One wake-up suffices for all closures until the loop drains the mailbox.
            if commands.count == 1, let wakeUp { uv_async_send(wakeUp) }
            return true
        }
    }

    /// Wakes the loop up without posting a closure, to make it check other queues of its own.
    package func wake() {
        lock.withLock {
            if let wakeUp { uv_async_send(wakeUp) }
        }
    }

    /// Attaches the mailbox to a loop, which then runs what was posted before.
    ///
    /// - Parameter handle: The loop's async handle, initialised; its callback calls `drain()`. Must live until
    ///   `detach()`.
    package func attach(_ handle: UnsafeMutablePointer<uv_async_t>) {
        lock.withLock {
            wakeUp = handle
            if !commands.isEmpty { uv_async_send(handle) }
        }
    }

    /// Closes the mailbox; closures that were not run are discarded.
    package func detach() {
        let dropped = lock.withLock {
            wakeUp = nil
            isClosed = true
            return takeAll()
        }
        withExtendedLifetime(dropped) {}  // closures are freed outside the lock: they may post
    }

    /// Empties the mailbox; only the loop's thread calls it.
    ///
    /// - Returns: The closures to be run, oldest first.
    package func drain() -> [Command] {
        lock.withLock { takeAll() }
    }

    private func takeAll() -> [Command] {
        let all = commands
        commands = []
        return all
    }
}
