import HubAccountData
import HubEngine
import HubWire

/// The hub behind its connections: decodes messages, runs the engine, and executes its effects.
///
/// One class on one thread (house rule: no actor, no lock on this path). All events enter the engine by `apply(_:)`;
/// the effects of an event are executed before the next event is handled. Packets bypass the hub, from relay to relay.
final class Hub {
    let settings: HubSettings
    let clock: HubClock
    let log: HubLog
    private let recorder: EventRecorder?
    /// The writer of call detail records; nil: none are written.
    let keeper: RecordKeeper?
    lazy var descriptors = DescriptorCount()
    /// The ID of this run of the hub: sessions of earlier runs are gone.
    let run: String
    /// The transport; set before anything is received.
    private(set) weak var ground: (any HubGround)?
    /// The control of the packet routes; set before anything is received.
    private(set) var routes: RelayControl?

    /// The source of randomness.
    var chance: HubChance
    var engine: Engine
    var sessions = SessionTable()
    var directory = AccountDirectory()
    var memory: HubMemory
    var counters = HubCounters()
    /// The builder of the call detail records.
    var ledger = CallLedger()

    var isDraining = false
    /// The time at which the last call ends at the latest.
    var drainEnds = Instant(nanoseconds: 0)
    /// True if the hub stops when all sessions have ended.
    var stopsWhenEmpty = false

    /// The requests that the engine or a service has yet to answer.
    var pending = PendingRequests()
    var conduct: [ConnectionID: Conduct] = [:]
    var refusals = RefusalCounters()
    /// True if the last overload check found the hub overloaded.
    var isOverloaded = false
    var callRates: CallRates
    /// The notifications that each payer's requests have caused.
    var traffics: CausedTraffics
    /// The token buckets of fresh tokens to verify, for each payer.
    var refreshes = Hub.refreshBuckets
    /// Sign-ins that are being verified.
    var parking = Parking()
    var wrongSignIns = WrongSignIns()
    let services: HubServices
    var desk = MemoryDesk()
    /// Accounts that were erased while this hub ran, and have not signed in since: nothing is kept of them.
    var erasedAccounts: Set<String> = []
    /// The time at which old calls are removed next.
    var recentsDue = Instant(nanoseconds: 0)
    /// The time of the next check for expired sessions; nil: no session expires.
    var expiryDue: Instant?
    var watch: InvariantWatch
    /// The latest metrics page.
    var metricsCache: MetricsCache

    /// Long messages that wait for their iterations.
    var longTexts = LongTextQueue()
    /// The number of the event whose effects are being executed, for recorders.
    var cause: UInt64 = 0
    /// Events to be handled, each with the session that is charged for its effects; nil: none.
    private var events: [(event: Event, causer: ClientSession?)] = []
    private(set) var isApplying = false
    private var effects: [Effect] = []
    var outgoing: [UInt8] = []
    var lastDrops: [DropReport] = []

    /// Makes a hub without a transport.
    ///
    /// - Parameters:
    ///   - settings: All settings of the hub.
    ///   - clock: The clock of the hub.
    ///   - chance: The source of randomness.
    ///   - recorder: The recorder of engine events; nil: none.
    ///   - keeper: The writer of call detail records; nil: none.
    ///   - services: The external services of the hub.
    ///   - stored: The persistent data of the account store.
    init(
        _ settings: HubSettings,
        clock: HubClock,
        chance: HubChance = HubChance(),
        recorder: EventRecorder? = nil,
        keeper: RecordKeeper? = nil,
        services: HubServices = HubServices(),
        stored: StoredState = StoredState()
    ) {
        self.settings = settings
        self.services = services
        self.clock = clock
        self.recorder = recorder
        self.keeper = keeper
        log = HubLog(settings: settings.log)
        ledger.tellsNews = log.tells(.debug)
        var chance = chance
        let name: Identifier<Hub> = chance.identifier()
        run = name.uuidText
        let configuration = settings.engine(seed: chance.next())
        self.chance = chance
        engine = Engine(configuration)
        recorder?.start(
            RecordingHeader(hubVersion: settings.version, node: settings.node, engine: configuration)
        )
        memory = HubMemory(limits: settings.memory)
        callRates = CallRates(settings)
        traffics = CausedTraffics(CausedTraffic.Limits(settings))
        watch = InvariantWatch(interval: settings.invariantCheckInterval)
        metricsCache = MetricsCache(life: settings.metrics.cacheLife)
        restore(stored)
    }

