import HubEngine
import HubSimulation
import Testing

/// Bob has a call with Alice; Carol calls Bob too.
struct SeveralCallsTests {
    var hub: SimulatedHub
    let alice: SessionID
    let bob: SessionID
    let carol: SessionID
    let first: CallUUID

    init() throws {
        var hub = SimulatedHub()
        alice = try hub.open("alice")
        bob = try hub.open("bob")
        carol = try hub.open("carol")
        first = try hub.connect(alice, to: "bob", on: bob).incoming
        self.hub = hub
    }

    /// Carol calls, and Bob's device shows the choices.
    private mutating func callWaiting() throws -> CallSnapshot {
        _ = hub.start(carol, to: "bob")
        let waiting = hub.ringing(bob)
        return try #require(waiting)
    }

    private mutating func choose(_ name: Choice.Name, of call: CallSnapshot) -> Refusal.Code? {
        let choice = call.choices.first { $0.name == name }
        return hub.request(bob, (choice?.actions ?? []).map { ($0.callUUID, $0.kind) })
    }

    @Test
    mutating func `a second call offers hold, end and decline, and does not affect the audio session (CK-38, P11)`()
        throws
    {
        let waiting = try callWaiting()
        #expect(waiting.choices.map(\.name) == [.holdAndAccept, .endAndAccept, .decline])
        #expect(hub.engine.audioRoute(of: bob).sinks == [alice], "a ringing call touches no audio (P11)")
    }

    @Test mutating func `a ringing call continues to ring when the other call has ended (P12)`() throws {
        let waiting = try callWaiting()
        let outgoing = try #require(hub.calls(alice).first).uuid
        hub.request(alice, outgoing, .end)
        #expect(hub.last(waiting.uuid, on: bob)?.choices.map(\.name) == [.accept, .decline])
        #expect(hub.last(waiting.uuid, on: bob)?.state == .ringing)
    }

    @Test mutating func `beside a held call a ringing one offers the choices of iOS, where the hold has no effect`()
        throws
    {
        hub.request(bob, first, .setHeld(true))
        let waiting = try callWaiting()
        #expect(waiting.choices.map(\.name) == [.holdAndAccept, .endHeldAndAccept, .decline])
        #expect(choose(.holdAndAccept, of: waiting) == nil)
        #expect(hub.calls(bob).map(\.state) == [.held, .connected])
    }

    @Test mutating func `hold and accept is one transaction with one activation (CK-39, P8)`() throws {
        let waiting = try callWaiting()
        _ = hub.read(bob)
        #expect(choose(.holdAndAccept, of: waiting) == nil)
        #expect(hub.last(first, on: bob)?.state == .held)
        #expect(hub.last(waiting.uuid, on: bob)?.state == .connected)
        #expect(hub.engine.audioRoute(of: bob).sinks == [carol])
        #expect(hub.engine.audioRoute(of: alice).gateReason == .held)
        let audio = hub.read(bob).compactMap(\.audioChange)
        #expect(audio == [.off([first]), .on([waiting.uuid])])
    }

    @Test mutating func `end and accept deactivates the audio session before it activates the new one (CK-40, P9)`()
        throws
    {
        let waiting = try callWaiting()
        _ = hub.read(bob)
        #expect(choose(.endAndAccept, of: waiting) == nil)
        #expect(hub.calls(bob).map(\.uuid) == [waiting.uuid])
        #expect(hub.read(bob).compactMap(\.audioChange) == [.off([first]), .on([waiting.uuid])])
        #expect(hub.calls(alice) == [])
    }

    @Test mutating func `a plain answer holds the active call, with origin system (P13)`() throws {
        let waiting = try callWaiting()
        hub.request(bob, waiting.uuid, .answer)
        #expect(hub.last(first, on: bob)?.state == .held)
        let holds = hub.performed(bob).filter { $0.0 == .setHeld(true) }
        #expect(holds.map(\.1) == [.system])
    }

    @Test mutating func `a call that cannot be held offers no hold, and a plain answer ends it (CK-36, P35)`() throws {
        var update = CallUpdate()
        update.supportsHolding = false
        hub.ask(bob, .reportCall(first, update))
        #expect(hub.request(bob, first, .setHeld(true)) == .requestTransaction(.invalidAction))
        let waiting = try callWaiting()
        #expect(waiting.choices.map(\.name) == [.endAndAccept, .decline])
        hub.request(bob, waiting.uuid, .answer)
        #expect(hub.calls(bob).map(\.uuid) == [waiting.uuid])
    }

    @Test mutating func `declining the waiting call does not affect the active one (P11)`() throws {
        let waiting = try callWaiting()
        _ = hub.read(bob)
        #expect(choose(.decline, of: waiting) == nil)
        #expect(hub.read(bob).compactMap(\.audioChange) == [])
        #expect(hub.engine.audioRoute(of: bob).sinks == [alice])
    }

    @Test mutating func `a swap is one transaction that deactivates before it activates (CK-37, D3, P5)`() throws {
        let second = try callWaiting().uuid
        hub.request(bob, second, .answer)
        let stale = try #require(hub.audio(bob)).ssrc
        _ = hub.read(bob)
        #expect(hub.request(bob, [(second, .setHeld(true)), (first, .setHeld(false))]) == nil)
        #expect(hub.engine.audioRoute(of: bob).sinks == [alice])
        #expect(hub.engine.audioRoute(of: bob).ssrc != stale)
        #expect(hub.engine.audioRoute(of: carol).gateReason == .held)
        let told = hub.read(bob)
        #expect(told.compactMap(\.audioChange) == [.off([second]), .on([first])])
        let transactions = told.compactMap { notification -> TransactionUUID? in
            if case .perform(let transaction, _, _, _, _) = notification { transaction } else { nil }
        }
        #expect(transactions.count == 2 && Set(transactions).count == 1)
    }

