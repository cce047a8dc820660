import Foundation

/// The ``ServerLoop``s of a hub, each on a thread of its own: the handle for everybody else.
///
/// Safe on any thread.
final class LaunchedLoops: Sendable {
    /// The port they listen on.
    let port: Int

    /// How they reach each other, and how others reach them.
    let network: LoopNetwork

    /// The connections that they take together.
    let maximumConnections: Int

    private let completions: [Completion]

    /// Where to say something to the hub's own loop.
    var mailbox: Mailbox { network.mailboxes[0] }

    private init(port: Int, maximumConnections: Int, network: LoopNetwork, completions: [Completion]) {
        self.port = port
        self.maximumConnections = maximumConnections
        self.network = network
        self.completions = completions
    }

    /// Starts a thread (8 MB of stack) and a loop on it for each of `settings.loops`, and waits until all listen.
    ///
    /// - Parameters:
    ///   - settings: All that can be set.
    ///   - name: Of the threads, for debuggers; 15 bytes are seen.
    ///   - makeHandler: Run on each new thread, where the handler stays.
    /// - Returns: The running loops.
    /// - Throws: What ``ServerLoop/init(settings:place:door:handler:)`` throws.
    static func launch(
        settings: TransportSettings,
        name: String = "hub",
        makeHandler: @escaping @Sendable (LoopPlace) -> any TransportHandler
    ) throws(TransportError) -> LaunchedLoops {
        let network = LoopNetwork(loops: settings.loopCount)
        if network.count > 1 { try checkPortIsFree(settings) }
        let door = Door(settings)
        var settings = settings
        var completions: [Completion] = []
        do throws(TransportError) {
            for number in 0..<network.count {
                let place = LoopPlace(number: number, network: network)
                let threadName = number == 0 ? name : "\(name)-\(number)"
                let completion = start(settings, place, door, name: threadName, makeHandler)
                completions.append(completion)
                settings.port = try completion.waitForBegin().get()
            }
        } catch {
            for mailbox in network.mailboxes { mailbox.post { $0.stop() } }
            for completion in completions { completion.waitForEnd() }
            throw error
        }
        return LaunchedLoops(
            port: settings.port,
            maximumConnections: door.maximumConnections,
            network: network,
            completions: completions
        )
    }

    private static func start(
        _ settings: TransportSettings,
        _ place: LoopPlace,
        _ door: Door,
        name: String,
        _ makeHandler: @escaping @Sendable (LoopPlace) -> any TransportHandler
    ) -> Completion {
        let completion = Completion()
        let thread = Thread {
            do throws(TransportError) {
                let loop = try ServerLoop(settings: settings, place: place, door: door, handler: makeHandler(place))
                completion.began(.success(loop.port))
                loop.run()
            } catch {
                completion.began(.failure(error))
            }
            // Without the hub there is nothing the others could do.
            if place.number == 0 { for mailbox in place.network.mailboxes { mailbox.post { $0.stop() } } }
            completion.ended()
        }
        thread.stackSize = 8 << 20
        thread.start()
        if case .success = completion.waitForBegin() { thread.name = name }
        return completion
    }

    /// Sockets that share a port would also share it with another hub of the same user, and each get half of the calls.
    private static func checkPortIsFree(_ settings: TransportSettings) throws(TransportError) {
        guard settings.port != 0 else { return }
        _ = try Listener(settings: settings)
    }

    /// Asks the loops to end: what is open is closed with code 1001.
    func stop() {
        mailbox.post { $0.stop() }
    }

    /// Waits until the loops have ended and their handlers are free.
    func join() {
        for completion in completions { completion.waitForEnd() }
    }
}

/// What the two threads of a launch tell each other.
private final class Completion: @unchecked Sendable {
    /// The port it listens on.
    typealias Begin = Result<Int, TransportError>

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