    // MARK: Events of connections

    /// Sets the transport, which the hub does not keep alive.
    func begin(on ground: some HubGround) {
        self.ground = ground
        routes = RelayControl { [unowned ground] loop, command in ground.tell(loop, command) }
    }

    func opened(_ id: ConnectionID, info: ConnectionInfo) {
        conduct[id] = Conduct(info.address, settings, at: clock.now)
        log(.debug, "connection opened", ["connection": id.description, "address": info.address.text])
    }

    func slowConsumer(_ id: ConnectionID, firstLost: UInt64?) {
        log(.warning, "connection takes nothing", fields(of: id))
        if let session = sessions[id] {
            // Discarded notifications are sent again on a resume; here the number of the first one is the next that the
            // client sees.
            sendUnkept(.closing(.slowConsumer, retryAfterSeconds: nil), to: session, seq: firstLost)
        }
        ground?.close(id, code: 1008, reason: ClosingReason.slowConsumer.rawValue)
    }

    func closed(_ id: ConnectionID, how: ConnectionEnd) {
        if log.tells(.debug) { log(.debug, "connection closed", fields(of: id) + [("how", "\(how)")]) }
        handleLongTexts(of: id)
        conduct[id] = nil
        _ = parking.end(id)
        pending.removeAll(of: id)
        guard let session = sessions[id] else { return }
        sessions.detach(session)
        routes?.detach(session.id)
        if how != .normal {
            counters.losses += 1
            ledger.connectionLost(session.id, at: clock.now)
            noteCause()
            relate(.session(.lost), of: session, causedBy: session)
        }
        apply(how == .normal ? .sessionClosed(session.id) : .sessionLost(session.id), causedBy: session)
    }

    func deadlineReached() {
        noteCause()
        let now = clock.now
        memory.expire(at: now)
        forgetOldRecents(at: now)
        expireSessions(at: now)
        recorder?.recordTime(now, due: engine.nextDeadline)
        let hasTimers = engine.nextDeadline.map { $0 <= now } ?? false
        passTime(to: now)
        if hasTimers { watch.noteEvent(at: now) }
        drainEvents()
    }

    // MARK: Events and effects

    /// Applies an event, and all events that its effects cause, in order.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - causer: The session that is charged for the effects; nil: none, the hub itself is the cause.
    func apply(_ event: Event, causedBy causer: ClientSession?) {
        noteCause()
        events.append((event, causer))
        if !isApplying { drainEvents() }
    }

    /// Applies the event of a request, which stays pending until the engine has answered it.
    ///
    /// - Parameters:
    ///   - event: The event, with the token of the request.
    ///   - context: The request.
    ///   - start: The session that the request opens or resumes; nil: none.
    ///   - causer: The session of the request; nil: the client has not signed in.
    func apply(
        _ event: Event,
        for context: RequestContext,
        start: SessionStart? = nil,
        causedBy causer: ClientSession?
    ) {
        pending.insert(context, start: start)
        apply(event, causedBy: causer)
    }

    private func drainEvents() {
        isApplying = true
        while !events.isEmpty {
            let ((event, causer), now) = (events.removeFirst(), clock.now)
            recorder?.record(event, at: now)
            passTime(to: now)
            engine.handle(event, at: now, into: &effects)
            runEffects(causedBy: causer)
            watch.noteEvent(at: now)
        }
        isApplying = false
        settleRecords()
        checkInvariants()
        stopIfDone()
        arm()
    }

