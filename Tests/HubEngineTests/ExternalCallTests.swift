import HubEngine
import HubSimulation
import Testing

/// External calls: a call of another network on Bob's telephone.
struct ExternalCallTests {
    var hub: SimulatedHub
    let alice: SessionID
    let bob: SessionID

    init() throws {
        var hub = SimulatedHub()
        alice = try hub.open("alice")
        bob = try hub.open("bob")
        self.hub = hub
    }

    private mutating func report(_ uuid: CallUUID, from handle: String = "+49301234567") -> Reply? {
        var update = CallUpdate()
        update.remoteHandle = Handle(type: .phoneNumber, value: handle)
        update.localizedCallerName = "Grandmother"
        return hub.ask(bob, .reportNewIncomingCall(uuid, update))
    }

    private func code(_ reply: Reply?) -> Refusal.Code? {
        if case .refused(let refusal) = reply { refusal.code } else { nil }
    }

    @Test
    mutating func `a reported call rings, can be answered and holds the hub's call like any other (CK-08, CK-68)`()
        throws
    {
        let inside = try hub.connect(alice, to: "bob", on: bob)
        let outside = hub.makeUUID()
        #expect(report(outside) == .done)
        let ringing = try #require(hub.ringing(bob))
        #expect(ringing.uuid == outside)
        #expect(ringing.isExternal)
        #expect(ringing.localizedCallerName == "Grandmother")
        #expect(ringing.choices.map(\.name) == [.holdAndAccept, .endAndAccept, .decline])
        _ = hub.read(bob)
        hub.request(bob, outside, .answer)
        #expect(hub.performed(bob).map(\.0) == [.setHeld(true), .answer])
        #expect(hub.performed(bob).map(\.1) == [.system, .user])
        #expect(hub.last(inside.outgoing, on: alice)?.remoteIsOnHold == true)
        #expect(hub.engine.audioRoute(of: bob).sinks.isEmpty)
        #expect(hub.engine.audioRoute(of: bob).gateReason == .notConnected, "its sound is not the hub's")
        hub.ask(bob, .reportCallEnded(outside, .remoteEnded, date: nil))
        #expect(hub.calls(bob).map(\.state) == [.held], "no resume after a remote end (CK-44)")
    }

    @Test mutating func `an empty name in a report counts as absent`() throws {
        var update = CallUpdate()
        update.remoteHandle = Handle(type: .phoneNumber, value: "+49301234567")
        update.localizedCallerName = ""
        #expect(hub.ask(bob, .reportNewIncomingCall(hub.makeUUID(), update)) == .done)
        let ringing = try #require(hub.ringing(bob))
        #expect(ringing.localizedCallerName == "+49301234567")
        #expect(ringing.nameSource == .handle)
    }

    @Test mutating func `a reported call rings only on the reporting device`() throws {
        let tablet = try hub.open("bob", device: "tablet")
        _ = report(hub.makeUUID())
        #expect(hub.calls(tablet) == [])
        #expect(hub.calls(bob).map(\.state) == [.ringing])
    }

    @Test mutating func `a second report of an existing UUID is refused, and the call is unchanged (CK-09, P34)`() {
        let outside = hub.makeUUID()
        _ = report(outside)
        _ = hub.read(bob)
        #expect(code(report(outside, from: "other")) == .incomingCall(.callUUIDAlreadyExists))
        #expect(hub.read(bob) == [])
    }

    @Test mutating func `a report after its call's end does not ring (CK-25, P32)`() {
        let outside = hub.makeUUID()
        _ = report(outside)
        hub.ask(bob, .reportCallEnded(outside, .remoteEnded, date: nil))
        #expect(code(report(outside)) == .incomingCall(.callUUIDAlreadyExists))
        #expect(hub.calls(bob) == [])
        hub.wait(.seconds(61))
        #expect(report(outside) == .done, "a minute later the late report is a new call")
    }

    @Test mutating func `an unanswered external call is ended by the system (CK-22)`() {
        let outside = hub.makeUUID()
        _ = report(outside)
        hub.wait(.seconds(60))
        #expect(hub.last(outside, on: bob)?.endedReason == .unanswered)
        #expect(hub.engine.objectCounts.deadlines == 0)
    }

