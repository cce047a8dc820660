import HubAccountData
import HubEngine
import HubWire

/// The hub behind its connections: decodes messages, runs the engine, and executes its effects.
///
/// One class on one thread (house rule: no actor, no lock on this path). All events enter the engine by
/// `apply(_:causedBy:)`; the effects of an event are executed before the next event is handled. Packets bypass the hub,
/// from relay to relay.
///
/// The hub owns the engine, the sessions and the requests that await an answer. Everything else has an owner of its
/// own, a value that decides and keeps its state to itself: it answers no client and calls nothing of the hub's.
package final class Hub {
    let settings: HubSettings
    let clock: HubClock
    let log: HubLog
    let services: HubServices
    /// The source of randomness.
    var random: RandomSource
    /// The transport; set before anything is received.
    private(set) weak var transport: (any HubTransport)?
    /// The control of the packet routes; set before anything is received.
    private(set) var routes: RelayControl?

    // MARK: Engine, sessions, requests

    var engine: Engine
    var events = EventQueue()
    private var effects: [Effect] = []
    var sessions = SessionTable()
    package var pending = PendingRequests()
    /// The bytes of the last message to a client; kept, so that its memory is reused.
    var outgoing: [UInt8] = []

    // MARK: Owners

    var signIn: SignInService
    var accountData: AccountDataService
    var admissionControl: AdmissionControl
    var records: CallDetailRecords
    var metrics: HubMetrics
    var monitor: EngineMonitor
    var longTexts = LongTextQueue()
    var drainState = DrainState()
    var information: InformationPages
    /// Values of the last hour, for administrators.
    var history: HourlyHistory
    /// The date of the hub's start.
    let startedAt: Instant
    var people = PeopleService()
    /// The music in memory for parties on hold.
    var holdMusic = HoldMusicCache()
    var appearances = ProviderAppearances()
    /// The subscriptions to presence; apart from `people`, which is read while they are updated.
    var presence = PresenceSubscriptions()

    /// Makes a hub without a transport.
    ///
    /// - Parameters:
    ///   - settings: All settings of the hub.
    ///   - clock: The clock of the hub.
    ///   - random: The source of randomness.
    ///   - eventLogWriter: The writer of the event log; nil: none.
    ///   - cdrWriter: The writer of call detail records; nil: none.
    ///   - services: The external services of the hub.
    ///   - stored: The persistent data of the account store.
    package init(
        _ settings: HubSettings,
        clock: HubClock,
        random: RandomSource = RandomSource(),
        eventLogWriter: EventLogWriter? = nil,
        cdrWriter: CDRWriter? = nil,
        services: HubServices = HubServices(),
        stored: StoredState = StoredState()
    ) {
        self.settings = settings
        self.services = services
        self.clock = clock
        log = HubLog(settings: settings.log)
        records = CallDetailRecords(cdrWriter, log: log)
        metrics = HubMetrics(settings.metrics)
        history = HourlyHistory(every: settings.metrics.historyInterval)
        startedAt = clock.date
        information = InformationPages(
            of: SessionOpenResult.Hub(version: settings.version, node: settings.node),
            settings.transport,
            authMode: services.authMode,
            allowsSelfRegistration: services.allowsSelfRegistration,
            openIDLabel: services.openID?.label,
            hasPasskeys: services.credentials != nil,
            brand: services.brand,
            needsSetup: services.needsSetup
        )
        var random = random
        let run: Identifier<Hub> = random.identifier()
        signIn = SignInService(services.authenticator, run: run.uuidText)
        let configuration = settings.engine(seed: random.next())
        self.random = random
        engine = Engine(configuration)
        let header = EventLogHeader(hubVersion: settings.version, node: settings.node, engine: configuration)
        monitor = EngineMonitor(eventLogWriter, header, settings, log: log)
        accountData = AccountDataService(settings, services, clock: clock, stored: stored)
        admissionControl = AdmissionControl(settings, log: log)
        updatePeople()
    }

    // MARK: Events of connections

    /// Sets the transport, which the hub does not keep alive.
    package func begin(on transport: some HubTransport) {
        self.transport = transport
        let awaitsMusic = accountData.hasHoldMusic
        routes = RelayControl(awaitsMusic: awaitsMusic, mixing: transport.mixing) { [unowned transport] loop, command in
            transport.notify(loop, command)
        }
        history.begin(at: clock.now)
        if history.nextDeadline != nil { arm() }
    }

    package func opened(_ id: ConnectionID, info: ConnectionInfo) {
        admissionControl.open(id, from: info.address, at: clock.now)
        signIn.noteOpened(id, origin: info.origin)
        log(.debug, "connection opened", ["connection": id.description, "address": info.address.text])
    }

    package func slowConsumer(_ id: ConnectionID, firstLost: UInt64?) {
        log(.warning, "send queue full; the client does not read", fields(of: id))
        if let session = sessions[id] {
            // Discarded notifications are sent again on a resume; here the number of the first one is the next that the
            // client sees.
            sendUnlogged(.closing(.slowConsumer, retryAfterSeconds: nil), to: session, seq: firstLost)
        }
        transport?.close(id, code: 1008, reason: ClosingReason.slowConsumer.rawValue)
    }

    package func closed(_ id: ConnectionID, reason: ConnectionEnd) {
        if log.isEnabled(.debug) { log(.debug, "connection closed", fields(of: id) + [("how", "\(reason)")]) }
        handleLongTexts(of: id)
        admissionControl.close(id)
        signIn.noteClosed(id)
        _ = signIn.endVerification(on: id)
        pending.removeAll(of: id)
        guard let session = sessions[id] else { return }
        sessions.detach(session)
        presence.pause(session.id)
        routes?.detach(session.id)
        if reason != .normal {
            metrics.counters.losses += 1
            records.connectionLost(session.id, at: clock.now)
            events.noteCause()
            forwardToRecorders(.session(.lost), of: session, causedBy: session)
        }
        apply(reason == .normal ? .sessionClosed(session.id) : .sessionLost(session.id), causedBy: session)
    }

    package func deadlineReached() {
        events.noteCause()
        let now = clock.now
        accountData.expireLoads(at: now)
        removeOldRecents(at: now)
        expireSessions(at: now)
        sampleHistory(at: now)
        monitor.recordTime(now, due: engine.nextDeadline)
        let hasTimers = engine.nextDeadline.map { $0 <= now } ?? false
        advanceClock(to: now)
        if hasTimers { monitor.noteEvent(at: now) }
        handleEvents()
    }

    // MARK: Events and effects

    /// Applies an event, and all events that its effects cause, in order.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - chargedSession: The session that is charged for the effects; nil: none, the hub itself is the cause.
    func apply(_ event: Event, causedBy chargedSession: ClientSession?) {
        events.noteCause()
        events.append(event, causedBy: chargedSession)
        if !events.isRunning { handleEvents() }
    }

    /// Applies the event of a request, which stays pending until the engine has answered it.
    ///
    /// - Parameters:
    ///   - event: The event, with the token of the request.
    ///   - context: The request.
    ///   - start: The session that the request opens or resumes; nil: none.
    ///   - chargedSession: The session of the request; nil: the client has not signed in.
    func apply(
        _ event: Event,
        for context: RequestContext,
        start: SessionStart? = nil,
        causedBy chargedSession: ClientSession?
    ) {
        pending.insert(context, start: start)
        apply(event, causedBy: chargedSession)
    }

    private func handleEvents() {
        while let (event, chargedSession) = events.next() {
            let now = clock.now
            monitor.record(event, at: now)
            advanceClock(to: now)
            engine.handle(event, at: now, into: &effects)
            if let session = event.presenceSession { markPresence(of: session, causedBy: chargedSession) }
            runEffects(causedBy: chargedSession)
            monitor.noteEvent(at: now)
        }
        flushRecords()
        checkInvariants()
        sendPresence()
        stopIfDone()
        arm()
    }

    /// Runs the engine's timers one by one; each is charged to the session that it was set for.
    private func advanceClock(to now: Instant) {
        while let due = engine.nextDeadline, due <= now {
            let owner = engine.advanceOnce(to: now, into: &effects)
            runEffects(causedBy: owner.flatMap { sessions[$0] })
        }
    }

    /// Stops the hub when the last session is gone, and its calls' statistics have arrived or timed out.
    func stopIfDone() {
        if drainState.isDraining, sessions.count == 0, records.nextDeadline == nil { transport?.stopAfterClosing() }
    }

    /// Checks the engine's invariants, between two events, when its state is consistent.
    private func checkInvariants() {
        // Checked first: the closure below retains all of the engine's state.
        guard monitor.isCheckDue(at: clock.now) else { return }
        monitor.check(at: clock.now, engine.violations)
    }

    /// A sentence for each invariant of the engine that is violated, for simulations; between two events.
    package var violations: [String] { engine.violations() }

    private func runEffects(causedBy chargedSession: ClientSession?) {
        // Filtered before any effect is executed, as one of them may end the session of a guest.
        effects.removeAll { if case .addRecent(let account, _) = $0 { !keeps(account) } else { false } }
        // Before any client is notified that a call has ended: if the hub is killed in between, Recents has the call.
        for case .addRecent(let account, let call) in effects {
            accountData.storeRecent(call, of: account)
        }
        var chargedSession = chargedSession
        for index in effects.indices {
            // The effects behind the answer to a sign-in are charged to the new session.
            if let session = run(effects[index], causedBy: chargedSession) { chargedSession = session }
        }
        routes?.updateMixes()
        effects.removeAll(keepingCapacity: true)
    }

    /// Executes an effect; returns the session that it opens or resumes.
    private func run(_ effect: Effect, causedBy chargedSession: ClientSession?) -> ClientSession? {
        if let session = effect.presenceSession { markPresence(of: session, causedBy: chargedSession) }
        switch effect {
        case .reply(let token, let reply): return send(reply, to: token)
        case .notify(let session, let notification):
            if case .audioSources(let sources) = notification {
                routes?.setSourceCount(sources.count { !$0.isHoldAudio }, of: session)
            }
            notify(session, notification, causedBy: chargedSession)
        case .audioRouteChanged(let session): applyRoute(of: session)
        case .lookUp(let token, let lookUp):
            let result = accountData.lookUp(lookUp, for: sessions.of(lookUp.caller))
            events.append(.lookedUp(token, result), causedBy: chargedSession)
        case .screen(let token, let account, let caller):
            events.append(
                .screened(token, accountData.screeningData(of: caller, by: account)),
                causedBy: chargedSession
            )
        case .sendPush(let pushRequest): services.push?.sendPush(pushRequest)
        case .cancelPush(let account, let call, let isMissed):
            services.push?.cancelPush(account, call, isMissed: isMissed)
        case .addRecent(let account, let call): addRecent(call, of: account, causedBy: chargedSession)
        case .sessionClosing(let session, let end): notifyClosing(session, end, causedBy: chargedSession)
        case .sessionEnded(let session, let end): endSession(session, end, causedBy: chargedSession)
        }
        return nil
    }

    // MARK: Time

    /// Arms one timer for all deadlines.
    func arm() {
        let deadlines = [
            engine.nextDeadline, accountData.nextDeadline, records.nextDeadline, monitor.nextDeadline,
            signIn.nextDeadline, history.nextDeadline, presence.nextDeadline { clock.instant(ofDate: $0) },
        ]
        transport?.armDeadline(at: deadlines.compactMap(\.self).min())
    }
}
