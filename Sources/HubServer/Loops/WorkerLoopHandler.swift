import HubEngine
import LoopMailbox

/// The handler of a loop that is not the hub's: relays audio by itself, and passes everything else to the hub.
final class WorkerLoopHandler: TransportHandler {
    private let settings: HubSettings
    private let loopIndex: LoopIndex
    private let clock: HubClock
    private let path: PacketPath
    private let sounds: BuiltInSounds
    private let ssrc: UInt32
    private weak var loop: ServerLoop?
    private var ticker: RelayTicker?
    private var reports: [LoopReport] = []
    /// Connections that are not read because the hub has a backlog.
    private var pausedConnections: [ConnectionID] = []

    /// Makes the handler of a loop.
    ///
    /// - Parameters:
    ///   - settings: The settings of the hub.
    ///   - loopIndex: The context of the loop.
    ///   - sounds: The audio of the built-in parties.
    ///   - clock: The hub's clock.
    ///   - ssrc: The hub's own SSRC.
    init(_ settings: HubSettings, on loopIndex: LoopIndex, sounds: BuiltInSounds, clock: HubClock, ssrc: UInt32) {
        self.settings = settings
        self.loopIndex = loopIndex
        self.clock = clock
        self.sounds = sounds
        self.ssrc = ssrc
        path = PacketPath(loopIndex)
    }

    /// The loop's relay; nil only before the loop has started.
    var relay: AudioRelay<Connections>? { path.relay }

    private var backlog: Backlog { loopIndex.context.backlogs[loopIndex.number] }

    func started(_ loop: ServerLoop) {
        self.loop = loop
        let relay = path.start(on: loop)
        ticker = RelayTicker(
            relay,
            sounds: sounds,
            clock: clock,
            ssrc: ssrc,
            dropReportInterval: settings.transport.dropReportInterval,
            reportDrops: { [unowned self] in report(.dropped($0)) },
            arm: { [unowned loop] in loop.armTick(at: $0) }
        )
    }

    func received(audio: UnsafeRawBufferPointer, from id: ConnectionID, at nanoseconds: UInt64) {
        relay?.receive(audio, from: id, at: clock.instant(at: nanoseconds))
    }

    func receivedOversizeAudio(byteCount: Int, from id: ConnectionID) {
        relay?.receiveOversize(byteCount, from: id)
    }

    func tick() {
        ticker?.run()
    }

    func willHandleWakeUp() {
        path.markInboundRings()
    }

    func handleWakeUp() {
        path.enforceInboundGates(at: clock.now)
        guard !pausedConnections.isEmpty, backlog.hasRoom else { return }
        for id in pausedConnections { loop?.setReading(true, from: id) }
        pausedConnections = []
    }

    func iterationEnds() {
        path.wakeOthers()
        ticker?.arm()
        guard !reports.isEmpty else { return }
        let batch = reports
        reports = []
        let number = loopIndex.number
        loopIndex.context.mailboxes[0].post { loop in
            (loop.handler as? PrimaryLoopHandler)?.handle(batch, from: number)
        }
    }

    /// Executes commands of the hub; their results are reported at the end of the iteration.
    func execute(_ commands: [LoopCommand], on loop: ServerLoop) {
        // Packets that arrived before a gate was shut are still delivered.
        path.drainInboundRing(at: clock.now)
        for command in commands {
            if let quality = command.run(on: loop, relay, at: clock.now) { report(.quality(quality)) }
        }
    }

    // MARK: Events for the hub

    func opened(_ id: ConnectionID, info: ConnectionInfo) {
        report(.opened(id, info))
    }

    func received(text: UnsafeRawBufferPointer, from id: ConnectionID) {
        report(.text([UInt8](text), id))
        guard backlog.isFull else { return }
        backlog.markPaused()
        pausedConnections.append(id)
        loop?.setReading(false, from: id)
        // The hub may have processed all reports in between, and would not wake this loop.
        if backlog.hasRoom { loopIndex.mailbox.wake() }
    }

    func slowConsumer(_ id: ConnectionID, firstLost: UInt64?) {
        report(.slowConsumer(id, firstLost: firstLost))
    }

    func closed(_ id: ConnectionID, reason: ConnectionEnd) {
        report(.closed(id, reason))
    }

    /// Does nothing: the hub arms no deadline here.
    func deadlineReached() {}

    func httpGet(_ request: HTTPRequest, requestID: HTTPRequestID) -> HTTPHandlerResult {
        guard HubPages.isHubPath(request.path, settings.transport) else {
            return request.path == "/" ? HubPages.placeholderPage(settings).map { .now($0) } ?? .unhandled : .unhandled
        }
        report(.httpGet(request, requestID))
        return .deferred
    }

    private func report(_ report: LoopReport) {
        backlog.add(report.backlogBytes)
        reports.append(report)
    }
}
