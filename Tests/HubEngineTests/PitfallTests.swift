import HubEngine
import HubSimulation
import Testing

/// Known pitfalls of call handling (callkit-semantics.md 4) that need several features at once.
struct PitfallTests {
    var hub: SimulatedHub
    let alice: SessionID
    let bob: SessionID
    let carol: SessionID

    init() throws {
        var hub = SimulatedHub()
        alice = try hub.open("alice")
        bob = try hub.open("bob", fulfillment: .manual)
        carol = try hub.open("carol")
        self.hub = hub
    }

    private mutating func performs(_ session: SessionID) -> [(action: Action, deadline: Instant)] {
        hub.read(session).compactMap { notification in
            if case .perform(_, let action, let deadline, _, _) = notification { (action, deadline) } else { nil }
        }
    }

    /// Bob's call with Alice, answered by him.
    private mutating func connected() throws -> CallUUID {
        _ = hub.start(alice, to: "bob")
        let call = try ringing()
        hub.request(bob, call, .answer)
        try fulfill()
        return call
    }

    private func ringing() throws -> CallUUID {
        let call = hub.ringing(bob)
        return try #require(call).uuid
    }

    private mutating func fulfill() throws {
        let action = hub.actionToPerform(bob)
        #expect(hub.ask(bob, .fulfill(try #require(action).uuid, date: nil)) == .done)
    }

