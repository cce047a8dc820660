public import HubAccountData
public import HubEngine

/// An engine with everything around it simulated: a virtual clock, a directory of handles, and every client's inbox.
///
/// Nothing here sleeps: `wait(_:)` advances the clock and fires the timers that are due.
public struct SimulatedHub {
    /// The engine under test.
    public private(set) var engine: Engine
    /// The virtual time.
    public private(set) var now = Instant(nanoseconds: 1_000_000_000)
    /// The notifications that each client was sent, in order.
    public private(set) var inbox: [SessionID: [Notification]] = [:]
    /// The sessions that the engine has ended, and the reasons.
    public private(set) var ended: [SessionID: SessionEnd?] = [:]
    /// Every rule that was broken after any event, with the number of that event.
    public private(set) var violations: [String] = []
    /// Every effect of the last event, in order.
    public private(set) var lastEffects: [Effect] = []
    /// Each session's audio route as of the last effect about it, which is all that a relay has.
    public private(set) var routes: [SessionID: AudioRoute] = [:]
    /// Accounts that exist, signed in or not.
    public var knownAccounts: Set<String> = []
    /// The stored data of the accounts.
    public var accountData = AccountDataTable()
    /// The local times by time zone; "" is the hub's own.
    public var localTimes = ["": LocalTime(.wednesday, minute: 720)]
    /// Indicates that inboxes are kept; long random runs do without.
    public var keepsInboxes = true

    /// The error of a test whose precondition did not hold.
    public struct Unexpected: Error, CustomStringConvertible {
        /// A sentence that says what happened instead.
        public let description: String

        /// Creates an error from its sentence.
        public init(description: String) { self.description = description }
    }

    private var events = 0
    private var lastToken: UInt64 = 0
    private var lastUUID: UInt64 = 0

    /// A hub without clients.
    public init(_ configuration: EngineConfiguration = EngineConfiguration(seed: 1)) {
        engine = Engine(configuration)
    }

    /// Signs a device in; its account exists from now on.
    public mutating func open(
        _ account: String,
        device: String = "phone",
        fulfillment: Fulfillment = .automatic,
        executesTransactions: Bool = false,
        observes: Bool = false,
        machine: String? = nil,
        operates: String? = nil,
        isGuest: Bool = false,
        configure: (inout ProviderConfiguration) -> Void = { _ in }
    ) throws -> SessionID {
        var provider = ProviderConfiguration()
        configure(&provider)
        knownAccounts.insert(account)
        let opening = SessionOpening(
            account: account,
            handles: [.generic(account)],
            deviceID: device,
            provider: provider,
            fulfillment: fulfillment,
            executesTransactions: executesTransactions,
            mayCall: operates == nil,
            observes: observes,
            machine: machine,
            operatedDevice: operates,
            isGuest: isGuest
        )
        guard case .opened(let session, _, _) = send({ .sessionOpened(opening, token: $0) }) else {
            throw Unexpected(description: "sign-in refused: \(lastEffects)")
        }
        return session
    }

    /// Applies an event that needs no reply.
    public mutating func handle(_ event: Event) {
        lastEffects = []
        var effects: [Effect] = []
        engine.handle(event, at: now, into: &effects)
        run(effects)
    }

    /// Sends a request, and returns the reply.
    @discardableResult
    public mutating func ask(_ session: SessionID, _ request: Request) -> Reply? {
        send { .request(session, request, token: $0) }
    }

    /// Changes the stored data of an account, as a client of it would.
    @discardableResult
    public mutating func changeAccountData(
        _ account: String,
        _ request: AccountDataRequest,
        from device: String = "phone"
    ) throws -> AccountDataReply {
        let requester = AccountDataRequester(
            account: account,
            device: device,
            session: SessionID(index: 0, generation: 0)
        )
        let localTimes = localTimes
        return try accountData.handle(request, from: requester, at: now) { localTimes[$0] }.reply
    }

    /// Requests a transaction; returns the refusal's code, or nil if it was accepted.
    @discardableResult
    public mutating func request(_ session: SessionID, _ actions: [(CallUUID, ActionKind)]) -> Refusal.Code? {
        let requests = actions.map { ActionRequest(callUUID: $0.0, kind: $0.1) }
        guard case .refused(let refusal) = ask(session, .transaction(requests)) else { return nil }
        return refusal.code
    }

    /// Requests one action; returns the refusal's code, or nil if it was accepted.
    @discardableResult
    public mutating func request(_ session: SessionID, _ call: CallUUID, _ kind: ActionKind) -> Refusal.Code? {
        request(session, [(call, kind)])
    }

    /// Starts a call to a generic handle, and returns its UUID.
    public mutating func start(_ session: SessionID, to name: String) -> CallUUID {
        let uuid = makeUUID()
        request(session, uuid, .start(handle: .generic(name), isVideo: false, contactIdentifier: nil))
        return uuid
    }

