import HubAccountData
import HubEngine
import HubSimulation
import Testing

/// Races of an attended transfer: Bob's device fulfils by hand, and has been asked to perform the transfer of Alice,
/// whom it holds, to Carol.
struct AttendedTransferRaceTests {
    private var hub = SimulatedHub()
    private let alice: SessionID
    private let bob: SessionID
    private let carol: SessionID
    private let first: (bob: CallUUID, other: CallUUID)
    private let second: (bob: CallUUID, other: CallUUID)
    private let transfer: Action

    init() throws {
        alice = try hub.open("alice")
        bob = try hub.open("bob", fulfillment: .manual) { $0.maximumCallGroups = 4 }
        carol = try hub.open("carol")
        let outgoing = hub.start(alice, to: "bob")
        let incoming = try #require(hub.ringing(bob)?.uuid)
        hub.request(bob, incoming, .answer)
        try hub.fulfillLast(bob)
        let consult = hub.makeUUID()
        let start = ActionKind.start(handle: .generic("carol"), isVideo: false, contactIdentifier: nil)
        hub.request(bob, [(incoming, .setHeld(true)), (consult, start)])
        try hub.fulfillLast(bob)
        try hub.fulfillLast(bob)
        let ringing = try #require(hub.ringing(carol)?.uuid)
        hub.request(carol, ringing, .answer)
        (first, second) = ((incoming, outgoing), (consult, ringing))
        hub.request(bob, incoming, .transfer(to: .call(consult)))
        transfer = try #require(hub.actionToPerform(bob))
    }

    /// The fulfilment of the transfer.
    private var fulfillment: Step {
        { [bob, uuid = transfer.uuid] in $0.ask(bob, .fulfill(uuid, date: nil)) }
    }

    private func sinks(_ session: SessionID, _ hub: SimulatedHub) -> [SessionID] {
        hub.engine.audioRoute(of: session).sinks
    }

    private func expectJoined(_ hub: SimulatedHub) {
        #expect(hub.calls(bob) == [] && sinks(bob, hub) == [])
        #expect(hub.calls(alice).map(\.remoteHandle) == [.generic("carol")])
        #expect(hub.calls(carol).map(\.remoteHandle) == [.generic("alice")])
    }

    private func expectUnchanged(_ hub: SimulatedHub) {
        #expect(hub.states(bob) == [.held, .connected])
        #expect(hub.calls(alice).map(\.remoteHandle) == [.generic("bob")])
        #expect(sinks(bob, hub) == [carol] && sinks(carol, hub) == [bob] && sinks(alice, hub) == [])
    }

    @Test(arguments: [Race.transferAgainstTimeOut])
    mutating func `nothing changes before the fulfilment, by a failure, or by one that is too late (CH-05, CK-64)`(
        race: Race
    ) throws {
        expectUnchanged(hub)
        var failed = hub
        failed.ask(bob, .fail(transfer.uuid))
        #expect(failed.ask(bob, .fulfill(transfer.uuid, date: nil)) == .ignored)
        expectUnchanged(failed)
        hub.wait(.seconds(5))
        #expect(hub.ask(bob, .fulfill(transfer.uuid, date: nil)) == .ignored)
        expectUnchanged(hub)
        #expect(hub.violations == [] && hub.isSettled(bob))
    }

