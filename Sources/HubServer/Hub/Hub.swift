import HubEngine
import HubMedia
import HubWire

/// The hub behind its sockets: decodes, asks the engine, carries out its effects, relays.
///
/// One class on one thread (house rule: no actor, no lock on this path). The one door into the engine is `apply(_:)`; each
/// event's effects are carried out before the next event is taken.
final class Hub: TransportHandler {
    let settings: HubSettings
    let clock = HubClock()
    let log: HubLog
    let sounds: BuiltInSounds
    private let recorder: EventRecorder?
    /// Where records of calls go; nil: nowhere.
    let keeper: RecordKeeper?
    let descriptors = DescriptorCount()
    /// Names this run of the hub: what an earlier one knew is gone.
    let run = Identifier<Hub>.fresh().uuidText
    /// The hub's own SSRC, in its receiver reports.
    let ssrc = UInt32.random(in: 1 ... .max)
    weak var loop: ServerLoop?

    var engine: Engine
    var sessions = SessionTable()
    var directory = AccountDirectory()
    var memory: HubMemory
    var counters = HubCounters()
    /// What becomes the calls' records.
    var ledger = CallLedger()
    /// The peers of connections that have not signed in yet.
    var addresses: [ConnectionID: String] = [:]
    /// When the engine was last held against its invariants.
    var invariantsCheckedAt = Instant(nanoseconds: .min)
    /// Set before anything is received.
    private let relayMemory: UnsafeMutablePointer<AudioRelay<Connections>?>

    var isDraining = false
    /// When the last call ends at the latest.
    var drainEnds = Instant(nanoseconds: 0)
    /// Whoever asked the loop to end when all sessions are gone.
    var stopsWhenEmpty = false

    /// The request being answered: each has its reply before anything else happens.
    var asking: Asking?
    var faults: [ConnectionID: FaultBudget] = [:]
    private var events: [Event] = []
    private var isApplying = false
    private var effects: [Effect] = []
    private var nextTick: Int64?
    var reportBytes: [UInt8] = []
    var outgoing: [UInt8] = []

    init(
        _ settings: HubSettings,
        sounds: BuiltInSounds,
        recorder: EventRecorder? = nil,
        keeper: RecordKeeper? = nil
    ) {
        self.settings = settings
        self.sounds = sounds
        self.recorder = recorder
        self.keeper = keeper
        log = HubLog(settings: settings.log)
        ledger.tellsNews = log.tells(.debug)
        let configuration = settings.engine
        engine = Engine(configuration)
        recorder?.start(
            RecordingHeader(hubVersion: settings.version, node: settings.node, engine: configuration)
        )
        memory = HubMemory(limits: settings.memory)
        relayMemory = .allocate(capacity: 1)
        relayMemory.initialize(to: nil)
    }

    deinit {
        relayMemory.pointee?.deallocate()
        relayMemory.deallocate()
    }

    /// Nil only before the loop has started.
    ///
    /// Behind a pointer, so that the packet path pays for no exclusivity check.
    var relay: AudioRelay<Connections>? { relayMemory.pointee }

    // MARK: What the sockets tell

    func started(_ loop: ServerLoop) {
        self.loop = loop
        relayMemory.pointee = AudioRelay(
            connections: loop.maximumConnections,
            outlet: loop.connections,
            meter: UnsafePointer(loop.meter)
        )
    }

    func opened(_ id: ConnectionID, info: ConnectionInfo) {
        addresses[id] = info.remoteAddress
        log(.debug, "connection opened", ["connection": id.description, "address": info.remoteAddress])
    }

    func received(audio: UnsafeMutableRawBufferPointer, from id: ConnectionID) {
        guard let relay else { return }
        let ticks = clock.ticks
        let wait = relay.meter.map { ticks &- $0.pointee.turnBegan } ?? 0
        relay.receive(audio, from: id, at: clock.instant(at: ticks), after: wait)
    }

    func receivedOversizeAudio(byteCount: Int, from id: ConnectionID) {
        relay?.receiveOversize(byteCount, from: id)
    }

    func slowConsumer(_ id: ConnectionID) {
        log(.warning, "connection takes nothing", fields(of: id))
        let firstForgotten = loop?.forgetQueuedTexts(of: id) ?? nil
        if let session = sessions[id] {
            // What was thrown away is told again on a resume; here its number is the next one that the client sees.
            sendUnkept(.closing(.slowConsumer, retryAfterSeconds: nil), to: session, seq: firstForgotten)
        }
        loop?.close(id, code: 1008, reason: ClosingReason.slowConsumer.rawValue)
    }

