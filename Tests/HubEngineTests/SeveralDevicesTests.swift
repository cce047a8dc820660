import HubEngine
import HubSimulation
import Testing

/// Bob is signed in on two devices.
struct SeveralDevicesTests {
    var hub: SimulatedHub
    let alice: SessionID
    let desk: SessionID
    let mobile: SessionID

    init() throws {
        var hub = SimulatedHub()
        alice = try hub.open("alice")
        desk = try hub.open("bob", device: "desk")
        mobile = try hub.open("bob", device: "mobile")
        self.hub = hub
    }

    @Test mutating func `all devices ring, with one UUID (CK-08)`() throws {
        _ = hub.start(alice, to: "bob")
        let uuid = hub.ringing(desk)?.uuid
        #expect(uuid != nil)
        #expect(hub.ringing(mobile)?.uuid == uuid)
    }

    @Test mutating func `the first answer wins, the other devices receive answeredElsewhere (CK-23, P31)`() throws {
        _ = hub.start(alice, to: "bob")
        let call = try #require(hub.ringing(desk)).uuid
        hub.request(mobile, call, .answer)
        #expect(hub.last(call, on: desk)?.endedReason == .answeredElsewhere)
        #expect(hub.request(desk, call, .answer) == .requestTransaction(.unknownCallUUID))
        #expect(hub.engine.audioRoute(of: alice).sinks == [mobile])
        #expect(hub.engine.audioRoute(of: desk) == .closed)
    }

    @Test mutating func `declining on one device declines on all (CK-24, P31)`() throws {
        let outgoing = hub.start(alice, to: "bob")
        let call = try #require(hub.ringing(desk)).uuid
        hub.request(desk, call, .end)
        #expect(hub.last(call, on: mobile)?.endedReason == .declinedElsewhere)
        #expect(hub.last(outgoing, on: alice)?.cause == .declined)
    }

    @Test
    mutating func `a decline on this device only lets the others ring, and the last one declines the call (CK-24)`()
        throws
    {
        let outgoing = hub.start(alice, to: "bob")
        let call = try #require(hub.ringing(desk)).uuid
        hub.request(desk, call, .endHere)
        #expect(hub.calls(desk) == [])
        #expect(hub.last(call, on: desk)?.endedReason == nil)
        #expect(hub.ringing(mobile)?.uuid == call)
        #expect(hub.last(outgoing, on: alice)?.remoteIsRinging == true)
        hub.request(mobile, call, .endHere)
        #expect(hub.last(outgoing, on: alice)?.cause == .declined)
        #expect(hub.violations == [])
    }

    @Test mutating func `a decline on this device only can leave a missed call for the others (CK-71)`()
        throws
    {
        _ = hub.start(alice, to: "bob")
        hub.request(desk, try #require(hub.ringing(desk)).uuid, .endHere)
        hub.wait(.seconds(60))
        let outcomes = hub.lastEffects.compactMap { effect -> RecentCall.Outcome? in
            if case .addRecent("bob", let entry) = effect { entry.outcome } else { nil }
        }
        #expect(outcomes == [.missed])
    }

    @Test mutating func `a device that signs in while a call rings rings too`() throws {
        _ = hub.start(alice, to: "bob")
        let tablet = try hub.open("bob", device: "tablet")
        #expect(hub.ringing(tablet)?.uuid == hub.ringing(desk)?.uuid)
    }

    @Test mutating func `a ringing device that signs out has no effect on the caller unless it is the last one`() throws
    {
        let outgoing = hub.start(alice, to: "bob")
        hub.handle(.sessionClosed(desk))
        #expect(hub.last(outgoing, on: alice)?.state == .connecting)
        hub.handle(.sessionClosed(mobile))
        #expect(hub.last(outgoing, on: alice)?.cause == .offline)
    }

    @Test mutating func `a device may call another device of its own account`() throws {
        _ = hub.start(desk, to: "bob")
        #expect(hub.ringing(mobile) != nil)
        #expect(hub.ringing(desk) == nil)
        #expect(hub.calls(desk).count == 1)
    }

    @Test mutating func `a busy device does not ring, a free one does (D2)`() throws {
        for name in ["echo", "music"] { _ = hub.start(desk, to: name) }
        let carol = try hub.open("carol")
        _ = hub.start(carol, to: "bob")
        #expect(hub.ringing(desk) != nil, "one may wait beyond the limit")
        _ = hub.start(alice, to: "bob")
        #expect(hub.calls(desk).count == 3)
        #expect(hub.calls(mobile).count == 2)
    }

    @Test mutating func `a call on one device is unknown to the account's other devices (CK-10, CK-60)`() throws {
        let call = hub.start(desk, to: "echo")
        #expect(hub.request(mobile, call, .end) == .requestTransaction(.unknownCallUUID))
        let twice = ActionKind.start(handle: .generic("echo"), isVideo: false, contactIdentifier: nil)
        #expect(hub.request(mobile, call, twice) == .requestTransaction(.callUUIDAlreadyExists))
    }
}
