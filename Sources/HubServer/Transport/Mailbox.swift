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

    /// Asks for a closure to be run on the loop's thread.
    ///
    /// - Parameter command: Gets the loop, and by its handler the hub.
    /// - Returns: False when the loop has ended; the closure is then dropped.
    @discardableResult
    func post(_ command: @escaping Command) -> Bool {
        lock.withLock {
            guard let wakeUp else { return false }
            commands.append(command)
            uv_async_send(wakeUp)
            return true
        }
    }

    /// Ties the mailbox to a loop; from now on posts are taken.
    ///
    /// - Parameter handle: Initialised, alive until `detach()`.
    func attach(_ handle: UnsafeMutablePointer<uv_async_t>) {
        lock.withLock { wakeUp = handle }
    }

    /// Ends it: what was not run is dropped.
    func detach() {
        let dropped = lock.withLock {
            wakeUp = nil
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
