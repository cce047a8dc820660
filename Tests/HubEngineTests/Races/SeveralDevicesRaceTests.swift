import HubEngine
import HubSimulation
import Testing

/// Races between two devices of one account: Bob's desk phone and his mobile one; both fulfil manually.
struct SeveralDevicesRaceTests {
    var hub: SimulatedHub
    let alice: SessionID
    let desk: SessionID
    let mobile: SessionID
    let outgoing: CallUUID
    let call: CallUUID

    init() throws {
        var hub = SimulatedHub()
        alice = try hub.open("alice")
        desk = try hub.open("bob", device: "desk", fulfillment: .manual)
        mobile = try hub.open("bob", device: "mobile", fulfillment: .manual)
        outgoing = hub.start(alice, to: "bob")
        call = try #require(hub.ringing(desk)).uuid
        self.hub = hub
    }

    @Test(arguments: [Race.twoAnswers])
    mutating func `two devices answer one call: the first to perform gets it, the other ends as answeredElsewhere`(
        race: Race
    ) throws {
        let outcomes = try hub.afterEveryOrder(
            of: { [desk, call] in $0.request(desk, call, .answer) },
            and: { [mobile, call] in $0.request(mobile, call, .answer) }
        )
        for (hub, (winner, loser)) in zip(outcomes, [(desk, mobile), (mobile, desk)]) {
            var hub = hub
            #expect(hub.last(call, on: loser)?.endedReason == .answeredElsewhere)
            #expect(hub.actionToPerform(loser) == nil)
            #expect(hub.request(loser, call, .answer) == .requestTransaction(.unknownCallUUID))
            #expect(try hub.fulfillLast(winner))
            #expect(hub.engine.audioRoute(of: alice).sinks == [winner])
            #expect(hub.states(loser) == [])
        }
    }

    @Test(arguments: [Race.answerAgainstDecline])
    mutating func `one device answers, another declines: the first action performed decides`(race: Race) throws {
        let outcomes = try hub.afterEveryOrder(
            of: { [desk, call] in $0.request(desk, call, .answer) },
            and: { [mobile, call] in
                if $0.request(mobile, call, .end) == nil { try $0.fulfillLast(mobile) }
            }
        )
        var (answered, declined) = (outcomes[0], outcomes[1])
        #expect(answered.last(call, on: mobile)?.endedReason == .answeredElsewhere)
        #expect(try answered.fulfillLast(desk))
        #expect(answered.states(alice) == [.connected])
        #expect(declined.last(call, on: desk)?.endedReason == .declinedElsewhere)
        #expect(declined.actionToPerform(desk) == nil)
        #expect(declined.last(outgoing, on: alice)?.cause == .declined)
    }

    @Test(arguments: [Race.twoPulls])
    mutating func `two devices pull one call: the last fulfilment decides, and no other device has the call`(
        race: Race
    ) throws {
        let tablet = try hub.open("bob", device: "tablet")
        hub.request(tablet, call, .answer)
        hub.request(desk, call, .pull)
        hub.request(mobile, call, .pull)
        let outcomes = try hub.afterEveryOrder(
            of: { [desk] in try $0.fulfillLast(desk) },
            and: { [mobile] in try $0.fulfillLast(mobile) }
        )
        for (hub, (last, others)) in zip(outcomes, [(mobile, [desk, tablet]), (desk, [mobile, tablet])]) {
            #expect(hub.states(last) == [.connected])
            for other in others {
                #expect(hub.states(other) == [])
                #expect(hub.last(call, on: other)?.cause == .pulled)
            }
            #expect(hub.engine.audioRoute(of: alice).sinks == [last])
            #expect(hub.states(alice) == [.connected], "the other party has not noticed")
            #expect(hub.isSettled(desk, mobile))
        }
    }

    @Test(arguments: [Race.pullAgainstEnd])
    mutating func `a pull while the call ends: the call has ended on both devices`(race: Race) throws {
        hub.request(desk, call, .answer)
        try hub.fulfillLast(desk)
        hub.request(mobile, call, .pull)
        let outcomes = try hub.afterEveryOrder(
            of: { [mobile] in try $0.fulfillLast(mobile) },
            and: { [alice, outgoing] in $0.request(alice, outgoing, .end) }
        )
        for hub in outcomes {
            #expect(hub.states(desk) + hub.states(mobile) + hub.states(alice) == [])
            #expect(hub.audio(desk) == nil && hub.audio(mobile) == nil)
            #expect(hub.isSettled(desk, mobile))
        }
        #expect(outcomes.map { $0.last(call, on: mobile)?.endedReason } == [.remoteEnded, .answeredElsewhere])
        #expect(outcomes.map { $0.last(call, on: desk)?.endedReason } == [.answeredElsewhere, .remoteEnded])
    }
}
