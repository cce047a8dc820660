import HubEngine
import HubSimulation
import Testing

/// A page that operates Bob's headless door station (rule CH-04).
struct OperatorTests {
    var hub = SimulatedHub()
    let alice: SessionID
    let door: SessionID
    let page: SessionID

    init() throws {
        alice = try hub.open("alice")
        door = try hub.open("bob", device: "door")
        page = try hub.open("bob", device: "page", operates: "door")
    }

    private func operated(_ session: SessionID) -> [CallSnapshot] {
        (hub.inbox[session] ?? []).compactMap { if case .operated(let call) = $0 { call } else { nil } }
    }

    @Test mutating func `an operator is shown the device's calls and choices, and does not ring itself (CH-04)`() throws
    {
        let call = hub.start(alice, to: "bob")
        let shown = try #require(operated(page).last)
        #expect(shown == hub.ringing(door))
        #expect(shown.choices.map(\.name) == [.accept, .decline])
        #expect(hub.calls(page) == hub.calls(door))
        #expect(hub.request(page, shown.choices[0].actions.map { ($0.callUUID, $0.kind) }) == nil)
        #expect(hub.last(call, on: alice)?.state == .connected)
        #expect(hub.performed(door).map(\.0) == [.answer])
        #expect(hub.performed(door).map(\.1) == [.user])
        #expect(hub.performed(page).isEmpty && hub.audio(page) == nil && hub.audio(door) != nil)
        hub.request(page, shown.uuid, .setMuted(true))
        #expect(hub.calls(door).map(\.isMuted) == [true])
        #expect(operated(page).last?.isMuted == true)
        hub.request(page, shown.uuid, .end)
        #expect(operated(page).last?.hasEnded == true)
        #expect(hub.calls(page).isEmpty)
        #expect(hub.violations == [])
    }

    @Test mutating func `an operator starts calls on the device`() throws {
        let call = hub.makeUUID()
        let start = ActionKind.start(handle: .generic("echo"), isVideo: false, contactIdentifier: nil)
        #expect(hub.request(page, call, start) == nil)
        #expect(hub.calls(door).map(\.uuid) == [call])
        #expect(hub.calls(door).map(\.state) == [.connected])
    }

    @Test mutating func `an operator of an absent device is refused, and operates it when it signs in (CH-04)`() throws
    {
        let late = try hub.open("bob", device: "late page", operates: "gate")
        let start = ActionKind.start(handle: .generic("echo"), isVideo: false, contactIdentifier: nil)
        #expect(hub.request(late, hub.makeUUID(), start) == .notFound)
        #expect(hub.calls(late) == [])
        let gate = try hub.open("bob", device: "gate")
        #expect(hub.request(late, hub.makeUUID(), start) == nil)
        #expect(hub.calls(gate).count == 1 && hub.calls(late).count == 1)
        hub.handle(.sessionClosed(gate))
        #expect(operated(late).last?.hasEnded == true)
        #expect(hub.request(late, hub.makeUUID(), start) == .notFound)
    }

    @Test mutating func `an operator has nothing of other devices, nor of other accounts with such a device`() throws {
        let other = try hub.open("bob", device: "tablet")
        let stranger = try hub.open("carol", device: "door")
        for session in [other, stranger] { _ = hub.start(session, to: "echo") }
        #expect(operated(page).isEmpty && hub.calls(page).isEmpty)
        let call = try #require(hub.calls(other).first).uuid
        #expect(hub.request(page, call, .end) == .requestTransaction(.unknownCallUUID))
        let second = try hub.open("bob", device: "second page", operates: "page")
        #expect(hub.request(second, hub.makeUUID(), .end) == .notFound, "an operator cannot be operated")
    }

    @Test mutating func `a resumed operator has the device's calls`() throws {
        _ = hub.start(alice, to: "bob")
        hub.handle(.sessionLost(page))
        hub.handle(.sessionResumed(page, token: RequestToken(rawValue: 99)))
        guard case .reply(_, .opened(_, _, let calls))? = hub.lastEffects.first else {
            Issue.record("not resumed")
            return
        }
        #expect(calls == hub.calls(door) && calls.count == 1)
    }

    @Test mutating func `reports and fulfilments of an operator are its own, so that they concern no call`() throws {
        _ = hub.start(alice, to: "bob")
        let call = try #require(hub.ringing(door)).uuid
        guard case .refused(let refusal)? = hub.ask(page, .reportCallEnded(call, .failed, date: nil)) else {
            Issue.record("accepted")
            return
        }
        #expect(refusal.code == .notFound)
    }

    @Test mutating func `an operator that is reset is notified of the device's calls again (CH-04)`() throws {
        let start = ActionKind.start(handle: .generic("echo"), isVideo: false, contactIdentifier: nil)
        hub.request(door, hub.makeUUID(), start)
        let opening = SessionOpening(
            account: "bob",
            handles: [.generic("bob")],
            deviceID: "tablet",
            mayCall: false,
            isAfterReset: true,
            operatedDevice: "door"
        )
        hub.handle(.sessionOpened(opening, token: RequestToken(rawValue: 900)))
        let notifications = hub.lastEffects.compactMap { effect -> Notification? in
            if case .notify(_, let notification) = effect { notification } else { nil }
        }
        #expect(notifications.first == .didReset)
        #expect(notifications.dropFirst().first == hub.calls(door).first.map { .operated($0) })
    }
}