    @Test mutating func `an outgoing external call is started, connecting and connected as reported (CK-27)`()
        throws
    {
        let outside = hub.makeUUID()
        let start = ActionKind.start(
            handle: Handle(type: .phoneNumber, value: "110"),
            isVideo: false,
            contactIdentifier: nil,
            isExternal: true
        )
        #expect(hub.request(bob, outside, start) == nil)
        let started = try #require(hub.calls(bob).first)
        #expect(started.state == .connecting)
        #expect(started.startedAt != nil && started.startedConnectingAt == nil)
        hub.wait(.seconds(1))
        #expect(hub.ask(bob, .reportOutgoingCall(outside, .startedConnecting, date: nil)) == .done)
        #expect(hub.calls(bob).first?.startedConnectingAt == hub.now)
        hub.wait(.seconds(1))
        #expect(hub.ask(bob, .reportOutgoingCall(outside, .connected, date: nil)) == .done)
        #expect(hub.calls(bob).first?.connectedAt == hub.now)
        #expect(hub.calls(bob).first?.state == .connected)
    }

    @Test
    mutating func `an external call not reported as connected stays connecting, in Recents cancelled (CK-29, P26)`() {
        let outside = hub.makeUUID()
        let start = ActionKind.start(
            handle: .generic("far"),
            isVideo: false,
            contactIdentifier: nil,
            isExternal: true
        )
        hub.request(bob, outside, start)
        hub.wait(.seconds(600))
        #expect(hub.calls(bob).map(\.state) == [.connecting])
        hub.request(bob, outside, .end)
        let outcomes = hub.lastEffects.compactMap { effect -> RecentCall.Outcome? in
            if case .addRecent("bob", let entry) = effect { entry.outcome } else { nil }
        }
        #expect(outcomes == [.cancelled])
    }

    @Test mutating func `a report on a hub call, or before its start is fulfilled, is refused`() throws {
        let inside = hub.start(alice, to: "bob")
        #expect(code(hub.ask(alice, .reportOutgoingCall(inside, .connected, date: nil))) == .notAllowed)
        #expect(code(hub.ask(alice, .reportOutgoingCall(hub.makeUUID(), .connected, date: nil))) == .notFound)
        let manual = try hub.open("carol", fulfillment: .manual)
        let outside = hub.makeUUID()
        let start = ActionKind.start(handle: .generic("x"), isVideo: false, contactIdentifier: nil, isExternal: true)
        hub.request(manual, outside, start)
        #expect(code(hub.ask(manual, .reportOutgoingCall(outside, .connected, date: nil))) == .notAllowed)
    }

    @Test mutating func `a report without a caller, or with unsupported video, is refused (602)`() {
        #expect(code(hub.ask(bob, .reportNewIncomingCall(hub.makeUUID(), CallUpdate()))) == .general(.invalidArgument))
        var update = CallUpdate()
        update.remoteHandle = .generic("x")
        update.hasVideo = true
        #expect(code(hub.ask(bob, .reportNewIncomingCall(hub.makeUUID(), update))) == .general(.invalidArgument))
    }

    @Test mutating func `a session without the call permission cannot report calls and does not ring (CK-61)`() throws {
        let opening = SessionOpening(account: "carol", handles: [.generic("carol")], deviceID: "1", mayCall: false)
        hub.handle(.sessionOpened(opening, token: RequestToken(rawValue: 77)))
        guard case .reply(_, .opened(let carol, _, _)) = hub.lastEffects.first else {
            Issue.record("not let in")
            return
        }
        #expect(hub.request(carol, hub.makeUUID(), .end) == .requestTransaction(.unentitled))
        #expect(hub.request(carol, []) == .requestTransaction(.unentitled), "before anything else (D1)")
        var update = CallUpdate()
        update.remoteHandle = .generic("x")
        #expect(code(hub.ask(carol, .reportNewIncomingCall(hub.makeUUID(), update))) == .incomingCall(.unentitled))
        hub.knownAccounts.insert("carol")
        let call = hub.start(alice, to: "carol")
        #expect(hub.last(call, on: alice)?.cause == .offline)
    }

    @Test mutating func `with one waiting call the device is busy (D2)`() {
        for _ in 0..<3 { _ = report(hub.makeUUID()) }
        #expect(hub.calls(bob).count == 3)
        #expect(code(report(hub.makeUUID())) == .incomingCall(.unknown))
        #expect(hub.calls(bob).count == 3)
    }
}
