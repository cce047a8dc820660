import Foundation

/// A thread with one event loop, for the connections of any number of clients.
///
/// Clients share `shared` unless they are given another: a program with thousands of connections may distribute them
/// over several loops. A loop lives as long as the process, since libwebsockets 4.1 unloads its event library from
/// within itself when a context on a foreign loop is destroyed.
public final class ClientLoop: Sendable {
    /// The loop of every client that was not given another.
    public static let shared = ClientLoop()

    private let mailbox = LoopMailbox()

    /// Starts a thread and returns when its loop is ready, or has failed to start (see `failure`).
    public init(name: String = "hub-client") {
        let mailbox = mailbox
        let ready = DispatchSemaphore(value: 0)
        let thread = Thread {
            let loop = LoopThread(mailbox: mailbox)
            ready.signal()
            loop?.run()
        }
        thread.start()
        ready.wait()
        if failure == nil { thread.name = name }
    }

    /// The reason that this loop cannot run, as a sentence; nil if libwebsockets works on this machine.
    public var failure: String? { mailbox.failure }

    /// Runs `work` on the loop's thread, in the order of the posts.
    ///
    /// - Returns: False if the loop cannot run; `work` is then dropped.
    @discardableResult
    package func post(_ work: @escaping @Sendable (LoopThread) -> Void) -> Bool {
        mailbox.post(work)
    }
}
