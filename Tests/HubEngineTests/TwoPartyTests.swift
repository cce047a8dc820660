import HubEngine
import HubSimulation
import Testing

/// One caller, one callee, one device each.
struct TwoPartyTests {
    var hub = SimulatedHub()
    let alice: SessionID
    let bob: SessionID

    init() throws {
        alice = try hub.open("alice")
        bob = try hub.open("bob")
    }

    @Test mutating func `a fulfilled start action rings the callee (CK-08, CK-26, CK-27)`() throws {
        let call = hub.start(alice, to: "bob")
        let outgoing = try #require(hub.last(call, on: alice))
        #expect(outgoing.state == .connecting)
        #expect(outgoing.remoteIsRinging)
        let incoming = try #require(hub.ringing(bob))
        #expect(incoming.remoteHandle == .generic("alice"))
        #expect(incoming.uuid != call)
        #expect(!incoming.isOutgoing)
        #expect(hub.audio(alice) != nil, "the caller's audio session is active before the call connects")
        #expect(hub.audio(bob) == nil)
    }

    @Test mutating func `started, connecting and connected are notified in this order, each with its date (CK-27)`()
        throws
    {
        let carol = try hub.open("carol", fulfillment: .manual)
        let dave = try hub.open("dave", fulfillment: .manual)
        let call = hub.start(carol, to: "dave")
        hub.wait(.seconds(1))
        let started = hub.now
        hub.ask(carol, .fulfill(try #require(hub.actionToPerform(carol)).uuid, date: nil))
        hub.request(dave, try #require(hub.ringing(dave)).uuid, .answer)
        hub.wait(.seconds(1))
        let connected = hub.now
        hub.ask(dave, .fulfill(try #require(hub.actionToPerform(dave)).uuid, date: nil))
        let told = hub.read(carol).compactMap { notification -> CallSnapshot? in
            if case .callChanged(let snapshot) = notification, snapshot.uuid == call { snapshot } else { nil }
        }
        // Requested, invited, rings, is being answered, connected.
        #expect(told.map(\.state) == [.starting, .connecting, .connecting, .connecting, .connected])
        #expect(told.map(\.remoteIsRinging) == [false, false, true, false, false])
        #expect(told.map(\.startedAt) == [nil, started, started, started, started])
        #expect(told.map(\.startedConnectingAt) == [nil, nil, started, started, started])
        #expect(told.map(\.connectedAt) == [nil, nil, nil, nil, connected])
    }

    @Test mutating func `an accepted transaction is answered before the notifications of its effects (CK-65)`() {
        _ = hub.start(alice, to: "bob")
        guard case .reply(_, .accepted) = hub.lastEffects.first else {
            Issue.record("the first effect is \(String(describing: hub.lastEffects.first))")
            return
        }
    }

    @Test mutating func `an answer connects both parties and opens the gate both ways (CK-18, CK-66)`() throws {
        let call = hub.start(alice, to: "bob")
        let incoming = try #require(hub.ringing(bob))
        #expect(hub.engine.audioRoute(of: alice).gateReason == .notConnected)
        #expect(hub.request(bob, incoming.uuid, .answer) == nil)
        #expect(hub.last(call, on: alice)?.state == .connected)
        #expect(hub.last(incoming.uuid, on: bob)?.state == .connected)
        #expect(hub.engine.audioRoute(of: alice).sinks == [bob])
        #expect(hub.engine.audioRoute(of: bob).sinks == [alice])
        #expect(hub.routes[alice]?.ssrc == hub.audio(alice)?.ssrc)
        #expect(hub.violations == [])
    }

    @Test mutating func `each party is notified of the other's SSRC when the gate opens`() throws {
        _ = hub.start(alice, to: "bob")
        hub.request(bob, try #require(hub.ringing(bob)).uuid, .answer)
        let sources = hub.read(alice).compactMap { if case .audioSources(let sources) = $0 { sources } else { nil } }
        #expect(sources.last?.map(\.ssrc) == [try #require(hub.audio(bob)).ssrc])
    }

    @Test mutating func `a declined call ends as declined for the caller (CK-21, P33)`() throws {
        let call = hub.start(alice, to: "bob")
        let incoming = try #require(hub.ringing(bob))
        hub.request(bob, incoming.uuid, .end)
        let last = try #require(hub.last(call, on: alice))
        #expect((last.state, last.endedReason, last.cause) == (.ended, .remoteEnded, .declined))
        #expect(hub.last(incoming.uuid, on: bob)?.endedReason == nil)
        #expect(hub.audio(alice) == nil)
    }

    @Test mutating func `a cancelled call stops ringing (CK-25)`() throws {
        let call = hub.start(alice, to: "bob")
        let incoming = try #require(hub.ringing(bob))
        hub.request(alice, call, .end)
        let last = try #require(hub.last(incoming.uuid, on: bob))
        #expect((last.state, last.endedReason, last.cause) == (.ended, .remoteEnded, .cancelled))
        #expect(hub.last(call, on: alice)?.endedReason == nil)
    }

    @Test mutating func `an unanswered call ends on both sides after the ring timeout (CK-22)`() throws {
        let call = hub.start(alice, to: "bob")
        let incoming = try #require(hub.ringing(bob))
        hub.wait(.milliseconds(59_999))
        #expect(hub.ringing(bob) != nil)
        _ = hub.read(bob)
        hub.wait(.milliseconds(1))
        for (device, uuid) in [(alice, call), (bob, incoming.uuid)] {
            let last = try #require(hub.last(uuid, on: device))
            #expect((last.endedReason, last.cause) == (.unanswered, .timeout))
        }
        guard case .perform(_, let action, _, .system, fulfilled: true) = hub.read(bob).first else {
            Issue.record("the system's end action is notified first")
            return
        }
        #expect(action.kind == .end)
        #expect(hub.engine.nextDeadline == nil)
    }

    @Test mutating func `an answered call has no ring timer (P36)`() throws {
        _ = hub.start(alice, to: "bob")
        hub.request(bob, try #require(hub.ringing(bob)).uuid, .answer)
        #expect(hub.engine.nextDeadline == nil)
        hub.wait(.seconds(3600))
        #expect(hub.calls(alice).map(\.state) == [.connected])
    }

    @Test mutating func `a local end ends the other side as remoteEnded (CK-30)`() throws {
        let call = hub.start(alice, to: "bob")
        let incoming = try #require(hub.ringing(bob))
        hub.request(bob, incoming.uuid, .answer)
        hub.request(alice, call, .end)
        #expect(hub.last(call, on: alice)?.endedReason == nil)
        #expect(hub.last(call, on: alice)?.hasEnded == true)
        let last = try #require(hub.last(incoming.uuid, on: bob))
        #expect((last.endedReason, last.hasConnected) == (.remoteEnded, true))
        #expect(hub.audio(alice) == nil)
        #expect(hub.audio(bob) == nil)
        #expect(hub.engine.audioRoute(of: alice) == .closed)
    }

    @Test mutating func `an ended call is unknown: 104 with the current calls (CK-32, P22)`() throws {
        let call = hub.start(alice, to: "bob")
        hub.request(alice, call, .end)
        let other = hub.start(alice, to: "echo")
        let again = ActionRequest(callUUID: call, kind: .end)
        guard case .refused(let refusal) = hub.ask(alice, .transaction([again])) else {
            Issue.record("a second end must be refused")
            return
        }
        #expect(refusal.code == .requestTransaction(.unknownCallUUID))
        #expect(refusal.calls?.map(\.uuid) == [other])
    }

    @Test mutating func `a call to an unknown handle fails as unknownHandle, to an absent account as offline`() {
        hub.knownAccounts.insert("carol")
        for (name, cause) in [("nobody", EndCause.unknownHandle), ("carol", .offline)] {
            let call = hub.start(alice, to: name)
            let last = hub.last(call, on: alice)
            #expect(last?.endedReason == .failed)
            #expect(last?.cause == cause)
        }
    }

    @Test(arguments: BuiltInParty.allCases)
    mutating func `a built-in party answers at once`(party: BuiltInParty) {
        let call = hub.start(alice, to: party.rawValue)
        #expect(hub.last(call, on: alice)?.state == .connected)
        let route = hub.engine.audioRoute(of: alice)
        #expect(route.gateReason == nil)
        #expect(route.sinks == (party == .echo ? [alice] : []))
        #expect(route.playedSources.first?.party == (party == .echo ? nil : party))
    }

    @Test mutating func `a hold closes the gate both ways and notifies the other party (CK-33, P4)`() throws {
        let call = hub.start(alice, to: "bob")
        let incoming = try #require(hub.ringing(bob)).uuid
        hub.request(bob, incoming, .answer)
        let before = try #require(hub.audio(alice))
        hub.request(alice, call, .setHeld(true))
        #expect(hub.last(call, on: alice)?.state == .held)
        #expect(hub.last(incoming, on: bob)?.remoteIsOnHold == true)
        #expect(hub.last(incoming, on: bob)?.state == .connected)
        #expect(hub.engine.audioRoute(of: alice).gateReason == .noSession)
        #expect(hub.engine.audioRoute(of: bob).gateReason == .held)
        hub.request(alice, call, .setHeld(false))
        let after = try #require(hub.audio(alice))
        #expect(after.ssrc != before.ssrc && after.id != before.id, "each activation is a new one (D3, P4)")
        #expect(hub.engine.audioRoute(of: bob).sinks == [alice])
    }

    @Test mutating func `holding a held call is performed and changes nothing (CK-35, P19)`() throws {
        let call = hub.start(alice, to: "bob")
        hub.request(bob, try #require(hub.ringing(bob)).uuid, .answer)
        hub.request(alice, call, .setHeld(true))
        _ = hub.read(alice)
        _ = hub.read(bob)
        #expect(hub.request(alice, call, .setHeld(true)) == nil)
        #expect(hub.read(alice).count == 1, "the perform alone")
        #expect(hub.read(bob) == [])
    }

    @Test
    mutating func `mute stops only the party's own audio, and does not notify the other party (CK-52, CK-53, P18)`()
        throws
    {
        let call = hub.start(alice, to: "bob")
        hub.request(bob, try #require(hub.ringing(bob)).uuid, .answer)
        _ = hub.read(bob)
        hub.request(alice, call, .setMuted(true))
        #expect(hub.engine.audioRoute(of: alice).gateReason == .muted)
        #expect(hub.engine.audioRoute(of: bob).sinks == [alice])
        #expect(hub.read(bob) == [])
        hub.request(alice, call, .setHeld(true))
        hub.request(alice, call, .setHeld(false))
        #expect(hub.engine.audioRoute(of: alice).gateReason == .muted, "mute outlives hold (P18)")
    }

    @Test mutating func `digits reach the other party`() throws {
        let call = hub.start(alice, to: "bob")
        let incoming = try #require(hub.ringing(bob)).uuid
        hub.request(bob, incoming, .answer)
        hub.request(alice, call, .playDTMF(digits: "1", type: .singleTone))
        #expect(hub.read(bob).last == .dtmf(incoming, digits: "1", type: .singleTone))
    }

    @Test mutating func `no state remains after all sign-outs (P16)`() throws {
        _ = hub.start(alice, to: "bob")
        hub.request(bob, try #require(hub.ringing(bob)).uuid, .answer)
        _ = hub.start(bob, to: "music")
        hub.handle(.sessionClosed(alice))
        hub.handle(.sessionClosed(bob))
        #expect(hub.engine.objectCounts.isEmpty)
        #expect(hub.violations == [])
    }
}
