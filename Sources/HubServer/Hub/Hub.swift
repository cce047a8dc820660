import HubEngine
import HubWire

/// The hub behind its connections: decodes, asks the engine, carries out its effects.
///
/// One class on one thread (house rule: no actor, no lock on this path). The one door into the engine is `apply(_:)`; each
/// event's effects are carried out before the next event is taken. Packets go past it, from relay to relay.
final class Hub {
    let settings: HubSettings
    let clock: HubClock
    let log: HubLog
    private let recorder: EventRecorder?
    /// Where records of calls go; nil: nowhere.
    let keeper: RecordKeeper?
    lazy var descriptors = DescriptorCount()
    /// Names this run of the hub: what an earlier one knew is gone.
    let run: String
    /// What it stands on; set before anything is received.
    private(set) weak var ground: (any HubGround)?
    /// Where each session's packets go; set before anything is received.
    private(set) var routes: RelayControl?

    /// Whatever is left to chance.
    var chance: HubChance
    var engine: Engine
    var sessions = SessionTable()
    var directory = AccountDirectory()
    var memory: HubMemory
    var counters = HubCounters()
    /// What becomes the calls' records.
    var ledger = CallLedger()

    var isDraining = false
    /// When the last call ends at the latest.
    var drainEnds = Instant(nanoseconds: 0)
    /// Whoever asked the loop to end when all sessions are gone.
    var stopsWhenEmpty = false

    /// The request being answered: each has its reply before anything else happens.
    var asking: Asking?
    var conduct: [ConnectionID: Conduct] = [:]
    var refusals = RefusalCounters()
    /// Whether the last one who asked was told so.
    var isOverloaded = false
    var callRates: CallRates
    /// The session whose doing the current effects are; nil: the hub's own.
    var causer: ClientSession?
    /// The notifications that each account's requests have caused.
    var traffics: CausedTraffics
    /// Fresh tokens that each account may have verified.
    var refreshes = Hub.refreshBuckets
    /// Sign-ins that are being looked at.
    var parking = Parking()
    var wrongSignIns = WrongSignIns()
    let services: HubServices
    var desk = MemoryDesk()
    /// Of which all was erased while this hub ran, and which have not come again: nothing is remembered of them.
    var erasedAccounts: Set<String> = []
    /// When old calls are forgotten next.
    var recentsDue = Instant(nanoseconds: 0)
    /// When it is looked whose token is over; nil: nobody has one.
    var expiryDue: Instant?
    var watch: InvariantWatch
    /// The page of metrics that was made last.
    var metricsCache: MetricsCache
    /// The number of the event whose effects are carried out, for whoever records.
    var cause: UInt64 = 0
    private var events: [Event] = []
    private(set) var isApplying = false
    private var effects: [Effect] = []
    var outgoing: [UInt8] = []

    /// A hub that stands on nothing yet.
    ///
    /// - Parameters:
    ///   - settings: Everything that can be set.
    ///   - clock: Its time.
    ///   - chance: Its chance.
    ///   - recorder: Gets each event; nil: nobody.
    ///   - keeper: Gets the records of calls; nil: nobody.
    ///   - services: What stands beside it.
    ///   - stored: What its memory's store has.
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

    // MARK: What the connections tell

