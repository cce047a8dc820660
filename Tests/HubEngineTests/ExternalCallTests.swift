import HubAccountData
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

    @Test mutating func `a report of the progress of a hub call is refused`() throws {
        let inside = hub.start(alice, to: "bob")
        #expect(code(hub.ask(alice, .reportOutgoingCall(inside, .connected, date: nil))) == .notAllowed)
        #expect(code(hub.ask(alice, .reportOutgoingCall(hub.makeUUID(), .connected, date: nil))) == .notFound)
    }

    /// The reports of an outgoing call before the fulfilment of its start, at these seconds after it was requested, and
    /// the states and seconds of the dates in the notifications after the fulfilment at second 5.
    @Test(arguments: [
        EarlyReports("startedConnecting", [(.startedConnecting, 1)], ["connecting -", "connecting 5"]),
        EarlyReports("connected", [(.connected, 1)], ["connecting -", "connected 5 5"]),
        EarlyReports(
            "both",
            [(.startedConnecting, 1), (.connected, 2)],
            ["connecting -", "connecting 5", "connected 5 5"]
        ),
        EarlyReports(
            "both, in the wrong order and with later dates",
            [(.connected, 9), (.startedConnecting, 7)],
            ["connecting -", "connecting 7", "connected 7 9"]
        ),
        EarlyReports(
            "connected twice: the earliest date counts",
            [(.connected, 9), (.connected, 6), (.connected, 8)],
            ["connecting -", "connected 6 6"]
        ),
    ])
    mutating func `progress that is reported before the start is fulfilled takes effect with it (CK-27)`(
        reports: EarlyReports
    ) throws {
        let manual = try hub.open("carol", fulfillment: .manual)
        let outside = hub.makeUUID()
        let requestedAt = hub.now
        hub.request(manual, outside, Self.outsideStart)
        let start = try #require(hub.actionToPerform(manual))
        // The hub takes no date of the future, so that all reports are made after the latest date.
        hub.wait(.seconds(10))
        _ = hub.read(manual)
        for (event, second) in reports.reports {
            #expect(hub.ask(manual, .reportOutgoingCall(outside, event, date: requestedAt + .seconds(second))) == .done)
        }
        #expect(hub.read(manual).isEmpty, "nothing is notified before the start is fulfilled")
        #expect(hub.calls(manual).map(\.state) == [.starting])
        #expect(hub.ask(manual, .fulfill(start.uuid, date: requestedAt + .seconds(5))) == .done)
        let notified = hub.read(manual).compactMap { notification -> String? in
            guard case .callChanged(let call) = notification else { return nil }
            let dates = [call.startedConnectingAt, call.connectedAt].compactMap { $0 }.map { date in
                "\((date.nanoseconds - requestedAt.nanoseconds) / 1_000_000_000)"
            }
            return "\(call.state) \(dates.isEmpty ? "-" : dates.joined(separator: " "))"
        }
        #expect(notified == reports.notified)
    }

    private static let outsideStart = ActionKind.start(
        handle: .generic("x"),
        isVideo: false,
        contactIdentifier: nil,
        isExternal: true
    )

    struct EarlyReports: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let reports: [(OutgoingCallEvent, second: Int)]
        let notified: [String]

        init(_ name: String, _ reports: [(OutgoingCallEvent, Int)], _ notified: [String]) {
            testDescription = name
            self.reports = reports.map { ($0.0, second: $0.1) }
            self.notified = notified
        }
    }

    @Test mutating func `a start that fails discards the progress that was reported before (CK-28)`() throws {
        let manual = try hub.open("carol", fulfillment: .manual)
        let outside = hub.makeUUID()
        hub.request(manual, outside, Self.outsideStart)
        hub.ask(manual, .reportOutgoingCall(outside, .connected, date: nil))
        hub.ask(manual, .fail(try #require(hub.actionToPerform(manual)).uuid))
        let last = try #require(hub.last(outside, on: manual))
        #expect(last.cause == .actionFailed)
        #expect(!last.hasConnected && last.connectedAt == nil && last.startedConnectingAt == nil)
        #expect(hub.engine.objectCounts.calls == 0)
    }

    @Test mutating func `a report without a handle rings as an unknown caller, until a report names one`() throws {
        let outside = hub.makeUUID()
        #expect(hub.ask(bob, .reportNewIncomingCall(outside, CallUpdate())) == .done)
        let ringing = try #require(hub.ringing(bob))
        #expect(ringing.remoteHandle == .generic("anonymous"))
        #expect(ringing.nameSource == .hidden)
        var update = CallUpdate()
        update.remoteHandle = .generic("anonymous")
        hub.ask(bob, .reportCall(outside, update))
        #expect(hub.ringing(bob)?.nameSource == .handle, "an account may have the name of the placeholder")
        update.remoteHandle = .generic("")
        let refusal = hub.ask(bob, .reportNewIncomingCall(hub.makeUUID(), update))
        #expect(code(refusal) == .general(.invalidArgument), "an empty handle is a mistake (P17)")
    }

    @Test mutating func `an unknown caller has the name that the report gives, and can be blocked (CK-11)`() throws {
        var update = CallUpdate()
        update.localizedCallerName = "Front door"
        #expect(hub.ask(bob, .reportNewIncomingCall(hub.makeUUID(), update)) == .done)
        #expect(hub.ringing(bob)?.localizedCallerName == "Front door")
        #expect(hub.ringing(bob)?.nameSource == .caller)
        try hub.changeAccountData("bob", .block(.handle(.generic("anonymous"))))
        let refusal = hub.ask(bob, .reportNewIncomingCall(hub.makeUUID(), update))
        #expect(code(refusal) == .incomingCall(.filteredByBlockList))
    }

    @Test(arguments: [(true, true), (false, false)])
    mutating func `an incoming call has video if the provider has (CK-81)`(provider: Bool, call: Bool) throws {
        let device = try hub.open("carol") { $0.supportsVideo = provider }
        var update = CallUpdate()
        update.remoteHandle = .generic("x")
        update.hasVideo = true
        #expect(hub.ask(device, .reportNewIncomingCall(hub.makeUUID(), update)) == .done)
        #expect(hub.ringing(device)?.hasVideo == call)
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
