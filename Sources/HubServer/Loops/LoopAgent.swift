import HubEngine

/// The handler of a loop that is not the hub's: relays audio by itself, and passes everything else to the hub.
final class LoopAgent: TransportHandler {
    private let settings: HubSettings
    private let place: LoopPlace
    private let clock: HubClock
    private let path: PacketPath
    private let sounds: BuiltInSounds
    private let ssrc: UInt32
    private weak var loop: ServerLoop?
    private var ticker: RelayTicker?
    private var reports: [LoopReport] = []
    /// Connections that are not read because the hub has a backlog.
    private var waiting: [ConnectionID] = []

    /// Makes the handler of a loop.
    ///
    /// - Parameters:
    ///   - settings: The settings of the hub.
    ///   - place: The context of the loop.
    ///   - sounds: The audio of the built-in parties.
    ///   - clock: The hub's clock.
    ///   - ssrc: The hub's own SSRC.
    init(_ settings: HubSettings, on place: LoopPlace, sounds: BuiltInSounds, clock: HubClock, ssrc: UInt32) {
        self.settings = settings
        self.place = place
        self.clock = clock
        self.sounds = sounds
        self.ssrc = ssrc
        path = PacketPath(place)
    }

    deinit {
        path.deallocate()
    }

    /// The loop's relay; nil only before the loop has started.
    var relay: AudioRelay<Connections>? { path.relay }

    private var backlog: Backlog { place.network.backlogs[place.number] }

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

    func wakesUp() {
        path.markCrossed()
    }

    func wokenUp() {
        path.judgeCrossed(at: clock.now)
        guard !waiting.isEmpty, backlog.hasRoom else { return }
        for id in waiting { loop?.setReading(true, from: id) }
        waiting = []
    }

    func turnEnds() {
        path.wakeOthers()
        ticker?.arm()
        guard !reports.isEmpty else { return }
        let batch = reports
        reports = []
        let number = place.number
        place.network.mailboxes[0].post { loop in
            (loop.handler as? HubSockets)?.take(batch, from: number)
        }
    }

    /// Executes commands of the hub; their results are reported at the end of the iteration.
    func obey(_ commands: [LoopCommand], on loop: ServerLoop) {
        // Packets that arrived before a gate was shut are still delivered.
        path.takeCrossed(at: clock.now)
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
        backlog.waits()
        waiting.append(id)
        loop?.setReading(false, from: id)
        // The hub may have taken everything in between, and nothing would wake this loop.
        if backlog.hasRoom { place.mailbox.wake() }
    }

    func slowConsumer(_ id: ConnectionID, firstLost: UInt64?) {
        report(.slowConsumer(id, firstLost: firstLost))
    }

    func closed(_ id: ConnectionID, how: ConnectionEnd) {
        report(.closed(id, how))
    }

    /// Does nothing: the hub arms no deadline here.
    func deadlineReached() {}

    func httpGet(_ request: HTTPRequest, ticket: HTTPTicket) -> HTTPAnswer {
        guard HubPages.ofTheHub.contains(request.path) else {
            return request.path == "/" ? HubPages.welcome(settings).map { .now($0) } ?? .notMine : .notMine
        }
        report(.httpGet(request, ticket))
        return .later
    }

    private func report(_ report: LoopReport) {
        backlog.add(report.cost)
        reports.append(report)
    }
}
