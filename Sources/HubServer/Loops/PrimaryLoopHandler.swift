import HubEngine
import HubWire
import LoopMailbox

/// The transport of a running hub: the sockets of all loops; the handler of the hub's own loop.
///
/// Relays audio by itself, like a ``WorkerLoopHandler``, and passes everything else to the hub. Commands of the hub to
/// its own loop run at once. Those to other loops are posted at the end of the iteration, or before the next packet: a
/// gate on another loop must not open later than the audio for it arrives. For the hub's thread.
final class PrimaryLoopHandler: TransportHandler {
    let hub: Hub
    let loopIndex: LoopIndex
    let clock: HubClock
    private let sounds: BuiltInSounds
    private let ssrc: UInt32
    private let path: PacketPath
    private(set) weak var loop: ServerLoop?
    private var ticker: RelayTicker?
    private var commands: [[LoopCommand]]
    /// Collections of loop statistics that are under way, by number.
    var statisticsCollections: [UInt64: StatisticsCollection] = [:]
    /// Packet counts that are under way, by number.
    var packetCountCollections: [UInt64: ([SessionID: AdminAudio]) -> Void] = [:]
    var lastCollectionID: UInt64 = 0

    /// Makes the sockets of a hub.
    ///
    /// - Parameters:
    ///   - hub: The hub that uses them.
    ///   - loopIndex: The context of the hub's own loop.
    ///   - sounds: The audio of the built-in parties.
    ///   - ssrc: The hub's own SSRC.
    init(_ hub: Hub, on loopIndex: LoopIndex, sounds: BuiltInSounds, ssrc: UInt32) {
        self.hub = hub
        self.loopIndex = loopIndex
        self.sounds = sounds
        self.ssrc = ssrc
        clock = hub.clock
        path = PacketPath(loopIndex)
        commands = Array(repeating: [], count: loopIndex.context.count)
    }

    /// The relay of the hub's own loop; nil only before the loop has started.
    var relay: AudioRelay<Connections>? { path.relay }

    // MARK: Packets

    func started(_ loop: ServerLoop) {
        self.loop = loop
        let relay = path.start(on: loop)
        ticker = RelayTicker(
            relay,
            sounds: sounds,
            clock: clock,
            ssrc: ssrc,
            dropReportInterval: hub.settings.transport.dropReportInterval,
            reportDrops: { [unowned hub] in hub.notify($0) },
            arm: { [unowned loop] in loop.armTick(at: $0) }
        )
        hub.begin(on: self)
    }

    func received(audio: UnsafeRawBufferPointer, from id: ConnectionID, at nanoseconds: UInt64) {
        if path.hasPendingCommands { flush() }
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
    }

    func iterationEnds() {
        path.wakeOthers()
        flush()
        ticker?.arm()
    }

    // MARK: Events for the hub

    func opened(_ id: ConnectionID, info: ConnectionInfo) {
        hub.opened(id, info: info)
    }

    func received(text: UnsafeRawBufferPointer, from id: ConnectionID) {
        hub.received(text: text, from: id)
    }

    func slowConsumer(_ id: ConnectionID, firstLost: UInt64?) {
        hub.slowConsumer(id, firstLost: firstLost)
    }

    func closed(_ id: ConnectionID, reason: ConnectionEnd) {
        hub.closed(id, reason: reason)
    }

    func deadlineReached() {
        hub.deadlineReached()
    }

    func httpGet(_ request: HTTPRequest, requestID: HTTPRequestID) -> HTTPHandlerResult {
        hub.httpGet(request, requestID: requestID)
    }

    /// Processes the events that another loop has received, as if they had occurred here.
    func handle(_ reports: [LoopReport], from number: Int) {
        path.drainInboundRing(at: clock.now)
        for report in reports { hub.handle(report) }
        hub.flushRecordsAndStopIfDone()
        if loopIndex.context.backlogs[number].remove(reports.reduce(0) { $0 + $1.backlogBytes }) {
            loopIndex.context.mailboxes[number].wake()
        }
    }