    /// Connects two devices, and returns the UUIDs of both ends.
    public mutating func connect(
        _ caller: SessionID,
        to name: String,
        on callee: SessionID
    ) throws -> (outgoing: CallUUID, incoming: CallUUID) {
        let outgoing = start(caller, to: name)
        guard let incoming = ringing(callee)?.uuid, request(callee, incoming, .answer) == nil else {
            throw Unexpected(description: "no call came to be: \(lastEffects)")
        }
        return (outgoing, incoming)
    }

    /// Returns a UUID that is not in use yet.
    public mutating func makeUUID() -> CallUUID {
        lastUUID += 1
        return CallUUID(high: 0xC0FFEE, low: lastUUID)
    }

    /// Advances the clock, and fires the timers that are due.
    public mutating func wait(_ duration: Duration) {
        now = now + duration
        lastEffects = []
        var effects: [Effect] = []
        engine.advance(to: now, into: &effects)
        run(effects)
    }

    /// Returns a device's live calls.
    public func calls(_ session: SessionID) -> [CallSnapshot] {
        var copy = self
        guard case .calls(let calls, _) = copy.ask(session, .calls) else { return [] }
        return calls
    }

    /// Returns the last snapshot that a device was sent of a call, live or ended.
    public func last(_ call: CallUUID, on session: SessionID) -> CallSnapshot? {
        (inbox[session] ?? []).compactMap { notification in
            if case .callChanged(let snapshot) = notification, snapshot.uuid == call { snapshot } else { nil }
        }.last
    }

    /// Returns the call that rings on a device, the latest if there are several.
    public func ringing(_ session: SessionID) -> CallSnapshot? {
        calls(session).last { $0.state == .ringing }
    }

    /// Returns the active audio session that a device was notified of last; nil: none is active.
    public func audio(_ session: SessionID) -> AudioSession? {
        var active: AudioSession?
        for notification in inbox[session] ?? [] {
            switch notification {
            case .didActivateAudioSession(let audio): active = audio
            case .didDeactivateAudioSession(let audio) where audio.id == active?.id: active = nil
            default: continue
            }
        }
        return active
    }

    /// Empties a device's inbox and returns its notifications.
    public mutating func read(_ session: SessionID) -> [Notification] {
        inbox.removeValue(forKey: session) ?? []
    }

    /// Returns the action that a device was last sent to perform and has to fulfil itself.
    public func actionToPerform(_ session: SessionID) -> Action? {
        (inbox[session] ?? []).compactMap { notification in
            if case .perform(_, let action, _, _, fulfilled: false) = notification { action } else { nil }
        }.last
    }

    /// Returns the kinds and origins of all actions that a device was sent to perform.
    public func performed(_ session: SessionID) -> [(ActionKind, ActionOrigin)] {
        (inbox[session] ?? []).compactMap { notification in
            if case .perform(_, let action, _, let origin, _) = notification { (action.kind, origin) } else { nil }
        }
    }

    private mutating func send(_ event: (RequestToken) -> Event) -> Reply? {
        lastToken += 1
        let token = RequestToken(rawValue: lastToken)
        handle(event(token))
        for case .reply(token, let reply) in lastEffects { return reply }
        return nil
    }

    private mutating func run(_ effects: [Effect]) {
        events += 1
        lastEffects += effects
        violations += engine.violations().map { "after event \(events): \($0)" }
        for effect in effects {
            switch effect {
            case .reply, .sessionClosing, .sendPush, .cancelPush: continue
            case .notify(let session, let notification):
                if keepsInboxes { inbox[session, default: []].append(notification) }
            case .audioRouteChanged(let session): routes[session] = engine.audioRoute(of: session)
            case .sessionEnded(let session, let end):
                ended[session] = end
                routes[session] = nil
            case .addRecent(let account, let call): accountData.addRecent(call, of: account)
            case .screen(let token, let account, let caller):
                var caused: [Effect] = []
                let screeningData = accountData.screeningData(of: caller, by: account) { localTimes[$0] }
                engine.handle(.screened(token, screeningData), at: now, into: &caused)
                run(caused)
            case .lookUp(let token, let lookUp):
                var caused: [Effect] = []
                let result = accountData.answer(lookUp, target: target(of: lookUp.handle)) { localTimes[$0] }
                engine.handle(.lookedUp(token, result), at: now, into: &caused)
                run(caused)
            }
        }
    }

    private func target(of handle: Handle) -> LookUpResult.Target {
        guard handle.type == .generic else { return .unknown }
        if let party = BuiltInParty(handle) { return .builtIn(party) }
        let name = FoldedName(handle.value)
        guard let account = knownAccounts.sorted().first(where: { FoldedName($0) == name }) else { return .unknown }
        return .account(account, CallerScreeningData())
    }
}