    /// Runs the engine's timers one by one; each is charged to the session that it was set for.
    private func passTime(to now: Instant) {
        while let due = engine.nextDeadline, due <= now {
            let owner = engine.advanceOnce(to: now, into: &effects)
            runEffects(causedBy: owner.flatMap { sessions[$0] })
        }
    }

    /// Stops the hub when the last session is gone, and its calls' figures have arrived or timed out.
    private func stopIfDone() {
        if stopsWhenEmpty, sessions.count == 0, ledger.nextDeadline == nil { ground?.stop() }
    }

    /// Checks the engine's invariants, between two events, when its state is consistent.
    private func checkInvariants() {
        // Asked first: to pass the engine's state on is to keep all of it alive.
        guard watch.isDue(at: clock.now) else { return }
        for violation in watch.look(at: clock.now, engine.violations) {
            log(.error, "a rule of the engine is broken", ["rule": violation])
        }
    }

    private func runEffects(causedBy causer: ClientSession?) {
        // Decided now, since one of the effects may end the session of a guest.
        effects.removeAll { if case .remember(let account, _) = $0 { !keeps(account) } else { false } }
        // Before any client is notified that a call has ended: if the hub is killed in between, Recents has the call.
        for case .remember(let account, let call) in effects {
            services.memory?.keep(call, of: account)
        }
        var causer = causer
        for index in effects.indices {
            // The effects behind the answer to a sign-in are charged to the new session.
            if let session = run(effects[index], causedBy: causer) { causer = session }
        }
        effects.removeAll(keepingCapacity: true)
    }

    /// Executes an effect; returns the session that it opens or resumes.
    private func run(_ effect: Effect, causedBy causer: ClientSession?) -> ClientSession? {
        switch effect {
        case .reply(let token, let reply): return send(reply, to: token)
        case .notify(let session, let notification): tell(session, notification, causedBy: causer)
        case .audioRouteChanged(let session): routes?.setRoute(engine.audioRoute(of: session), of: session)
        case .lookUp(let token, let lookUp): events.append((.lookedUp(token, self.lookUp(lookUp)), causer))
        case .screen(let token, let account, let caller):
            events.append((.screened(token, knowledge(of: caller, by: account)), causer))
        case .wake(let wakeUp): services.push?.wake(wakeUp)
        case .wakeOver(let account, let call, let isMissed):
            services.push?.wakeOver(account, call, isMissed: isMissed)
        case .remember(let account, let call): remember(call, of: account, causedBy: causer)
        case .sessionClosing(let session, let end): tellClosing(session, end, causedBy: causer)
        case .sessionEnded(let session, let end): endSession(session, end, causedBy: causer)
        }
        return nil
    }

    // MARK: Time

    /// Arms one timer for all deadlines of the engine, the account data and the hub.
    func arm() {
        let recents = settings.recentsRetention > .zero ? recentsDue : nil
        let deadlines = [engine.nextDeadline, memory.nextDeadline, ledger.nextDeadline, watch.due, recents, expiryDue]
        ground?.armDeadline(at: deadlines.compactMap(\.self).min())
    }

    // MARK: Other loops

    /// Handles an event of another loop as if it had occurred here; `settle` completes a batch.
    func take(_ report: LoopReport) {
        switch report {
        case .opened(let id, let info): opened(id, info: info)
        case .text(let bytes, let id): bytes.withUnsafeBytes { received(text: $0, from: id) }
        case .slowConsumer(let id, let firstLost): slowConsumer(id, firstLost: firstLost)
        case .closed(let id, let how): closed(id, how: how)
        case .quality(let quality): received(quality)
        case .dropped(let report): notify(report)
        case .httpGet(let request, let ticket):
            if case .now(let response) = httpGet(request, ticket: ticket) {
                ground?.answer(ticket, with: response)
            }
        }
    }

    /// Completes records and stops, if the figures that have arrived were the last ones awaited.
    func settle() {
        settleRecords()
        stopIfDone()
    }
}
