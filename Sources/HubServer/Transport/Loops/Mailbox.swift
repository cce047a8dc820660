import CUV
import Foundation

/// A queue of closures that any thread posts to a loop; they run on the loop's thread in order.
///
/// Safe on any thread, at any time; after the loop has ended `post` returns false. The lock is an NSLock since
/// `Synchronization.Mutex` gives ThreadSanitizer false positives on this toolchain.
final class Mailbox<Loop>: @unchecked Sendable {
    /// A closure to be run on the loop's thread.
    typealias Command = @Sendable (Loop) -> Void

    private let lock = NSLock()
    private var commands: [Command] = []
    private var wakeUp: UnsafeMutablePointer<uv_async_t>?
    private var isClosed = false

    /// Posts a closure to be run on the loop's thread.
    ///
    /// - Parameter command: The closure; it receives the loop, and through its handler the hub.
    /// - Returns: False if the loop has ended; the closure is then discarded.
    @discardableResult
    func post(_ command: @escaping Command) -> Bool {
        lock.withLock {
            guard !isClosed else { return false }
            commands.append(command)
            if let wakeUp { uv_async_send(wakeUp) }
            return true
        }
    }

    /// Wakes the loop up to look at what other loops have left in their rings.
    func wake() {
        lock.withLock {
            if let wakeUp { uv_async_send(wakeUp) }
        }
    }

    /// Attaches the mailbox to a loop, which then runs what was posted before.
    ///
    /// - Parameter handle: The loop's async handle, initialised; must live until `detach()`.
    func attach(_ handle: UnsafeMutablePointer<uv_async_t>) {
        lock.withLock {
            wakeUp = handle
            if !commands.isEmpty { uv_async_send(handle) }
        }
    }

    /// Closes the mailbox; closures that were not run are discarded.
    func detach() {
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
    func drain() -> [Command] {
        lock.withLock { takeAll() }
    }

    private func takeAll() -> [Command] {
        let all = commands
        commands = []
        return all
    }
}
