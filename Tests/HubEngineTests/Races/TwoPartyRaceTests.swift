import HubEngine
import HubSimulation
import Testing

/// Races between the two parties of a call, Alice and Bob, who both fulfil manually.
struct TwoPartyRaceTests {
    var hub: SimulatedHub
    let alice: SessionID
    let bob: SessionID

    init() throws {
        var hub = SimulatedHub()
        alice = try hub.open("alice", fulfillment: .manual)
        bob = try hub.open("bob", fulfillment: .manual)
        self.hub = hub
    }

    private mutating func ring() throws -> (outgoing: CallUUID, incoming: CallUUID) {
        let outgoing = hub.start(alice, to: "bob")
        try hub.fulfillLast(alice)
        let ringing = hub.ringing(bob)
        return (outgoing, try #require(ringing).uuid)
    }

    private mutating func connect() throws -> (outgoing: CallUUID, incoming: CallUUID) {
        let call = try ring()
        hub.request(bob, call.incoming, .answer)
        try hub.fulfillLast(bob)
        return call
    }

    @Test(arguments: [Race.bothHold])
    mutating func `both parties hold at once: both are held, and each resumes for itself`(race: Race) throws {
        let call = try connect()
        let outcomes = try hub.afterEveryOrder(
            of: { [alice] in
                $0.request(alice, call.outgoing, .setHeld(true))
                try $0.fulfillLast(alice)
            },
            and: { [bob] in
                $0.request(bob, call.incoming, .setHeld(true))
                try $0.fulfillLast(bob)
            }
        )
        for var hub in outcomes {
            #expect((hub.states(alice), hub.states(bob)) == ([.held], [.held]))
            #expect(hub.calls(alice).map(\.remoteIsOnHold) == [true])
            #expect(hub.calls(bob).map(\.remoteIsOnHold) == [true])
            hub.request(alice, call.outgoing, .setHeld(false))
            try hub.fulfillLast(alice)
            #expect(hub.engine.audioRoute(of: alice).gateReason == .held, "Bob still holds")
            hub.request(bob, call.incoming, .setHeld(false))
            try hub.fulfillLast(bob)
            #expect(hub.engine.audioRoute(of: alice).sinks == [bob])
            #expect(hub.engine.audioRoute(of: bob).sinks == [alice])
        }
    }

    @Test(arguments: [Race.holdAgainstEnd])
    mutating func `a hold while the other party ends: the call has ended, and so has the hold`(
        race: Race
    ) throws {
        let call = try connect()
        hub.request(alice, call.outgoing, .setHeld(true))
        hub.request(bob, call.incoming, .end)
        let outcomes = try hub.afterEveryOrder(
            of: { [alice] in try $0.fulfillLast(alice) },
            and: { [bob] in try $0.fulfillLast(bob) }
        )
        for hub in outcomes {
            #expect(hub.last(call.outgoing, on: alice)?.endedReason == .remoteEnded)
            #expect(hub.last(call.incoming, on: bob)?.hasEnded == true)
            #expect(hub.states(alice) == [])
            #expect(hub.isSettled(alice, bob))
            #expect(hub.engine.nextDeadline == nil)
        }
    }

    @Test(arguments: [Race.answerAgainstCancel])
    mutating func `an answer against a cancel: a cancel before the fulfilment wins`(race: Race) throws {
        let call = try ring()
        let outcomes = try hub.afterEveryOrder(
            of: { [bob] in $0.request(bob, call.incoming, .answer) },
            and: { [alice] in
                $0.request(alice, call.outgoing, .end)
                try $0.fulfillLast(alice)
            }
        )
        for var hub in outcomes {
            if hub.actionToPerform(bob) != nil { #expect(try !hub.fulfillLast(bob), "too late") }
            let last = hub.last(call.incoming, on: bob)
            #expect((last?.endedReason, last?.cause) == (.remoteEnded, .cancelled))
            #expect(hub.last(call.outgoing, on: alice)?.hasConnected == false)
            #expect(hub.audio(bob) == nil)
            #expect(hub.request(bob, call.incoming, .answer) == .requestTransaction(.unknownCallUUID))
            #expect(hub.isSettled(alice, bob))
        }
    }

    @Test(arguments: [Race.answerAgainstTimeOut])
    mutating func `an answer against the ring timeout: the first event decides, and at the same instant the timeout`(
        race: Race
    ) throws {
        let call = try ring()
        hub.wait(.milliseconds(59_999))
        let answer: Step = { [bob] in $0.request(bob, call.incoming, .answer) }
        let outcomes = try hub.afterEveryOrder(of: answer, and: { $0.wait(.milliseconds(1)) })
        var (answered, late) = (outcomes[0], outcomes[1])
        answered.wait(.seconds(59))
        #expect(try answered.fulfillLast(bob), "the ring timer has stopped at the answer")
        #expect(answered.states(alice) == [.connected])
        #expect(late.last(call.incoming, on: bob)?.endedReason == .unanswered)
        #expect(late.last(call.outgoing, on: alice)?.cause == .timeout)
        #expect(late.request(bob, call.incoming, .answer) == .requestTransaction(.unknownCallUUID))
    }

    @Test(arguments: [Race.bothEnd])
    mutating func `both parties end at once: the first end ends both calls, and the second fulfilment is not needed`(
        race: Race
    ) throws {
        let call = try connect()
        hub.request(alice, call.outgoing, .end)
        hub.request(bob, call.incoming, .end)
        let outcomes = try hub.afterEveryOrder(
            of: { [alice] in try $0.fulfillLast(alice) },
            and: { [bob] in try $0.fulfillLast(bob) }
        )
        for hub in outcomes {
            let reasons = [
                hub.last(call.outgoing, on: alice)?.endedReason, hub.last(call.incoming, on: bob)?.endedReason,
            ]
            #expect(Set(reasons) == [nil, .remoteEnded], "one hung up, the other was hung up on")
            #expect(hub.isSettled(alice, bob))
            #expect(hub.engine.objectCounts.calls == 0)
        }
    }

    @Test(arguments: [Race.fulfilAfterTimeOut])
    mutating func `a fulfilment after the timeout is ignored, one before it counts`(race: Race) throws {
        let call = try connect()
        hub.request(alice, call.outgoing, .setHeld(true))
        hub.wait(.milliseconds(4_999))
        let outcomes = try hub.afterEveryOrder(
            of: { [alice] in try $0.fulfillLast(alice) },
            and: { $0.wait(.milliseconds(1)) }
        )
        #expect(outcomes.map { $0.states(alice) } == [[.held], [.connected]])
        for hub in outcomes { #expect(hub.isSettled(alice)) }
        let timedOut = outcomes.map { hub in
            (hub.inbox[alice] ?? []).contains { if case .timedOutPerforming = $0 { true } else { false } }
        }
        #expect(timedOut == [false, true])
    }

    @Test(arguments: [Race.resumeInTransaction])
    mutating func `a connection lost during a transaction: after the resume it continues with the same deadline`(
        race: Race
    ) throws {
        let call = try connect()
        let outcomes = try hub.afterEveryOrder(
            of: { [alice] in
                $0.handle(.sessionLost(alice))
                $0.wait(.seconds(2))
                $0.handle(.sessionResumed(alice, token: RequestToken(rawValue: 900)))
            },
            and: { [alice] in $0.request(alice, call.outgoing, .setHeld(true)) }
        )
        for hub in outcomes {
            var inTime = hub
            #expect(try inTime.fulfillLast(alice))
            #expect(inTime.states(alice) == [.held])
        }
        var late = outcomes[1]
        late.wait(.seconds(3))
        #expect(try !late.fulfillLast(alice), "5 s from the perform message, lost or not")
        #expect(late.states(alice) == [.connected])
        #expect(late.isSettled(alice))
    }

    @Test(arguments: [Race.glare])
    mutating func `both parties call each other at once: both calls ring, and the first to be answered remains`(
        race: Race
    ) throws {
        let (carol, dave) = (try hub.open("carol"), try hub.open("dave"))
        let outcomes = try hub.afterEveryOrder(
            of: { _ = $0.start(carol, to: "dave") },
            and: { _ = $0.start(dave, to: "carol") }
        )
        for hub in outcomes {
            for device in [carol, dave] {
                #expect(Set(hub.states(device)) == [.connecting, .ringing], "a party is not busy for the one it calls")
            }
            for (first, second) in [(carol, dave), (dave, carol)] {
                var hub = hub
                let chosen = try #require(hub.ringing(first)).uuid
                let other = try #require(hub.ringing(second)).uuid
                hub.request(first, chosen, .answer)
                #expect(hub.request(second, other, .answer) == .requestTransaction(.unknownCallUUID))
                #expect(hub.states(first) == [.connected])
                #expect(hub.states(second) == [.connected])
                #expect(hub.last(other, on: second)?.cause == .cancelled)
                #expect(hub.engine.audioRoute(of: first).sinks == [second])
                #expect(hub.engine.audioRoute(of: second).sinks == [first])
                #expect(hub.violations == [])
            }
        }
    }

    @Test(arguments: [Race.glare])
    mutating func `both parties call each other and answer each other at once: no call remains`(race: Race) throws {
        let outgoing = hub.start(alice, to: "bob")
        try hub.fulfillLast(alice)
        _ = hub.start(bob, to: "alice")
        try hub.fulfillLast(bob)
        for device in [alice, bob] { hub.request(device, try #require(hub.ringing(device)).uuid, .answer) }
        #expect(hub.performed(alice).last?.0 == .end, "her own outgoing call goes first")
        let outcomes = try hub.afterEveryOrder(
            of: { [alice] in try $0.fulfillLast(alice) },
            and: { [bob] in try $0.fulfillLast(bob) }
        )
        for hub in outcomes {
            #expect(hub.engine.objectCounts.calls == 0)
            #expect(hub.isSettled(alice, bob))
            #expect(hub.audio(alice) == nil && hub.audio(bob) == nil)
            #expect(hub.last(outgoing, on: alice)?.hasConnected == false)
        }
    }
}