    @Test(arguments: [Race.transferAgainstEnd])
    mutating func `one of the two hangs up (CH-05)`(race: Race) throws {
        for (leaving, call, left) in [(alice, first.other, second.bob), (carol, second.other, first.bob)] {
            let outcomes = try hub.afterEveryOrder(of: fulfillment, and: { $0.request(leaving, call, .end) })
            #expect(outcomes[0].calls(alice) == [] && outcomes[0].calls(carol) == [] && outcomes[0].calls(bob) == [])
            #expect(outcomes[1].calls(bob).map(\.uuid) == [left])
            #expect(outcomes[1].calls(leaving == alice ? carol : alice).map(\.remoteHandle) == [.generic("bob")])
            for hub in outcomes { #expect(hub.isSettled(bob)) }
        }
    }

    @Test(arguments: [Race.transferAgainstTransfer])
    mutating func `two transfers cross (CH-05)`(race: Race) throws {
        let dave = try hub.open("dave")
        let third = try hub.connect(carol, to: "dave", on: dave)
        let outcomes = try hub.afterEveryOrder(
            of: fulfillment,
            and: { [carol, second] in $0.request(carol, second.other, .transfer(to: .call(third.outgoing))) }
        )
        // Alice is connected with Carol, who gives the call on: she has requested that when it was hers.
        #expect(outcomes[0].calls(bob) == [])
        #expect(sinks(alice, outcomes[0]) == [dave] && sinks(dave, outcomes[0]) == [alice])
        // Carol has given Bob's call to Dave: Bob's transfer was meant for Carol.
        #expect(outcomes[1].calls(bob).map(\.remoteHandle) == [.generic("alice"), .generic("dave")])
        #expect(outcomes[1].calls(alice).map(\.remoteHandle) == [.generic("bob")])
        #expect(outcomes[1].calls(carol) == [] && outcomes[1].isSettled(bob))
    }

    @Test(arguments: [Race.transferAgainstSwap])
    mutating func `a swap is under way, too (CH-05)`(race: Race) throws {
        hub.request(bob, [(second.bob, .setHeld(true)), (first.bob, .setHeld(false))])
        let outcomes = try hub.afterEveryOrder(
            of: fulfillment,
            and: { [bob] hub in
                while hub.actionToPerform(bob)?.kind.type == .setHeld, try hub.fulfillLast(bob) {}
            }
        )
        for hub in outcomes {
            expectJoined(hub)
            #expect(sinks(alice, hub) == [carol] && hub.isSettled(bob))
        }
    }

    @Test(arguments: [Race.transferAgainstHold])
    mutating func `the transferee holds the call (CH-05)`(race: Race) throws {
        let outcomes = try hub.afterEveryOrder(
            of: fulfillment,
            and: { [alice, first] in $0.request(alice, first.other, .setHeld(true)) }
        )
        for hub in outcomes {
            expectJoined(hub)
            #expect(hub.states(alice) == [.held] && hub.calls(carol).map(\.remoteIsOnHold) == [true])
            #expect(sinks(alice, hub) == [] && sinks(carol, hub) == [])
        }
    }

    @Test(arguments: [Race.transferAgainstMerge])
    mutating func `the two calls are merged (CH-05)`(race: Race) throws {
        hub.request(bob, first.bob, .setGroup(with: second.bob))
        let outcomes = try hub.afterEveryOrder(
            of: fulfillment,
            and: { [bob] hub in
                while hub.actionToPerform(bob).map({ [.setGroup, .setHeld].contains($0.kind.type) }) == true,
                    try hub.fulfillLast(bob)
                {}
            }
        )
        for hub in outcomes {
            expectJoined(hub)
            #expect(sinks(alice, hub) == [carol] && hub.isSettled(bob))
        }
    }

    @Test(arguments: [Race.transferAgainstPull])
    mutating func `another device pulls one of the calls (CH-05)`(race: Race) throws {
        let desk = try hub.open("bob", device: "desk")
        let outcomes = try hub.afterEveryOrder(
            of: fulfillment,
            and: { [first] in $0.request(desk, first.bob, .pull) }
        )
        expectJoined(outcomes[0])
        #expect(outcomes[0].calls(desk) == [])
        #expect(outcomes[1].calls(desk).map(\.uuid) == [first.bob])
        #expect(outcomes[1].calls(bob).map(\.uuid) == [second.bob] && outcomes[1].isSettled(bob))
    }

    @Test(arguments: [Race.transferAgainstLoss])
    mutating func `the connection of one of the two is lost (CH-05)`(race: Race) throws {
        for lost in [alice, carol] {
            let outcomes = try hub.afterEveryOrder(of: fulfillment, and: { $0.handle(.sessionLost(lost)) })
            for var hub in outcomes {
                hub.handle(.sessionResumed(lost, token: RequestToken(rawValue: 999)))
                expectJoined(hub)
                #expect(sinks(alice, hub) == [carol] && sinks(carol, hub) == [alice])
            }
        }
    }

    @Test mutating func `a transferor whose connection stays lost has transferred nobody (CH-05)`() {
        hub.handle(.sessionLost(bob))
        hub.wait(.seconds(6))
        #expect(hub.calls(alice).map(\.remoteHandle) == [.generic("bob")])
        hub.wait(.seconds(60))
        #expect(hub.calls(alice) == [] && hub.calls(carol) == [])
        #expect(hub.violations == [])
    }
}

/// Races of a blind transfer of Alice by Bob to Carol.
struct BlindTransferRaceTests {
    private var hub = SimulatedHub()
    private let alice: SessionID
    private let bob: SessionID
    private let carol: SessionID
    private let call: (bob: CallUUID, alice: CallUUID)

