import HubEngine
import HubSimulation
import HubWire

/// A random walk of an engine's users, driven and recorded as the hub does it.
///
/// Each effect's consequences are events again, late timers included.
struct RecordedWalk {
    let header: EventLogHeader
    private(set) var recording: [UInt8] = []
    private(set) var effects: [Effect] = []
    private(set) var engine: Engine
    private(set) var eventCount = 0
    private var random: SeededRandom
    private var now = Instant(nanoseconds: 1_795_246_921_123_456_789)
    private var sessions: [SessionID] = []
    private var calls: [(SessionID, CallUUID)] = []
    private var actions: [(SessionID, ActionUUID)] = []
    private var offers: [(SessionID, TransactionUUID)] = []

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        var configuration = EngineConfiguration(seed: random.next())
        configuration.resumeGrace = .nanoseconds(2_500_000_001)
        configuration.pushWait = seed.isMultiple(of: 2) ? .seconds(3) : .zero
        header = EventLogHeader(hubVersion: "0", node: "test", engine: configuration)
        engine = Engine(configuration)
        header.encode(into: &recording)
    }

    mutating func run(steps: Int) {
        for _ in 0..<steps { step() }
    }

    // MARK: As the hub does it

    private mutating func handle(_ event: Event) {
        var events = [event]
        while !events.isEmpty {
            let next = events.removeFirst()
            now = now + .nanoseconds(number(0...900_000))
            EventLogEntry(time: now, .event(next)).encode(into: &recording)
            eventCount += 1
            var caused: [Effect] = []
            engine.handle(next, at: now, into: &caused)
            events += note(caused)
        }
    }

    private mutating func wait(_ duration: Duration) {
        now = now + duration
        // A late timer: at the next event something is already due.
        guard number(0...3) > 0 else { return }
        if let due = engine.nextDeadline, due <= now {
            EventLogEntry(time: now, .timePassed).encode(into: &recording)
            eventCount += 1
        }
        var caused: [Effect] = []
        engine.advance(to: now, into: &caused)
        for event in note(caused) { handle(event) }
    }

    private mutating func note(_ caused: [Effect]) -> [Event] {
        effects += caused
        var answers: [Event] = []
        for effect in caused {
            switch effect {
            case .lookUp(let token, let lookUp): answers.append(.lookedUp(token, lookedUp(lookUp.handle)))
            case .screen(let token, _, _): answers.append(.screened(token, screeningData()))
            case .reply(_, .opened(let session, _, _)): if !sessions.contains(session) { sessions.append(session) }
            case .notify(let session, .callChanged(let call)): calls.append((session, call.uuid))
            case .notify(let session, .perform(_, let action, _, _, fulfilled: false)):
                actions.append((session, action.uuid))
            case .notify(let session, .execute(let transaction, _)): offers.append((session, transaction))
            case .sessionEnded(let session, _): sessions.removeAll { $0 == session }
            case .notify, .reply, .audioRouteChanged, .sendPush, .cancelPush, .addRecent, .sessionClosing: continue
            }
        }
        calls = calls.suffix(40)
        return answers
    }

    private mutating func lookedUp(_ handle: Handle) -> LookUpResult {
        if let party = BuiltInParty(rawValue: handle.value) { return LookUpResult(.builtIn(party)) }
        var result = LookUpResult(handle.value == "x" ? .unknown : .account(handle.value, screeningData()))
        result.callerDisplayName = chance(4) ? "A \"name\"\nof two lines" : nil
        result.calleeNames.contact = chance(4) ? "Bobby" : nil
        return result
    }

    private mutating func screeningData() -> CallerScreeningData {
        var screeningData = CallerScreeningData()
        screeningData.isBlocked = chance(10)
        screeningData.doNotDisturb = chance(10)
        screeningData.quietDevices = chance(4) ? ["1"] : []
        screeningData.names.directory = chance(4) ? "Directory" : nil
        return screeningData
    }

    // MARK: What happens

    private mutating func step() {
        if sessions.count < 3 || chance(15) { return open() }
        guard let session = sessions.randomElement(using: &random) else { return }
        switch number(0...99) {
        case 0..<22: start(session)
        case 22..<60: act()
        case 60..<75: answerPerform()
        case 75..<85: wait(.nanoseconds(number(1...9_000_000_000)))
        case 85..<88: handle(.sessionLost(session))
        case 88..<91: handle(.sessionResumed(session, token: token()))
        case 91..<93: handle(.sessionClosed(session))
        case 93..<95: report(session)
        case 95: ask(session, .calls)
        case 96: administrate()
        default: ask(session, chance(5) ? .invalidate : .configure(ProviderConfiguration()))
        }
    }

    private mutating func open() {
        let name = ["a", "b", "c"].randomElement(using: &random) ?? "a"
        let opening = SessionOpening(
            account: name,
            handles: [.generic(name)],
            deviceID: ["1", "2"].randomElement(using: &random) ?? "1",
            fulfillment: chance(2) ? .manual : .automatic,
            executesTransactions: chance(5),
            observes: chance(3)
        )
        handle(.sessionOpened(opening, token: token()))
    }

    private mutating func start(_ session: SessionID) {
        let name = ["a", "b", "c", "echo", "x"].randomElement(using: &random) ?? "a"
        let kind = ActionKind.start(
            handle: .generic(name),
            isVideo: false,
            contactIdentifier: nil,
            isExternal: chance(8)
        )
        ask(session, .transaction([ActionRequest(callUUID: uuid(), kind: kind)]))
    }

    private mutating func act() {
        guard let (session, call) = calls.randomElement(using: &random) else { return }
        let other = calls.randomElement(using: &random)?.1
        let kinds: [ActionKind] = [
            .answer, .answer, .end, .setHeld(true), .setHeld(false), .setMuted(chance(2)), .pull,
            .setGroup(with: other), .setGroup(with: nil), .playDTMF(digits: "12", type: .singleTone),
            .playDTMF(digits: "3", type: .softPause), .unknown(type: "dance"),
        ]
        ask(session, .transaction([ActionRequest(callUUID: call, kind: kinds.randomElement(using: &random) ?? .end)]))
    }

    private mutating func answerPerform() {
        if let (session, transaction) = offers.popLast() {
            return ask(session, .executed(transaction, handled: chance(2)))
        }
        guard let (session, action) = actions.popLast() else { return }
        let date = chance(2) ? now + .nanoseconds(-number(0...5_000_000)) : nil
        ask(session, chance(6) ? .fail(action) : .fulfill(action, date: date))
    }

    private mutating func report(_ session: SessionID) {
        var update = CallUpdate()
        update.remoteHandle = Handle(type: .phoneNumber, value: "+49 30 12345")
        ask(session, .reportNewIncomingCall(uuid(), update))
    }

    private mutating func administrate() {
        guard let call = engine.conversationSummaries.randomElement(using: &random) else { return }
        handle(.endConversation(call.id, token: token()))
    }

    private mutating func ask(_ session: SessionID, _ request: Request) {
        handle(.request(session, request, token: token()))
    }

    private mutating func uuid() -> CallUUID { CallUUID(high: random.next(), low: random.next()) }

    private mutating func token() -> RequestToken { RequestToken(rawValue: chance(2) ? 0 : random.next()) }

    private mutating func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &random) }

    private mutating func chance(_ oneIn: Int64) -> Bool { number(1...oneIn) == 1 }
}
