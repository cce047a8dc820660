import HubEngine
import Testing

/// A driver with one account for each generic handle, and without sockets.
struct Driver {
    private(set) var engine = Engine(EngineConfiguration(seed: 1))
    private(set) var replies: [RequestToken: Reply] = [:]
    private(set) var notifications: [SessionID: [HubEngine.Notification]] = [:]
    private(set) var routes: [SessionID: AudioRoute] = [:]
    private var waitingEvents: [Event] = []

    /// Applies an event, and the events that its effects cause.
    mutating func handle(_ event: Event, at now: Instant) {
        waitingEvents.append(event)
        while !waitingEvents.isEmpty {
            var effects: [Effect] = []
            engine.handle(waitingEvents.removeFirst(), at: now, into: &effects)
            for effect in effects { carryOut(effect) }
        }
    }

    /// Applies all timers that are due until `now`.
    mutating func advance(to now: Instant) {
        var effects: [Effect] = []
        engine.advance(to: now, into: &effects)
        for effect in effects { carryOut(effect) }
    }

    private mutating func carryOut(_ effect: Effect) {
        switch effect {
        case .reply(let token, let reply): replies[token] = reply
        case .notify(let session, let notification): notifications[session, default: []].append(notification)
        case .audioRouteChanged(let session): routes[session] = engine.audioRoute(of: session)
        case .lookUp(let token, let lookUp):
            let owner = LookUpResult.Target.account(lookUp.handle.value, CallerScreeningData())
            waitingEvents.append(.lookedUp(token, LookUpResult(owner)))
        case .screen(let token, _, _): waitingEvents.append(.screened(token, CallerScreeningData()))
        case .sessionEnded(let session, _): routes[session] = nil
        case .sessionClosing, .addRecent, .sendPush, .cancelPush: break
        }
    }
}

/// The code of the article "Events and effects".
struct EventsAndEffectsTests {
    private let start = Instant(nanoseconds: 0)

    /// Signs a device in, and returns its session.
    private func signIn(_ account: String, to driver: inout Driver) throws -> SessionID {
        let token = RequestToken(rawValue: UInt64(driver.replies.count))
        let opening = SessionOpening(account: account, handles: [.generic(account)], deviceID: "phone")
        driver.handle(.sessionOpened(opening, token: token), at: start)
        guard case .opened(let session, _, _)? = driver.replies[token] else { throw NoReply() }
        return session
    }

    private struct NoReply: Error {}

    @Test func `one event causes effects in order`() {
        var engine = Engine(EngineConfiguration(seed: 1))
        var effects: [Effect] = []
        let opening = SessionOpening(account: "alice", handles: [.generic("alice")], deviceID: "phone")
        let token = RequestToken(rawValue: 1)
        engine.handle(.sessionOpened(opening, token: token), at: Instant(nanoseconds: 0), into: &effects)
        guard case .reply(token, .opened)? = effects.first else {
            Issue.record("\(effects)")
            return
        }
    }

    @Test func `a call rings until its timeout`() throws {
        var driver = Driver()
        let alice = try signIn("alice", to: &driver)
        let bob = try signIn("bob", to: &driver)
        let call = CallUUID(high: 0, low: 1)
        let action = ActionRequest(
            callUUID: call,
            kind: .start(handle: .generic("bob"), isVideo: false, contactIdentifier: nil)
        )
        let token = RequestToken(rawValue: 2)
        driver.handle(.request(alice, .transaction([action]), token: token), at: start)
        #expect(driver.notifications[bob]?.contains { $0.state == .ringing } == true)

        let deadline = try #require(driver.engine.nextDeadline)
        #expect(deadline == start + .seconds(60))
        driver.advance(to: deadline)
        #expect(driver.notifications[alice]?.last { $0.state == .ended } != nil)
        guard case .accepted? = driver.replies[token] else {
            Issue.record("\(driver.replies)")
            return
        }
    }

    @Test func `audio flows while the call is connected and not held`() throws {
        var driver = Driver()
        let alice = try signIn("alice", to: &driver)
        let bob = try signIn("bob", to: &driver)
        let call = CallUUID(high: 0, low: 1)
        func request(_ session: SessionID, _ call: CallUUID, _ kind: ActionKind) {
            let token = RequestToken(rawValue: UInt64(driver.replies.count))
            let action = ActionRequest(callUUID: call, kind: kind)
            driver.handle(.request(session, .transaction([action]), token: token), at: start)
        }
        request(alice, call, .start(handle: .generic("bob"), isVideo: false, contactIdentifier: nil))
        let incoming = try #require(driver.notifications[bob]?.compactMap(\.call).last)
        request(bob, incoming.uuid, .answer)
        #expect(driver.routes[alice]?.sinks == [bob])
        request(alice, call, .setHeld(true))
        #expect(driver.routes[alice]?.gateReason == .noSession)
        #expect(driver.routes[bob]?.gateReason == .held)
        #expect(driver.routes[bob]?.sinks == [])
    }
}

extension HubEngine.Notification {
    /// The call of `callChanged`.
    fileprivate var call: CallSnapshot? {
        if case .callChanged(let call) = self { call } else { nil }
    }

    /// The state of the call of `callChanged`.
    fileprivate var state: CallSnapshot.State? { call?.state }
}