    init() throws {
        alice = try hub.open("alice")
        bob = try hub.open("bob")
        carol = try hub.open("carol")
        let connected = try hub.connect(alice, to: "bob", on: bob)
        call = (connected.incoming, connected.outgoing)
    }

    private var transfer: Step {
        { [bob, call] in $0.request(bob, call.bob, .transfer(to: .handle(.generic("carol")))) }
    }

    private var hangUp: Step {
        { [alice, call] in $0.request(alice, call.alice, .end) }
    }

    private func outcomes(of recents: String, in hub: SimulatedHub) throws -> [RecentCall.Outcome] {
        var hub = hub
        let reply = try hub.changeAccountData(recents, .listRecents(limit: 5, before: nil))
        guard case .recents(let entries) = reply else { return [] }
        return entries.map(\.call.outcome)
    }

    private func expectNobodyTalks(_ hub: SimulatedHub) {
        #expect([alice, bob, carol].allSatisfy { hub.calls($0) == [] })
        #expect(hub.engine.objectCounts.conversations == 0)
    }

    @Test(arguments: [Race.handOverAgainstEnd])
    mutating func `the transferee hangs up (CH-06)`(race: Race) throws {
        let outcomes = try hub.afterEveryOrder(of: transfer, and: hangUp)
        for hub in outcomes { expectNobodyTalks(hub) }
        #expect(try self.outcomes(of: "carol", in: outcomes[0]) == [.missed])
        #expect(try self.outcomes(of: "carol", in: outcomes[1]) == [])
    }

    @Test(arguments: [Race.handOverAgainstHandOver])
    mutating func `both parties give the call to somebody else (CH-06)`(race: Race) throws {
        let dave = try hub.open("dave")
        let outcomes = try hub.afterEveryOrder(
            of: transfer,
            and: { [alice, call] in $0.request(alice, call.alice, .transfer(to: .handle(.generic("dave")))) }
        )
        #expect(outcomes[0].calls(bob) == [] && outcomes[0].ringing(carol) != nil && outcomes[0].ringing(dave) == nil)
        #expect(outcomes[1].calls(alice) == [] && outcomes[1].ringing(dave) != nil && outcomes[1].ringing(carol) == nil)
    }

    @Test(arguments: [Race.takingAgainstHangingUp])
    mutating func `the transferee hangs up while the target answers (CH-06)`(race: Race) throws {
        let manual = try hub.open("carol", device: "manual", fulfillment: .manual)
        try transfer(&hub)
        let ringing = try #require(hub.ringing(manual)?.uuid)
        hub.request(manual, ringing, .answer)
        let outcomes = try hub.afterEveryOrder(of: { try $0.fulfillLast(manual) }, and: hangUp)
        for hub in outcomes { expectNobodyTalks(hub) }
        #expect(outcomes[0].last(ringing, on: manual)?.cause == nil)
        #expect(outcomes[1].last(ringing, on: manual)?.cause == .cancelled)
    }

    @Test(arguments: [Race.takingAgainstTimeOut])
    mutating func `the target answers when the ringing is over (CH-06)`(race: Race) throws {
        try transfer(&hub)
        let ringing = try #require(hub.ringing(carol)?.uuid)
        let outcomes = try hub.afterEveryOrder(
            of: { [carol] in $0.request(carol, ringing, .answer) },
            and: { $0.wait(.seconds(60)) }
        )
        #expect(outcomes[0].states(carol) == [.connected] && outcomes[0].ringing(bob) == nil)
        #expect(outcomes[1].calls(carol) == [] && outcomes[1].ringing(bob)?.returned?.cause == .timeout)
    }

    @Test(arguments: [Race.returnAgainstHangingUp])
    mutating func `the transferee hangs up when the target declines (CH-06)`(race: Race) throws {
        try transfer(&hub)
        let ringing = try #require(hub.ringing(carol)?.uuid)
        let outcomes = try hub.afterEveryOrder(
            of: { [carol] in $0.request(carol, ringing, .end) },
            and: hangUp
        )
        for hub in outcomes { expectNobodyTalks(hub) }
        #expect(try self.outcomes(of: "bob", in: outcomes[0]) == [.missed, .answered])
        #expect(try self.outcomes(of: "bob", in: outcomes[1]) == [.answered])
    }
}
