import Foundation
import LoopMailbox

/// A thread with one event loop, for the connections of any number of clients.
///
/// Clients use `shared` by default; a program with thousands of connections may distribute them over several loops. A
/// loop is never destroyed, since libwebsockets 4.1 unloads its event library while that library's code is running when
/// a context on a foreign loop is destroyed.
public final class ClientLoop: Sendable {
    /// The default loop of all clients.
    public static let shared = ClientLoop()

    /// The reason that this loop cannot run, as a sentence; nil if libwebsockets works on this machine.
    public let failure: String?

    private let mailbox: Mailbox<LoopThread>

    /// Starts a thread and returns when its loop is ready, or has failed to start (see `failure`).
    public init(name: String = "hub-client") {
        let mailbox = Mailbox<LoopThread>()
        let start = ThreadStart()
        let thread = Thread {
            do throws(LoopFailure) {
                let loop = try LoopThread(mailbox: mailbox)
                start.ended(failure: nil)
                loop.run()
            } catch {
                mailbox.detach()
                start.ended(failure: error.reason)
            }
        }
        thread.start()
        failure = start.waitForFailure()
        self.mailbox = mailbox
        if failure == nil { thread.name = name }
    }

    /// Runs `work` on the loop's thread, in the order of the posts.
    ///
    /// - Returns: False if the loop cannot run; `work` is then dropped.
    @discardableResult
    package func post(_ work: @escaping @Sendable (LoopThread) -> Void) -> Bool {
        mailbox.post(work)
    }
}

/// The outcome of the start of a loop's thread, for which another thread waits.
private final class ThreadStart: @unchecked Sendable {
    private let condition = NSCondition()
    private var isOver = false
    private var failure: String?

    func ended(failure reason: String?) {
        condition.withLock {
            (isOver, failure) = (true, reason)
            condition.broadcast()
        }
    }

    /// Waits for the outcome; nil: the loop has started.
    func waitForFailure() -> String? {
        condition.withLock {
            while !isOver { condition.wait() }
            return failure
        }
    }
}