    @Test mutating func `resuming one call first holds the other (CK-34, P15)`() throws {
        let second = try callWaiting().uuid
        hub.request(bob, second, .answer)
        _ = hub.read(bob)
        hub.request(bob, first, .setHeld(false))
        let performed = hub.performed(bob)
        #expect(performed.map(\.0) == [.setHeld(true), .setHeld(false)])
        #expect(performed.map(\.1) == [.system, .user])
        #expect(hub.last(second, on: bob)?.state == .held)
    }

    @Test mutating func `a local end resumes the one held call (CK-43)`() throws {
        let second = try callWaiting().uuid
        hub.request(bob, second, .answer)
        hub.request(bob, second, .end)
        #expect(hub.last(first, on: bob)?.state == .connected)
        #expect(hub.engine.audioRoute(of: bob).sinks == [alice])
    }

    @Test mutating func `several held calls are not resumed automatically (CK-43)`() throws {
        var provider = ProviderConfiguration()
        provider.maximumCallGroups = 3
        hub.ask(bob, .configure(provider))
        let second = try callWaiting().uuid
        hub.request(bob, second, .answer)
        let third = hub.start(bob, to: "music")
        #expect(hub.calls(bob).map(\.state) == [.held, .held, .connected])
        hub.request(bob, third, .end)
        #expect(hub.calls(bob).map(\.state) == [.held, .held])
        #expect(hub.audio(bob) == nil)
    }

    @Test mutating func `a remote end resumes nothing, and a later resume always activates audio (CK-44, P1, P3)`()
        throws
    {
        let second = try callWaiting().uuid
        hub.request(bob, second, .answer)
        let outgoing = try #require(hub.calls(carol).first).uuid
        hub.request(carol, outgoing, .end)
        #expect(hub.last(first, on: bob)?.state == .held)
        #expect(hub.audio(bob) == nil)
        hub.request(bob, first, .setHeld(false))
        #expect(hub.audio(bob)?.calls == [first])
        #expect(hub.engine.audioRoute(of: alice).sinks == [bob])
    }

    @Test mutating func `the end of a call does not affect the audio session of the other, active one (P10)`() throws {
        let second = try callWaiting().uuid
        hub.request(bob, second, .answer)
        _ = hub.read(bob)
        hub.request(bob, first, .end)
        #expect(hub.read(bob).compactMap(\.audioChange) == [])
        #expect(hub.engine.audioRoute(of: bob).sinks == [carol])
    }

    @Test mutating func `starting a call first holds the active one (CK-45)`() throws {
        _ = hub.read(bob)
        let outgoing = hub.start(bob, to: "carol")
        let performed = hub.performed(bob)
        #expect(performed.map(\.0.type) == [.setHeld, .start])
        #expect(performed.map(\.1) == [.system, .user])
        #expect(hub.last(first, on: bob)?.state == .held)
        #expect(hub.audio(bob)?.calls == [outgoing])
    }

    @Test mutating func `at the limit of calls, including ringing and held ones, a start is refused (CK-51)`() throws {
        _ = try callWaiting()
        let third = (hub.makeUUID(), ActionKind.start(handle: .generic("echo"), isVideo: false, contactIdentifier: nil))
        #expect(hub.request(bob, [third]) == .requestTransaction(.maximumCallGroupsReached))
        #expect(hub.request(bob, [(first, .end), third]) == nil, "the scratch copy has room by then")
    }

    @Test mutating func `one call may wait beyond the limit, with fewer choices (CK-41, D2)`() throws {
        let second = try callWaiting().uuid
        hub.request(bob, second, .answer)
        let dave = try hub.open("dave")
        let erin = try hub.open("erin")
        _ = hub.start(dave, to: "bob")
        let waiting = hub.ringing(bob)
        let third = try #require(waiting)
        #expect(third.choices.map(\.name) == [.endAndAccept, .endHeldAndAccept, .decline])
        let busy = hub.start(erin, to: "bob")
        #expect(hub.last(busy, on: erin)?.cause == .busy)
        #expect(hub.last(busy, on: erin)?.endedReason == .remoteEnded)
        #expect(choose(.endHeldAndAccept, of: third) == nil)
        #expect(hub.calls(bob).map(\.state) == [.held, .connected])
        #expect(hub.calls(bob).map(\.uuid) == [second, third.uuid])
        #expect(hub.violations == [])
    }

    @Test mutating func `of two ringing calls the unanswered one continues to ring (CK-42, D6, P29)`() throws {
        hub.request(bob, first, .end)
        let one = try callWaiting()
        _ = hub.start(alice, to: "bob")
        hub.request(bob, one.uuid, .answer)
        #expect(hub.calls(bob).map(\.state) == [.connected, .ringing])
    }
}

extension Notification {
    /// A change of a device's audio session, reduced to its calls, which a test compares.
    enum AudioChange: Equatable {
        case on([CallUUID])
        case off([CallUUID])
    }

    var audioChange: AudioChange? {
        switch self {
        case .didActivateAudioSession(let session): .on(session.calls)
        case .didDeactivateAudioSession(let session): .off(session.calls)
        default: nil
        }
    }
}
