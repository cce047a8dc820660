import HubEngine
import HubSimulation
import Testing

/// Thousands of random events against the engine: no rule is broken after any of them, and nothing is left at the end.
struct RandomWalkTests {
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `no schedule breaks a rule or leaves anything behind`(seed: UInt64) throws {
        var walk = Walk(seed: seed)
        try walk.run(steps: 1500)
        #expect(walk.hub.violations.prefix(3) == [], "seed \(seed)")
        walk.leave()
        #expect(walk.hub.engine.census.isEmpty, "seed \(seed): \(walk.hub.engine.census)")
    }

    @Test func `the same seed and events give the same effects`() throws {
        func effects() throws -> [String] {
            var walk = Walk(seed: 99)
            try walk.run(steps: 300)
            return walk.log
        }
        let one = try effects()
        let two = try effects()
        #expect(one == two)
    }

    @Test func `what a client was told is what the engine knows`() throws {
        var walk = Walk(seed: 7)
        walk.hub.keepsInboxes = true
        try walk.run(steps: 600)
        for session in walk.sessions {
            for call in walk.hub.calls(session) {
                #expect(walk.hub.last(call.uuid, on: session) == call)
            }
            #expect(walk.hub.audio(session)?.ssrc == walk.hub.engine.audioRoute(of: session).ssrc)
            #expect(walk.hub.routes[session] ?? .closed == walk.hub.engine.audioRoute(of: session))
        }
    }
}

/// A random user of a simulated hub: mostly sensible, sometimes not.
private struct Walk {
    var hub = SimulatedHub()
    var sessions: [SessionID] = []
    var log: [String] = []
    private var random: SeededRandom
    private var lost: Set<SessionID> = []
    private var perform: [(SessionID, Action)] = []
    private var offers: [(SessionID, TransactionUUID)] = []

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        hub.keepsInboxes = false
    }

    mutating func run(steps: Int) throws {
        for _ in 0..<steps {
            try step()
            note()
        }
    }

    /// Everybody goes, and every timer runs out.
    mutating func leave() {
        for session in sessions { hub.handle(.sessionClosed(session)) }
        hub.wait(.seconds(1000))
    }

    private mutating func step() throws {
        if sessions.count < 3 || (sessions.count < 8 && chance(20)) { return try open() }
        guard let session = sessions.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<20:
            _ = hub.start(session, to: ["a", "b", "c", "d", "echo", "tone", "x"].randomElement(using: &random) ?? "a")
        case 20..<35: choose(session)
        case 35..<65: act(session)
        case 65..<85: answerPerform()
        case 85..<90: hub.wait(.milliseconds(Int.random(in: 1...20_000, using: &random)))
        case 90..<92: lose(session)
        case 92..<94: comeBack()
        case 94..<95: close(session)
        case 95..<96: hub.ask(session, chance(2) ? .invalidate : .configure(ProviderConfiguration()))
        case 96..<98: merge(session)
        case 98: pull(session)
        default: swapCalls(session)
        }
    }

    private mutating func open() throws {
        let account = ["a", "b", "c", "d"].randomElement(using: &random) ?? "a"
        let device = ["1", "2", "3"].randomElement(using: &random) ?? "1"
        let isManual = chance(2)
        let session = try hub.open(
            account,
            device: device,
            fulfillment: isManual ? .manual : .automatic,
            executesTransactions: chance(5)
        ) {
            $0.maximumCallGroups = [1, 2, 3].randomElement(using: &random) ?? 2
            $0.maximumCallsPerCallGroup = [1, 2, 3, 5].randomElement(using: &random) ?? 2
        }
        sessions.append(session)
    }

    private mutating func choose(_ session: SessionID) {
        guard let ringing = hub.ringing(session), let choice = ringing.choices.randomElement(using: &random) else {
            return
        }
        hub.request(session, choice.actions.map { ($0.callUUID, $0.kind) })
    }

    private mutating func act(_ session: SessionID) {
        guard let call = hub.calls(session).randomElement(using: &random)?.uuid else { return }
        let kinds: [ActionKind] = [
            .answer, .end, .setHeld(true), .setHeld(false), .setMuted(chance(2)),
            .playDTMF(digits: "12", type: .singleTone), .playDTMF(digits: "1", type: .softPause), .setGroup(with: nil),
            .playDTMF(digits: "1", type: .hardPause), .setTranslating(true, localLanguage: nil, remoteLanguage: nil),
        ]
        let count = chance(4) ? 2 : 1
        hub.request(session, (0..<count).map { _ in (call, kinds.randomElement(using: &random) ?? .end) })
    }

    private mutating func swapCalls(_ session: SessionID) {
        let calls = hub.calls(session)
        guard let active = calls.first(where: { $0.state == .connected }),
            let held = calls.first(where: { $0.state == .held })
        else { return }
        hub.request(session, [(active.uuid, .setHeld(true)), (held.uuid, .setHeld(false))])
    }

    private mutating func merge(_ session: SessionID) {
        let calls = hub.calls(session).shuffled(using: &random)
        guard calls.count > 1 else { return report(session) }
        let target = chance(4) ? nil : calls[1].uuid
        var actions = [(calls[0].uuid, ActionKind.setGroup(with: target))]
        if chance(3) { actions.insert((calls[0].uuid, .setHeld(false)), at: 0) }
        hub.request(session, actions)
    }

    private mutating func pull(_ session: SessionID) {
        guard case .calls(_, let elsewhere) = hub.ask(session, .calls),
            let call = elsewhere.randomElement(using: &random)
        else { return }
        hub.request(session, call.uuid, .pull)
    }

    private mutating func report(_ session: SessionID) {
        var update = CallUpdate()
        update.remoteHandle = .generic("outside")
        let uuid = hub.makeUUID()
        if chance(2) {
            hub.ask(session, .reportNewIncomingCall(uuid, update))
        } else {
            hub.request(
                session,
                uuid,
                .start(handle: .generic("out"), isVideo: false, contactIdentifier: nil, isExternal: true)
            )
            hub.ask(session, .reportOutgoingCall(uuid, .connected, date: nil))
        }
    }

    private mutating func answerPerform() {
        if let (session, transaction) = offers.popLast() {
            hub.ask(session, .executed(transaction, handled: chance(2)))
            return
        }
        guard !perform.isEmpty else { return }
        let (session, action) = perform.remove(at: Int.random(in: 0..<perform.count, using: &random))
        hub.ask(session, chance(5) ? .fail(action.uuid) : .fulfill(action.uuid, date: nil))
    }

    private mutating func lose(_ session: SessionID) {
        lost.insert(session)
        hub.handle(.sessionLost(session))
    }

    private mutating func comeBack() {
        guard let session = sessions.first(where: lost.contains) else { return }
        lost.remove(session)
        hub.handle(.sessionResumed(session, token: RequestToken(rawValue: 0)))
    }

    private mutating func close(_ session: SessionID) {
        hub.handle(.sessionClosed(session))
    }

    /// Takes down what was told, and who is gone.
    private mutating func note() {
        for effect in hub.lastEffects {
            log.append("\(effect)")
            switch effect {
            case .notify(let session, .perform(_, let action, _, _, fulfilled: false)):
                perform.append((session, action))
            case .notify(let session, .execute(let transaction, let actions)):
                offers.append((session, transaction))
                perform += actions.map { (session, $0) }
            case .sessionEnded(let session, _): sessions.removeAll { $0 == session }
            default: continue
            }
        }
    }

    private mutating func chance(_ oneIn: Int) -> Bool {
        Int.random(in: 0..<oneIn, using: &random) == 0
    }
}
