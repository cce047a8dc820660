import Foundation

/// A ``ServerLoop`` that runs on a thread of its own: the handle for everybody else.
///
/// Safe on any thread.
final class LaunchedLoop: Sendable {
    /// The port it listens on.
    let port: Int

    /// Where to say something to it.
    let mailbox: Mailbox

    private let completion: Completion

    private init(port: Int, mailbox: Mailbox, completion: Completion) {
        self.port = port
        self.mailbox = mailbox
        self.completion = completion
    }

    /// Starts a thread (8 MB of stack) and a loop on it, and waits until it listens.
    ///
    /// - Parameters:
    ///   - settings: All that can be set.
    ///   - name: Of the thread, for debuggers; 15 bytes are seen.
    ///   - makeHandler: Run on the new thread, where the handler stays.
    /// - Returns: The running loop.
    /// - Throws: What ``ServerLoop/init(settings:handler:)`` throws.
    static func launch(
        settings: TransportSettings,
        name: String = "hub",
        makeHandler: @escaping @Sendable () -> any TransportHandler
    ) throws(TransportError) -> LaunchedLoop {
        let completion = Completion()
        let thread = Thread {
            do throws(TransportError) {
                let loop = try ServerLoop(settings: settings, handler: makeHandler())
                completion.began(.success((loop.port, loop.mailbox)))
                loop.run()
            } catch {
                completion.began(.failure(error))
            }
            completion.ended()
        }
        thread.name = name
        thread.stackSize = 8 << 20
        thread.start()
        let (port, mailbox) = try completion.waitForBegin().get()
        return LaunchedLoop(port: port, mailbox: mailbox, completion: completion)
    }

    /// Asks the loop to end: what is open is closed with code 1001.
    func stop() {
        mailbox.post { $0.stop() }
    }

    /// Waits until the loop has ended and its handler is free.
    func join() {
        completion.waitForEnd()
    }
}

/// What the two threads of a launch tell each other.
private final class Completion: @unchecked Sendable {
    typealias Begin = Result<(port: Int, mailbox: Mailbox), TransportError>

    private let condition = NSCondition()
    private var begin: Begin?
    private var isEnded = false

    func began(_ result: Begin) {
        condition.withLock {
            begin = result
            condition.broadcast()
        }
    }

    func ended() {
        condition.withLock {
            isEnded = true
            condition.broadcast()
        }
    }

    func waitForBegin() -> Begin {
        condition.withLock {
            while true {
                if let begin { return begin }
                condition.wait()
            }
        }
    }

    func waitForEnd() {
        condition.withLock { while !isEnded { condition.wait() } }
    }
}
