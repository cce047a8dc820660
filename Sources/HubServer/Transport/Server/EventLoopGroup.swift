import Foundation
import LoopMailbox

/// The running ``ServerLoop``s of a hub, each on a thread of its own; the interface for other threads.
///
/// Each loop has its own listening socket on the hub's port (SO_REUSEPORT: the kernel distributes the connections), its
/// own table of connections and its own relay.
///
/// Safe on any thread.
final class EventLoopGroup: Sendable {
    /// The port that the loops listen on.
    let port: Int

    /// The port that redirects to it; nil: none.
    let redirectPort: Int?

    /// The mailboxes and packet rings of the loops.
    let context: LoopGroupContext

    /// The maximum number of connections of all loops together.
    let maximumConnections: Int

    private let completions: [Completion]

    /// The mailbox of the hub's own loop, number 0.
    var mailbox: Mailbox<ServerLoop> { context.mailboxes[0] }

    private init(_ ports: Ports, maximumConnections: Int, context: LoopGroupContext, completions: [Completion]) {
        port = ports.main
        redirectPort = ports.redirect
        self.maximumConnections = maximumConnections
        self.context = context
        self.completions = completions
    }

    /// Starts a thread (8 MB of stack) and a loop on it for each of `settings.loops`, and waits until all listen.
    ///
    /// - Parameters:
    ///   - settings: The settings of the transport.
    ///   - name: The name of the threads for debuggers, of which 15 bytes are shown.
    ///   - makeHandler: Makes a loop's handler on the loop's thread.
    /// - Returns: The running loops.
    /// - Throws: The errors of ``ServerLoop/init(settings:loopIndex:connectionLimiter:handler:)``.
    static func launch(
        settings: TransportSettings,
        name: String = "hub",
        makeHandler: @escaping @Sendable (LoopIndex) -> any TransportHandler
    ) throws(TransportError) -> EventLoopGroup {
        let context = LoopGroupContext(loops: settings.loopCount, mixers: settings.mixers)
        if context.count > 1 { try checkPortIsFree(settings) }
        let connectionLimiter = ConnectionLimiter(settings)
        var settings = settings
        var ports = Ports(main: settings.port, redirect: nil)
        var completions: [Completion] = []
        do throws(TransportError) {
            for number in 0..<context.count {
                let loopIndex = LoopIndex(number: number, context: context)
                let threadName = number == 0 ? name : "\(name)-\(number)"
                let completion = start(settings, loopIndex, connectionLimiter, name: threadName, makeHandler)
                completions.append(completion)
                ports = try completion.waitForBegin().get()
                // The others take those that the kernel has chosen for the first.
                (settings.port, settings.redirectPort) = (ports.main, ports.redirect)
            }
        } catch {
            for mailbox in context.mailboxes { mailbox.post { $0.stop() } }
            for completion in completions { completion.waitForEnd() }
            throw error
        }
        return EventLoopGroup(
            ports,
            maximumConnections: connectionLimiter.maximumConnections,
            context: context,
            completions: completions
        )
    }

    private static func start(
        _ settings: TransportSettings,
        _ loopIndex: LoopIndex,
        _ connectionLimiter: ConnectionLimiter,
        name: String,
        _ makeHandler: @escaping @Sendable (LoopIndex) -> any TransportHandler
    ) -> Completion {
        let completion = Completion()
        let thread = Thread {
            var isClosingDown = false
            do throws(TransportError) {
                let loop = try ServerLoop(
                    settings: settings,
                    loopIndex: loopIndex,
                    connectionLimiter: connectionLimiter,
                    handler: makeHandler(loopIndex)
                )
                completion.began(.success(Ports(main: loop.port, redirect: loop.redirectListener?.port)))
                loop.run()
                isClosingDown = loop.isClosingDown
            } catch {
                completion.began(.failure(error))
            }
            // The other loops cannot work without the hub's own.
            if loopIndex.number == 0 { stopOthers(loopIndex.context, afterClosing: isClosingDown) }
            completion.ended()
        }
        thread.stackSize = 8 << 20
        thread.start()
        if case .success = completion.waitForBegin() { thread.name = name }
        return completion
    }

    private static func stopOthers(_ context: LoopGroupContext, afterClosing: Bool) {
        for mailbox in context.mailboxes.dropFirst() {
            mailbox.post { afterClosing ? $0.stopAfterClosing() : $0.stop() }
        }
    }

    /// Throws if a port is in use; with SO_REUSEPORT, another hub of the same user would get half of the calls.
    private static func checkPortIsFree(_ settings: TransportSettings) throws(TransportError) {
        let ports = [settings.port, settings.usesTLS ? settings.redirectPort ?? 0 : 0]
        for port in ports where port != 0 { _ = try Listener(settings: settings, port: port) }
    }

    /// Stops the loops: open connections are closed with code 1001.
    func stop() {
        mailbox.post { $0.stop() }
    }

    /// Waits until the loops have ended and their handlers are released.
    func join() {
        for completion in completions { completion.waitForEnd() }
    }
}

/// The ports that a loop listens on.
private struct Ports {
    let main: Int
    let redirect: Int?
}

/// The start and the end of a loop's thread, which other threads wait for.
private final class Completion: @unchecked Sendable {
    /// The ports that the loop listens on, or the reason why it has not started.
    typealias Begin = Result<Ports, TransportError>

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
