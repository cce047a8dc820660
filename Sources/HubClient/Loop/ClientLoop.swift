import Foundation

/// The thread that carries connections to hubs: one event loop, any number of clients.
///
/// Clients share `shared` unless they are given another: a program that holds thousands of connections may spread them
/// over several loops. A loop lives as long as the process, since libwebsockets 4.1 unloads its event library from
/// within itself when a context on a foreign loop is destroyed.
public final class ClientLoop: Sendable {
    /// The loop of every client that was not given one of its own.
    public static let shared = ClientLoop()

    private let mailbox = LoopMailbox()

    /// Starts a thread and returns when it is ready for work, or has found that it cannot work (see `failure`).
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

    /// Why this loop carries nothing, as a sentence; nil on a machine where libwebsockets is whole.
    public var failure: String? { mailbox.failure }

    /// Has `work` done on the loop's thread, in the order of the posts.
    ///
    /// - Returns: false where the loop carries nothing; `work` is then dropped.
    @discardableResult
    package func post(_ work: @escaping @Sendable (LoopThread) -> Void) -> Bool {
        mailbox.post(work)
    }
}
