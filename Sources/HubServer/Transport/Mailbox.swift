import CUV
import Foundation

/// What other threads have to say to a loop: closures, run on the loop's thread in the order they came.
///
/// Safe on any thread, at any time; after the loop has ended `post` says so by false. The lock is an NSLock since
/// `Synchronization.Mutex` gives ThreadSanitizer false positives on this toolchain.
final class Mailbox: @unchecked Sendable {
    /// A thing to do on the loop's thread.
    typealias Command = @Sendable (ServerLoop) -> Void

    private let lock = NSLock()
    private var commands: [Command] = []
    private var wakeUp: UnsafeMutablePointer<uv_async_t>?
    private var isClosed = false

    /// Asks for a closure to be run on the loop's thread.
    ///
    /// - Parameter command: Gets the loop, and by its handler the hub.
    /// - Returns: False when the loop has ended; the closure is then dropped.
    @discardableResult
    func post(_ command: @escaping Command) -> Bool {
        lock.withLock {
            guard !isClosed else { return false }
            commands.append(command)
            if let wakeUp { uv_async_send(wakeUp) }
            return true
        }
    }

    /// Has the loop look at what others have left for it elsewhere.
    func wake() {
        lock.withLock {
            if let wakeUp { uv_async_send(wakeUp) }
        }
    }

    /// Ties the mailbox to a loop, which finds what was posted before.
    ///
    /// - Parameter handle: Initialised, alive until `detach()`.
    func attach(_ handle: UnsafeMutablePointer<uv_async_t>) {
        lock.withLock {
            wakeUp = handle
            if !commands.isEmpty { uv_async_send(handle) }
        }
    }

    /// Ends it: what was not run is dropped.
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
    /// - Returns: What there is to do, oldest first.
    func drain() -> [Command] {
        lock.withLock { takeAll() }
    }

    private func takeAll() -> [Command] {
        let all = commands
        commands = []
        return all
    }
}