    /// The hub stands on something from now on; that is not kept alive by it.
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
            // What was thrown away is told again on a resume; here its number is the next one that the client sees.
            sendUnkept(.closing(.slowConsumer, retryAfterSeconds: nil), to: session, seq: firstLost)
        }
        ground?.close(id, code: 1008, reason: ClosingReason.slowConsumer.rawValue)
    }

    func closed(_ id: ConnectionID, how: ConnectionEnd) {
        if log.tells(.debug) { log(.debug, "connection closed", fields(of: id) + [("how", "\(how)")]) }
        conduct[id] = nil
        _ = parking.end(id)
        guard let session = sessions[id] else { return }
        causer = session
        defer { causer = nil }
        sessions.detach(session)
        routes?.detach(session.id)
        if how != .normal {
            counters.losses += 1
            ledger.connectionLost(session.id, at: clock.now)
            noteCause()
            relate(.session(.lost), of: session)
        }
        apply(how == .normal ? .sessionClosed(session.id) : .sessionLost(session.id))
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

    // MARK: The one door

    /// Applies an event, and whatever its effects cause, in order.
    func apply(_ event: Event) {
        noteCause()
        events.append(event)
        if !isApplying { drainEvents() }
    }

    private func drainEvents() {
        isApplying = true
        while !events.isEmpty {
            let (event, now) = (events.removeFirst(), clock.now)
            recorder?.record(event, at: now)
            passTime(to: now)
            engine.handle(event, at: now, into: &effects)
            runEffects()
            watch.noteEvent(at: now)
        }
        isApplying = false
        settleRecords()
        checkInvariants()
        stopIfDone()
        arm()
    }

    /// Runs the engine's timers one by one, each at the expense of the session on whose behalf it was set.
    private func passTime(to now: Instant) {
        let former = causer
        defer { causer = former }
        while let due = engine.nextDeadline, due <= now {
            let owner = engine.advanceOnce(to: now, into: &effects)
            causer = owner.flatMap { sessions[$0] }
            runEffects()
        }
    }

    /// The last session is gone, and its calls' figures have come from whatever loop it was on, or are waited for no more.
    private func stopIfDone() {
        if stopsWhenEmpty, sessions.count == 0, ledger.nextDeadline == nil { ground?.stop() }
    }

    /// Between two events, when nothing is half done.
    private func checkInvariants() {
        // Asked first: to hand the engine's state over is to hold all of it.
        guard watch.isDue(at: clock.now) else { return }
        for violation in watch.look(at: clock.now, engine.violations) {
            log(.error, "a rule of the engine is broken", ["rule": violation])
        }
    }

    private func runEffects() {
        // Now, since by one of the effects he may leave.
        effects.removeAll { if case .remember(let account, _) = $0 { !keeps(account) } else { false } }
        // Before anybody is told that a call is over: a hub that is killed in between has it in Recents all the same.
        for case .remember(let account, let call) in effects {
            services.memory?.keep(call, of: account)
        }
        for index in effects.indices { run(effects[index]) }
        effects.removeAll(keepingCapacity: true)
    }

    private func run(_ effect: Effect) {
        switch effect {
        case .reply(let token, let reply): send(reply, to: token)
        case .notify(let session, let notification): tell(session, notification)
        case .audioRouteChanged(let session): routes?.setRoute(engine.audioRoute(of: session), of: session)
        case .lookUp(let token, let lookUp): events.append(.lookedUp(token, self.lookUp(lookUp)))
        case .screen(let token, let account, let caller):
            events.append(.screened(token, knowledge(of: caller, by: account)))
        case .wake(let wakeUp): services.push?.wake(wakeUp)
        case .wakeOver(let account, let call, let isMissed):
            services.push?.wakeOver(account, call, isMissed: isMissed)
        case .remember(let account, let call): remember(call, of: account)
        case .sessionClosing(let session, let end): tellClosing(session, end)
        case .sessionEnded(let session, let end): endSession(session, end)
        }
    }

    // MARK: Time

    /// One timer for everything that the engine and the memory wait for.
    func arm() {
        let recents = settings.recentsRetention > .zero ? recentsDue : nil
        let deadlines = [engine.nextDeadline, memory.nextDeadline, ledger.nextDeadline, watch.due, recents, expiryDue]
        ground?.armDeadline(at: deadlines.compactMap(\.self).min())
    }

    // MARK: Other loops

    /// Takes what another loop has received, as if it had come here; `settle` ends what came together.
    func take(_ report: LoopReport) {
        switch report {
        case .opened(let id, let info): opened(id, info: info)
        case .text(let bytes, let id): bytes.withUnsafeBytes { received(text: $0, from: id) }
        case .slowConsumer(let id, let firstLost): slowConsumer(id, firstLost: firstLost)
        case .closed(let id, let how): closed(id, how: how)
        case .quality(let quality): received(quality)
        case .httpGet(let request, let ticket):
            if case .now(let response) = httpGet(request, ticket: ticket) {
                ground?.answer(ticket, with: response)
            }
        }
    }

    /// Looks whether figures that have come were the last ones that somebody waited for.
    func settle() {
        settleRecords()
        stopIfDone()
    }
}

/// A request that is being answered.
struct Asking {
    let connection: ConnectionID
    /// Nil: the client wants no answer.
    let id: RequestID?
    /// What `session.open` asked for, while it is answered.
    var opening: Opening?
    /// What `session.open` wants to take up, and the last notification that the client has.
    var resumption: (session: ClientSession, after: UInt64)?

    /// A session that begins.
    struct Opening {
        let session: SessionOpening
        let request: SessionOpen
        let admission: Admission
    }
}
