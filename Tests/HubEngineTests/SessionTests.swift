import HubEngine
import HubSimulation
import Testing

/// The life of a session beyond its connection (CK-04 to CK-06, CK-84) and its end.
struct SessionTests {
    var hub: SimulatedHub
    let alice: SessionID
    let bob: SessionID
    let outgoing: CallUUID
    let incoming: CallUUID

    init() throws {
        var hub = SimulatedHub()
        alice = try hub.open("alice")
        bob = try hub.open("bob")
        (outgoing, incoming) = try hub.connect(alice, to: "bob", on: bob)
        self.hub = hub
    }

    @Test mutating func `signing in creates the provider with CallKit's defaults (CK-01, CK-02)`() throws {
        let carol = try hub.open("carol")
        #expect(hub.read(carol) == [.didBegin(ProviderConfiguration())])
        let defaults = ProviderConfiguration()
        #expect((defaults.maximumCallGroups, defaults.maximumCallsPerCallGroup) == (2, 5))
        #expect(defaults.includesCallsInRecents && !defaults.supportsVideo && defaults.supportedHandleTypes.isEmpty)
    }

    @Test mutating func `the engine compares accounts by spelling, so that old event logs replay as they ran`() throws {
        // The hub has one spelling of each account; a hub before that had two accounts here, with a device "desk" each.
        let other = try hub.open("Alice")
        #expect(hub.engine.objectCounts.accounts == 3)
        #expect(hub.ended[alice] == nil && hub.ended[other] == nil)
    }

    @Test mutating func `a disconnected session keeps its call, its gate and its SSRC`() {
        let route = hub.engine.audioRoute(of: alice)
        hub.handle(.sessionLost(alice))
        hub.wait(.milliseconds(59_999))
        #expect(hub.engine.audioRoute(of: alice) == route)
        #expect(hub.read(bob).allSatisfy { if case .callChanged(let call) = $0 { !call.hasEnded } else { true } })
        hub.handle(.sessionResumed(alice, token: RequestToken(rawValue: 1)))
        hub.wait(.seconds(600))
        #expect(hub.calls(alice).map(\.uuid) == [outgoing])
    }

    @Test mutating func `after the grace period the call fails for the other party (CK-84)`() {
        hub.handle(.sessionLost(alice))
        hub.wait(.seconds(60))
        #expect(hub.last(incoming, on: bob)?.endedReason == .failed)
        #expect(hub.last(incoming, on: bob)?.cause == .connectionLost)
        #expect(hub.ended[alice] == .some(.graceOver))
        hub.handle(.sessionResumed(alice, token: RequestToken(rawValue: 7)))
        guard case .reply(_, .refused(let refusal)) = hub.lastEffects.first else {
            Issue.record("a session that is over must not be resumed")
            return
        }
        #expect(refusal.code == .sessionGone)
    }

    @Test mutating func `signing out ends the calls`() {
        hub.handle(.sessionClosed(alice))
        #expect(hub.last(incoming, on: bob)?.endedReason == .remoteEnded)
        #expect(hub.last(incoming, on: bob)?.cause == nil)
    }

    @Test mutating func `a new sign-in of the same device replaces the older session`() throws {
        let again = try hub.open("alice")
        #expect(hub.ended[alice] == .some(.replaced))
        #expect(hub.last(incoming, on: bob)?.endedReason == .failed)
        #expect(hub.calls(again) == [])
    }

    @Test mutating func `an invalidated provider's calls fail and later requests get 102 (CK-04, CK-59)`() {
        hub.ask(alice, .invalidate)
        #expect(hub.last(outgoing, on: alice)?.endedReason == .failed)
        #expect(hub.last(incoming, on: bob)?.endedReason == .failed)
        #expect(hub.request(alice, hub.makeUUID(), .answer) == .requestTransaction(.unknownCallProvider))
        let call = hub.start(bob, to: "alice")
        #expect(hub.last(call, on: bob)?.cause == .offline)
        hub.ask(alice, .configure(ProviderConfiguration()))
        #expect(hub.read(alice).last == .didBegin(ProviderConfiguration()), "a new provider begins (CK-06)")
        #expect(hub.request(alice, outgoing, .end) == .requestTransaction(.unknownCallUUID), "no old UUID (CK-05)")
    }

    @Test mutating func `a new configuration does not affect existing calls (CK-03)`() {
        var provider = ProviderConfiguration()
        provider.maximumCallGroups = 1
        #expect(hub.ask(alice, .configure(provider)) == .configuration(provider))
        #expect(hub.calls(alice).map(\.state) == [.connected])
        let more = ActionKind.start(handle: .generic("echo"), isVideo: false, contactIdentifier: nil)
        #expect(hub.request(alice, hub.makeUUID(), more) == .requestTransaction(.maximumCallGroupsReached))
    }