    func closed(_ id: ConnectionID, how: ConnectionEnd) {
        faults[id] = nil
        if log.tells(.debug) { log(.debug, "connection closed", fields(of: id) + [("how", "\(how)")]) }
        addresses[id] = nil
        guard let session = sessions[id] else { return }
        sessions.detach(session)
        relay?.detach(session.id)
        if how != .normal {
            counters.losses += 1
            ledger.connectionLost(session.id, at: clock.now)
        }
        apply(how == .normal ? .sessionClosed(session.id) : .sessionLost(session.id))
    }

    func deadlineReached() {
        runTicks()
        let now = clock.now
        memory.expire(at: now)
        recorder?.recordTime(now, due: engine.nextDeadline)
        engine.advance(to: now, into: &effects)
        runEffects()
        drainEvents()
    }

    // MARK: The one door

    /// Applies an event, and whatever its effects cause, in order.
    func apply(_ event: Event) {
        events.append(event)
        if !isApplying { drainEvents() }
    }

    private func drainEvents() {
        isApplying = true
        while !events.isEmpty {
            let (event, now) = (events.removeFirst(), clock.now)
            recorder?.record(event, at: now)
            engine.handle(event, at: now, into: &effects)
            runEffects()
        }
        isApplying = false
        settleRecords()
        if stopsWhenEmpty, sessions.count == 0 { loop?.stop() }
        arm()
    }

    private func runEffects() {
        for index in effects.indices { run(effects[index]) }
        effects.removeAll(keepingCapacity: true)
    }

    private func run(_ effect: Effect) {
        switch effect {
        case .reply(let token, let reply): send(reply, to: token)
        case .notify(let session, let notification): tell(session, notification)
        case .audioRouteChanged(let session):
            let route = engine.audioRoute(of: session)
            if let quality = relay?.setRoute(route, of: session, at: clock.now) { received(quality) }
        case .lookUp(let token, let lookUp): events.append(.lookedUp(token, self.lookUp(lookUp)))
        case .screen(let token, let account, let caller):
            events.append(.screened(token, memory.knowledge(of: caller, by: account)))
        case .remember(let account, let call): remember(call, of: account)
        case .sessionClosing(let session, let end): tellClosing(session, end)
        case .sessionEnded(let session, let end): endSession(session, end)
        }
    }

    // MARK: Time

    /// One timer for everything: the next deadline there is, or the next tick while anybody's audio is active.
    func arm() {
        guard let loop else { return }
        if relay?.activeLegs ?? 0 > 0 {
            if nextTick == nil { nextTick = clock.now.nanoseconds / Self.tick + 1 }
        } else {
            nextTick = nil
        }
        var next = [engine.nextDeadline, memory.nextDeadline, ledger.nextDeadline].compactMap(\.self).min()
        if let nextTick {
            let tick = Instant(nanoseconds: nextTick &* Self.tick)
            next = next.map { min($0, tick) } ?? tick
        }
        loop.armDeadline(at: next.map { clock.monotonicNanoseconds(at: $0) })
    }

    /// Plays and reports by ticks of 20 ms; after a stall of the machine what was missed is let go.
    private func runTicks() {
        guard let due = nextTick, let relay else { return }
        let now = clock.now
        let current = now.nanoseconds / Self.tick
        guard current >= due else { return }
        for tick in max(due, current - 4)...current {
            relay.play(tick: tick, tone: sounds.tone, music: sounds.music)
        }
        // Each client's turn comes every tenth tick, also when it was missed: without reports a client stops sending.
        for turn in max(due, current - 9)...current {
            relay.sendReports(turn: turn, from: ssrc, at: now, using: &reportBytes)
        }
        nextTick = current + 1
    }

    private static let tick: Int64 = 20_000_000
}

/// The sounds of the built-in parties, encoded once a process.
struct BuiltInSounds: Sendable {
    let tone: PreparedAudio
    let music: PreparedAudio

    /// What all hubs of a process play; encoding takes a fraction of a second.
    static let shared = Result { () throws(MediaError) in
        BuiltInSounds(tone: try .tone(), music: try .holdMusic())
    }
}

/// A request that is being answered.
struct Asking {
    let connection: ConnectionID
    /// Nil: the client wants no answer.
    let id: RequestID?
    /// What `session.open` asked for, while it is answered.
    var opening: (SessionOpening, SessionOpen)?
    /// What `session.open` wants to take up, and the last notification that the client has.
    var resumption: (session: ClientSession, after: UInt64)?
}