    @Test mutating func `the message contains the action's deadline (CK-18, CK-26, CK-64, P24)`() throws {
        _ = hub.start(bob, to: "music")
        #expect(performs(bob).map(\.deadline) == [hub.now + .seconds(600)])
        hub.request(bob, try #require(hub.calls(bob).first).uuid, .end)
        #expect(performs(bob).map(\.deadline) == [hub.now + .seconds(5)])
        let call = hub.start(alice, to: "bob")
        hub.wait(.seconds(30))
        hub.request(bob, try ringing(), .answer)
        let end = performs(bob)
        #expect(end.map(\.deadline).contains(hub.now + .seconds(5)), "the outgoing call is ended first")
        for action in end { hub.ask(bob, .fulfill(action.action.uuid, date: nil)) }
        let answer = performs(bob)
        #expect(answer.map(\.action.kind) == [.answer])
        #expect(answer.map(\.deadline) == [hub.now + .seconds(60)], "from the message, not from the request")
        hub.wait(.milliseconds(59_999))
        #expect(hub.last(call, on: alice)?.hasEnded == false)
        hub.wait(.milliseconds(1))
        #expect(hub.last(call, on: alice)?.cause == .timeout)
        let told = hub.read(bob)
        #expect(told.contains(.timedOutPerforming(try #require(answer.first).action)))
    }

    @Test mutating func `a failed action is reported as failed, and affects nothing else (P20)`() throws {
        let call = try connected()
        let far = hub.start(carol, to: "bob")
        let waiting = try ringing()
        hub.request(bob, [(call, .setHeld(true)), (waiting, .answer)])
        hub.ask(bob, .fail(try #require(hub.actionToPerform(bob)).uuid))
        #expect(hub.ask(bob, .pending(type: nil, callUUID: nil)) == .pending(transactions: [], actions: []))
        #expect(hub.calls(bob).map(\.state) == [.connected, .ringing], "the waiting call is not killed")
        #expect(hub.ringing(bob)?.choices.isEmpty == false)
        hub.request(bob, [(call, .setHeld(true)), (waiting, .answer)])
        try fulfill()
        hub.ask(bob, .fail(try #require(hub.actionToPerform(bob)).uuid))
        let last = hub.last(waiting, on: bob)
        #expect((last?.endedReason, last?.cause) == (.failed, .actionFailed), "notified to the device that failed it")
        #expect(hub.last(far, on: carol)?.cause == .actionFailed, "and to the other party")
        #expect(hub.actionToPerform(bob)?.kind == .setHeld(false), "and the hold is given back")
    }

    @Test mutating func `beside three calls every choice is one transaction, accepted or refused as a whole (P30)`()
        throws
    {
        let first = try connected()
        _ = hub.start(carol, to: "bob")
        let second = try ringing()
        hub.request(bob, [(first, .setHeld(true)), (second, .answer)])
        try fulfill()
        try fulfill()
        let dave = try hub.open("dave")
        _ = hub.start(dave, to: "bob")
        let third = try #require(hub.ringing(bob))
        #expect(third.choices.map(\.name) == [.endAndAccept, .endHeldAndAccept, .decline])
        for choice in third.choices {
            var hub = hub
            let actions = choice.actions.map { ($0.callUUID, $0.kind) }
            let stale = actions + [(hub.makeUUID(), .end)]
            let before = hub.calls(bob)
            #expect(hub.request(bob, stale) == .requestTransaction(.unknownCallUUID))
            #expect(hub.calls(bob) == before, "refused whole")
            guard case .accepted(_, let accepted) = hub.ask(bob, .transaction(choice.actions)) else {
                Issue.record("\(choice.name) is not accepted")
                continue
            }
            #expect(accepted.count == actions.count, "one transaction, nothing put in between")
            for action in accepted { #expect(hub.ask(bob, .fulfill(action, date: nil)) == .done) }
            let active = hub.calls(bob).filter { $0.state == .connected }
            #expect(active.count == 1)
            #expect(hub.engine.audioRoute(of: bob).sinks.count == 1)
            #expect(hub.violations == [])
        }
    }

    @Test mutating func `an end before the answer is a decline, an end after it is not (CK-21, P33)`() throws {
        func outcomes(_ effects: [Effect]) -> [RecentCall.Outcome] {
            effects.compactMap { if case .addRecent(_, let entry) = $0 { entry.outcome } else { nil } }
        }
        var declined = hub
        let first = declined.start(alice, to: "bob")
        declined.request(bob, try #require(declined.ringing(bob)).uuid, .end)
        declined.ask(bob, .fulfill(try #require(declined.actionToPerform(bob)).uuid, date: nil))
        #expect(declined.last(first, on: alice)?.cause == .declined)
        #expect(outcomes(declined.lastEffects) == [.declined, .declined])
        let call = try connected()
        hub.request(bob, call, .end)
        try fulfill()
        let last = hub.calls(alice).isEmpty ? hub.inbox[alice]?.compactMap(\.snapshot).last : nil
        #expect((last?.endedReason, last?.cause) == (.remoteEnded, nil))
        #expect(outcomes(hub.lastEffects) == [.answered, .answered])
    }

    @Test mutating func `an active call that cannot be held is ended before a start (CK-46)`() throws {
        let call = hub.start(carol, to: "music")
        var update = CallUpdate()
        update.supportsHolding = false
        hub.ask(carol, .reportCall(call, update))
        _ = hub.read(carol)
        let outgoing = hub.start(carol, to: "echo")
        #expect(hub.performed(carol).map(\.0.type) == [.end, .start])
        #expect(hub.performed(carol).map(\.1) == [.system, .user])
        #expect(hub.calls(carol).map(\.uuid) == [outgoing])
    }

    @Test(arguments: [TranslationEngine?.none, .standard, .custom])
    mutating func `a translated call has the engine that its client has named (CK-82)`(
        engine: TranslationEngine?
    ) throws {
        let call = try connected()
        hub.request(bob, call, .setTranslating(true, localLanguage: nil, remoteLanguage: nil))
        let start = try #require(hub.actionToPerform(bob))
        #expect(hub.ask(bob, .fulfill(start.uuid, date: nil, using: engine)) == .done)
        #expect(hub.last(call, on: bob)?.isTranslating == true)
        #expect(hub.last(call, on: bob)?.translationEngine == engine)
        hub.request(bob, call, .setTranslating(false, localLanguage: nil, remoteLanguage: nil))
        let stop = try #require(hub.actionToPerform(bob))
        #expect(hub.ask(bob, .fulfill(stop.uuid, date: nil, using: engine)) == .done)
        #expect(hub.last(call, on: bob)?.isTranslating == false)
        #expect(hub.last(call, on: bob)?.translationEngine == nil)
    }

    @Test mutating func `no other action is fulfilled with a translation engine, and it stays pending`() throws {
        let call = try connected()
        hub.request(bob, call, .setMuted(true))
        let mute = try #require(hub.actionToPerform(bob))
        guard case .refused(let refusal)? = hub.ask(bob, .fulfill(mute.uuid, date: nil, using: .custom)) else {
            Issue.record("accepted")
            return
        }
        #expect(refusal.code == .general(.invalidArgument))
        #expect(hub.ask(bob, .fulfill(mute.uuid, date: nil)) == .done)
        #expect(hub.last(call, on: bob)?.isMuted == true)
    }

    @Test mutating func `translation is performed by the client and stored by the hub (CK-82)`() throws {
        let call = try connected()
        _ = hub.read(bob)
        let kind = ActionKind.setTranslating(true, localLanguage: "de", remoteLanguage: "en")
        hub.request(bob, call, kind)
        #expect(hub.actionToPerform(bob)?.kind == kind, "with its languages")
        #expect(hub.calls(bob).map(\.isTranslating) == [false])
        _ = hub.read(alice)
        try fulfill()
        #expect(hub.last(call, on: bob)?.isTranslating == true)
        #expect(hub.read(alice) == [], "the other party is not notified")
        let ringing = hub.start(alice, to: "carol")
        #expect(hub.request(alice, ringing, kind) == .requestTransaction(.invalidAction), "only once it is connected")
    }

    @Test mutating func `an entry of Recents can be called like any other handle (CK-72, P17)`() throws {
        let first = hub.start(alice, to: "bob")
        hub.request(alice, first, .end)
        let entries = hub.lastEffects.compactMap { effect -> (String, RecentCall)? in
            if case .addRecent(let account, let entry) = effect { (account, entry) } else { nil }
        }
        #expect(entries.map(\.0) == ["alice", "bob"])
        for (account, entry) in entries {
            #expect(!entry.handle.value.isEmpty)
            let caller = account == "bob" ? bob : alice
            let start = ActionKind.start(handle: entry.handle, isVideo: false, contactIdentifier: "card 7")
            _ = hub.read(caller)
            #expect(hub.request(caller, hub.makeUUID(), start) == nil)
            #expect(hub.performed(caller).map(\.0) == [start], "the contact's identifier comes back, too")
            if caller == bob { try fulfill() }
            let callee = account == "bob" ? alice : bob
            #expect(hub.ringing(callee) != nil)
            hub.request(caller, try #require(hub.calls(caller).first).uuid, .end)
            if caller == bob { try fulfill() }
        }
    }

    @Test mutating func `the group of a disconnected client's failed call is free again (CK-84, P16)`() throws {
        hub.ask(bob, .configure(.oneCall))
        _ = try connected()
        let busy = [
            (hub.makeUUID(), ActionKind.start(handle: .generic("echo"), isVideo: false, contactIdentifier: nil))
        ]
        #expect(hub.request(bob, busy) == .requestTransaction(.maximumCallGroupsReached))
        hub.handle(.sessionLost(alice))
        hub.wait(.seconds(60))
        #expect(hub.calls(bob) == [])
        #expect(hub.request(bob, busy) == nil)
    }

    @Test mutating func `a recreated provider has no calls of the old one (CK-05, CK-06, P23)`() throws {
        let call = try connected()
        _ = hub.start(carol, to: "bob")
        hub.ask(bob, .invalidate)
        #expect(hub.request(bob, call, .end) == .requestTransaction(.unknownCallProvider))
        _ = hub.read(bob)
        #expect(hub.ask(bob, .configure(.oneCall)) == .configuration(.oneCall), "one message")
        #expect(hub.read(bob) == [.didBegin(.oneCall)])
        #expect(hub.calls(bob) == [])
        #expect(hub.request(bob, call, .end) == .requestTransaction(.unknownCallUUID))
        #expect(hub.ask(bob, .pending(type: nil, callUUID: nil)) == .pending(transactions: [], actions: []))
        _ = hub.start(alice, to: "bob")
        #expect(hub.ringing(bob) != nil, "and it takes calls at once")
    }

    @Test mutating func `a client of an earlier run is reset once, and its old calls are unknown (CK-05, CK-83, P23)`()
    {
        let old = CallUUID(high: 9, low: 9)
        let opening = SessionOpening(
            account: "dave",
            handles: [.generic("dave")],
            deviceID: "1",
            isAfterReset: true
        )
        hub.handle(.sessionOpened(opening, token: RequestToken(rawValue: 8_000)))
        guard case .reply(_, .opened(let dave, _, let calls)) = hub.lastEffects.first else {
            Issue.record("not let in")
            return
        }
        #expect(calls == [])
        #expect(hub.read(dave) == [.didReset, .didBegin(ProviderConfiguration())])
        #expect(hub.engine.audioRoute(of: dave) == .closed)
        #expect(hub.request(dave, old, .end) == .requestTransaction(.unknownCallUUID))
        let call = hub.start(dave, to: "echo")
        #expect(hub.calls(dave).map(\.uuid) == [call])
        #expect(!hub.read(dave).contains(.didReset), "once")
    }

    @Test mutating func `a call has video only if both parties have it (CK-81)`() throws {
        let withVideo = [
            try hub.open("erin") { $0.supportsVideo = true }, try hub.open("frank") { $0.supportsVideo = true },
        ]
        let start = ActionKind.start(handle: .generic("frank"), isVideo: true, contactIdentifier: nil)
        hub.request(withVideo[0], hub.makeUUID(), start)
        #expect(hub.ringing(withVideo[1])?.hasVideo == true)
        hub.request(withVideo[1], try #require(hub.ringing(withVideo[1])).uuid, .answer)
        #expect(withVideo.flatMap { hub.calls($0) }.map(\.hasVideo) == [true, true])
        let toVoice = ActionKind.start(handle: .generic("carol"), isVideo: true, contactIdentifier: nil)
        hub.request(withVideo[0], hub.makeUUID(), toVoice)
        #expect(hub.ringing(carol)?.hasVideo == false)
        hub.request(carol, try #require(hub.ringing(carol)).uuid, .answer)
        #expect(hub.calls(withVideo[0]).last?.hasVideo == false)
        #expect(hub.request(carol, hub.makeUUID(), toVoice) == .requestTransaction(.invalidAction))
    }

    @Test
    mutating func `a mute is notified once, with its origin, and a hold causes no mute notification (CK-53, P18, P19)`()
        throws
    {
        let call = hub.start(carol, to: "music")
        _ = hub.read(carol)
        hub.request(carol, call, .setMuted(true))
        #expect(hub.performed(carol).map(\.1) == [.user])
        #expect(hub.read(carol).compactMap(\.snapshot).map(\.isMuted) == [true], "one event, no echo")
        hub.request(carol, call, .setMuted(true))
        #expect(hub.read(carol).compactMap(\.snapshot) == [], "the same again is none")
        hub.request(carol, call, .setHeld(true))
        #expect(hub.performed(carol).map(\.0) == [.setHeld(true)], "a hold is no mute")
        hub.request(carol, call, .setHeld(false))
        let other = hub.start(carol, to: "echo")
        #expect(hub.last(other, on: carol)?.isMuted == false, "the new call has its own")
        hub.request(carol, [(other, .setHeld(true)), (call, .setHeld(false))])
        #expect(hub.calls(carol).map(\.isMuted) == [true, false], "kept over hold and swap")
        #expect(hub.engine.audioRoute(of: carol).gateReason == .muted)
    }
}

extension ProviderConfiguration {
    /// Room for one call.
    fileprivate static var oneCall: ProviderConfiguration {
        var provider = ProviderConfiguration()
        provider.maximumCallGroups = 1
        return provider
    }
}

extension Notification {
    /// The call of the notification.
    fileprivate var snapshot: CallSnapshot? {
        if case .callChanged(let call) = self { call } else { nil }
    }
}