    // MARK: Other loops

    /// Runs a command on a loop, after the earlier ones for it.
    private func notify(_ number: UInt16, _ command: LoopCommand) {
        if number == 0 {
            guard let loop, let quality = command.run(on: loop, relay, at: clock.now) else { return }
            hub.received(quality)
        } else if commands.indices.contains(Int(number)) {
            commands[Int(number)].append(command)
            path.hasPendingCommands = true
        }
    }

    /// Posts the queued commands to the other loops.
    private func flush() {
        guard path.hasPendingCommands else { return }
        path.hasPendingCommands = false
        for number in commands.indices where !commands[number].isEmpty {
            let batch = commands[number]
            commands[number] = []
            loopIndex.context.mailboxes[number].post { other in
                (other.handler as? WorkerLoopHandler)?.execute(batch, on: other)
            }
        }
    }
}

extension PrimaryLoopHandler: HubTransport {
    func sendText(_ bytes: [UInt8], to id: ConnectionID, number: UInt64, isLast: Bool) {
        if id.loop == 0 {
            loop?.sendText(bytes, to: id, number: number, isLast: isLast)
        } else {
            notify(id.loop, .sendText(bytes, id, number: number, isLast: isLast))
        }
    }

    func markAuthenticated(_ id: ConnectionID) {
        notify(id.loop, .markAuthenticated(id))
    }

    func markAuthenticating(_ id: ConnectionID, _ isAuthenticating: Bool) {
        notify(id.loop, .markAuthenticating(id, isAuthenticating))
    }

    func close(_ id: ConnectionID, code: UInt16, reason: String) {
        notify(id.loop, .close(id, code: code, reason: reason))
    }

    func answer(_ requestID: HTTPRequestID, with response: HTTPResponse) {
        notify(requestID.loop, .answer(requestID, response))
    }

    func notify(_ loop: UInt16, _ command: RelayCommand) {
        notify(loop, .relay(command))
    }

    func quality(of session: SessionID) -> LegQuality? {
        relay?.quality(of: session, at: clock.now)
    }

    func armDeadline(at instant: Instant?) {
        loop?.armDeadline(at: instant.map { clock.monotonicNanoseconds(at: $0) })
    }

    func stopAfterClosing() {
        guard let loop else { return }
        for mailbox in loop.loopIndex.context.mailboxes.dropFirst() { mailbox.post { $0.stopAfterClosing() } }
        loop.stopAfterClosing()
    }

    func allowsRequest(from address: IPAddress, count: Int) -> Bool {
        loop.map { $0.connectionLimiter.allowsRequest(from: address, count: count, at: Int64(clamping: $0.now)) }
            ?? true
    }

    func allowsSignIn(from address: IPAddress) -> Bool {
        loop.map { $0.connectionLimiter.allowsSignIn(from: address, at: Int64(clamping: $0.now)) } ?? true
    }

    func isExempt(_ address: IPAddress) -> Bool { loop?.connectionLimiter.isExempt(address) ?? true }

    var mixing: Mixing? {
        let context = loopIndex.context
        guard !context.mixers.isEmpty else { return nil }
        return Mixing(
            first: UInt16(truncatingIfNeeded: context.count),
            count: context.mixers.count,
            ssrc: ssrc,
            mixedFrom: hub.settings.transport.mixedFrom
        )
    }

    var mixerStatistics: [MixerStatistics] { loopIndex.context.mixers.map(\.statistics) }

    var queues: QueueBudget? { loop?.connectionLimiter.queues }

    var busyShare: Double { loopIndex.context.busyShare }

    var thread: HubThread { HubThread { [mailbox = loopIndex.mailbox] work in mailbox.runOnHubThread(work) } }
}

extension Mailbox<ServerLoop> {
    /// Runs work on the hub's thread; the mailbox must be that of its loop.
    func runOnHubThread(_ work: @escaping @Sendable (Hub) -> Void) {
        post { loop in
            guard let sockets = loop.handler as? PrimaryLoopHandler else { return }
            work(sockets.hub)
        }
    }
}