    @Test mutating func `an update changes only the properties it contains (CK-16, CK-17)`() {
        var update = CallUpdate()
        update.localizedCallerName = "Alice Liddell"
        hub.ask(bob, .reportCall(incoming, update))
        let call = hub.last(incoming, on: bob)
        #expect(call?.localizedCallerName == "Alice Liddell")
        #expect(call?.nameSource == .caller)
        #expect(call?.capabilities == CallCapabilities())
    }

    @Test mutating func `a property absent from an update keeps its value, which differs from false (CK-16)`() {
        var off = CallUpdate()
        off.supportsHolding = false
        off.localizedCallerName = "Alice Liddell"
        hub.ask(bob, .reportCall(incoming, off))
        var renamed = CallUpdate()
        renamed.localizedCallerName = "Alice"
        renamed.supportsDTMF = false
        hub.ask(bob, .reportCall(incoming, renamed))
        let call = hub.last(incoming, on: bob)
        #expect(call?.capabilities.supportsHolding == false, "left out, so as it was")
        #expect(call?.capabilities.supportsDTMF == false)
        #expect(call?.capabilities.supportsGrouping == true)
        #expect(call?.localizedCallerName == "Alice")
        var on = CallUpdate()
        on.supportsHolding = true
        hub.ask(bob, .reportCall(incoming, on))
        #expect(hub.last(incoming, on: bob)?.capabilities.supportsHolding == true)
        #expect(hub.last(outgoing, on: alice)?.capabilities == CallCapabilities(), "one's capabilities are one's own")
    }

    @Test mutating func `an update without a change notifies no one, and one that reaches the other party notifies it`()
    {
        var provider = ProviderConfiguration()
        provider.supportsVideo = true
        for device in [alice, bob] { hub.ask(device, .configure(provider)) }
        _ = hub.read(alice)
        hub.ask(bob, .reportCall(incoming, CallUpdate()))
        #expect(hub.lastEffects.count == 1, "the answer alone")
        var update = CallUpdate()
        update.hasVideo = true
        hub.ask(bob, .reportCall(incoming, update))
        #expect(hub.last(outgoing, on: alice)?.hasVideo == true)
    }

    @Test mutating func `a client's date is accepted only within possible limits`() {
        hub.wait(.seconds(10))
        hub.ask(alice, .reportCallEnded(outgoing, .failed, date: Instant(nanoseconds: 5)))
        let last = hub.last(outgoing, on: alice)
        #expect(last?.endedAt == last?.connectedAt)
    }

    @Test mutating func `a client of an earlier run is reset (CK-83)`() {
        hub.handle(
            .sessionOpened(
                SessionOpening(account: "carol", handles: [.generic("carol")], deviceID: "1", isAfterReset: true),
                token: RequestToken(rawValue: 9)
            )
        )
        let told = hub.lastEffects.compactMap { effect in
            if case .notify(_, let notification) = effect { notification } else { nil }
        }
        #expect(told == [.didReset, .didBegin(ProviderConfiguration())])
    }

    @Test(arguments: EndReason.allCases)
    mutating func `a reported end ends the call for the reported reason (CK-31)`(reason: EndReason) {
        hub.ask(alice, .reportCallEnded(outgoing, reason, date: nil))
        #expect(hub.last(outgoing, on: alice)?.endedReason == reason)
        #expect(hub.last(incoming, on: bob)?.endedReason == (reason == .failed ? .failed : .remoteEnded))
        guard case .refused(let refusal) = hub.ask(alice, .reportCallEnded(outgoing, reason, date: nil)) else {
            Issue.record("an unknown call is reported back")
            return
        }
        #expect(refusal.code == .notFound)
    }

    @Test
    mutating func `a draining hub refuses new calls, closes sessions without calls, and others after their calls`()
        throws
    {
        let carol = try hub.open("carol")
        hub.handle(.drain(until: hub.now + .seconds(30)))
        #expect(hub.ended[carol] == .some(.draining))
        #expect(hub.lastEffects.contains(.sessionClosing(alice, .draining)))
        let more = ActionKind.start(handle: .generic("echo"), isVideo: false, contactIdentifier: nil)
        #expect(hub.request(alice, hub.makeUUID(), more) == .draining)
        hub.request(alice, outgoing, .end)
        #expect(hub.ended[alice] == .some(.draining))
        #expect(hub.ended[bob] == .some(.draining))
    }

    @Test mutating func `a second drain request replaces the deadline of the first`() {
        hub.handle(.drain(until: hub.now + .seconds(30)))
        hub.handle(.drain(until: hub.now + .seconds(1)))
        hub.wait(.seconds(1))
        #expect(hub.ended[alice] == .some(.shutdown))
        #expect(hub.last(outgoing, on: alice)?.cause == .shutdown)
        #expect(hub.engine.objectCounts.isEmpty)
    }

    @Test mutating func `at the end of the drain's grace period every call ends`() {
        hub.handle(.drain(until: hub.now + .seconds(30)))
        hub.wait(.seconds(30))
        #expect(hub.ended[alice] == .some(.shutdown))
        #expect(hub.last(incoming, on: bob)?.cause == .shutdown)
        #expect(hub.engine.objectCounts.isEmpty)
    }
}
