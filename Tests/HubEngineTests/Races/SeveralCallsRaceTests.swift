import HubEngine
import HubSimulation
import Testing

/// Races on a device with two calls: Bob fulfils manually and is connected with Alice; Carol is held or rings.
struct SeveralCallsRaceTests {
    var hub: SimulatedHub
    let alice: SessionID
    let bob: SessionID
    let carol: SessionID
    let active: CallUUID

    init() throws {
        var hub = SimulatedHub()
        alice = try hub.open("alice")
        bob = try hub.open("bob", fulfillment: .manual)
        carol = try hub.open("carol")
        active = hub.start(bob, to: "alice")
        try hub.fulfillLast(bob)
        hub.request(alice, try #require(hub.ringing(alice)).uuid, .answer)
        self.hub = hub
    }

    /// Carol calls: her end of the call, and Bob's.
    private mutating func callWaiting() throws -> (far: CallUUID, own: CallUUID) {
        let far = hub.start(carol, to: "bob")
        let ringing = hub.ringing(bob)
        return (far, try #require(ringing).uuid)
    }

    /// Carol's call is taken and held, Alice's is the active one.
    private mutating func callHeld() throws -> (far: CallUUID, own: CallUUID) {
        let call = try callWaiting()
        hub.request(bob, call.own, .answer)
        try hub.fulfillLast(bob)
        try hub.fulfillLast(bob)
        hub.request(bob, [(call.own, .setHeld(true)), (active, .setHeld(false))])
        try hub.fulfillLast(bob)
        try hub.fulfillLast(bob)
        #expect(Set(hub.states(bob)) == [.connected, .held])
        return call
    }

    /// Bob is connected with Alice as before, Carol's call has ended, and no action is pending.
    private func expectAliceAlone(_ hub: SimulatedHub) {
        #expect(hub.calls(bob).map(\.uuid) == [active])
        #expect(hub.states(bob) == [.connected])
        #expect(hub.calls(bob).map(\.group) == [nil])
        #expect(hub.engine.audioRoute(of: bob).sinks == [alice])
        #expect(hub.engine.audioRoute(of: alice).sinks == [bob])
        #expect(hub.states(carol) == [])
        #expect(hub.isSettled(bob))
    }

    /// Fulfils all pending actions of Bob's device.
    private func settled(_ hub: SimulatedHub) throws -> SimulatedHub {
        var hub = hub
        while try hub.actionToPerform(bob) != nil && hub.fulfillLast(bob) {}
        return hub
    }

    @Test(arguments: [Race.swapAgainstEnd])
    mutating func `a swap while the held call ends: the active call is active, as if no swap was requested`(
        race: Race
    ) throws {
        let held = try callHeld()
        let swap = [(active, ActionKind.setHeld(true)), (held.own, .setHeld(false))]
        var early = hub
        early.request(carol, held.far, .end)
        #expect(early.request(bob, swap) == .requestTransaction(.unknownCallUUID))
        expectAliceAlone(early)
        hub.request(bob, swap)
        let outcomes = try hub.afterEveryOrder(
            of: { [bob] in try $0.fulfillLast(bob) },
            and: { [carol] in $0.request(carol, held.far, .end) }
        )
        for hub in outcomes { expectAliceAlone(try settled(hub)) }
    }

    @Test(arguments: [Race.acceptAgainstCancel])
    mutating func `hold and accept while the waiting call is cancelled: the active call is active again`(
        race: Race
    ) throws {
        let waiting = try callWaiting()
        let accept = [(active, ActionKind.setHeld(true)), (waiting.own, .answer)]
        var early = hub
        early.request(carol, waiting.far, .end)
        #expect(early.request(bob, accept) == .requestTransaction(.unknownCallUUID))
        expectAliceAlone(early)
        hub.request(bob, accept)
        let outcomes = try hub.afterEveryOrder(
            of: { [bob] in try $0.fulfillLast(bob) },
            and: { [carol] in $0.request(carol, waiting.far, .end) }
        )
        for hub in outcomes { expectAliceAlone(try settled(hub)) }
    }

    @Test(arguments: [Race.mergeAgainstEnd])
    mutating func `a merge while a member leaves: there is no group, and the remaining call is active`(race: Race)
        throws
    {
        let held = try callHeld()
        var early = hub
        early.request(carol, held.far, .end)
        #expect(early.request(bob, active, .setGroup(with: held.own)) == .requestTransaction(.unknownCallUUID))
        expectAliceAlone(early)
        hub.request(bob, active, .setGroup(with: held.own))
        let outcomes = try hub.afterEveryOrder(
            of: { [bob] in try $0.fulfillLast(bob) },
            and: { [carol] in $0.request(carol, held.far, .end) }
        )
        for hub in outcomes { expectAliceAlone(try settled(hub)) }
        var merged = try settled(hub)
        #expect(Set(merged.calls(bob).map(\.group)).count == 1)
        merged.request(carol, held.far, .end)
        expectAliceAlone(merged)
    }
}
