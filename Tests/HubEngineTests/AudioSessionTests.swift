import HubEngine
import HubSimulation
import Testing

/// The activation and deactivation of a device's audio session: the table of callkit-semantics.md 2.8, row by row.
struct AudioSessionTests {
    /// A change of the audio session of Bob's device, with its call's index in order of arrival.
    enum AudioSessionChange: Equatable {
        case off(Int)
        case on(Int)
    }

    private var hub: SimulatedHub
    private let alice: SessionID
    private let bob: SessionID
    private let carol: SessionID
    private var calls: [(own: CallUUID, far: CallUUID)] = []

    init() throws {
        var hub = SimulatedHub()
        alice = try hub.open("alice")
        bob = try hub.open("bob", fulfillment: .manual)
        carol = try hub.open("carol")
        self.hub = hub
    }

    private mutating func receiveCall(from caller: SessionID) throws {
        let far = hub.start(caller, to: "bob")
        let ringing = hub.ringing(bob)
        calls.append((try #require(ringing).uuid, far))
    }

    private mutating func ask(_ actions: (CallUUID, ActionKind)...) throws {
        #expect(hub.request(bob, actions) == nil)
        var last: ActionUUID?
        while let action = hub.actionToPerform(bob), action.uuid != last {
            last = action.uuid
            hub.ask(bob, .fulfill(action.uuid, date: nil))
        }
    }

    /// Returns the activations and deactivations that Bob's device was notified of since the last call.
    private mutating func audio() throws -> [AudioSessionChange] {
        var told: [AudioSessionChange] = []
        for notification in hub.read(bob) {
            switch notification {
            case .didActivateAudioSession(let audio):
                told.append(.on(try #require(calls.firstIndex { [$0.own] == audio.calls })))
            case .didDeactivateAudioSession(let audio):
                told.append(.off(try #require(calls.firstIndex { [$0.own] == audio.calls })))
            default:
                continue
            }
        }
        return told
    }

    private mutating func oneCall() throws {
        try receiveCall(from: alice)
        try ask((calls[0].own, .answer))
        _ = try audio()
    }

    /// Two calls: Alice's is held, Carol's is active.
    private mutating func twoCalls() throws {
        try oneCall()
        try receiveCall(from: carol)
        try ask((calls[0].own, .setHeld(true)), (calls[1].own, .answer))
        _ = try audio()
    }

    @Test mutating func `a fulfilled start activates the audio session before the call connects (CK-66)`() throws {
        let call = hub.start(bob, to: "alice")
        calls.append((call, call))
        #expect(try audio() == [])
        let start = hub.ask(bob, .pending(type: .start, callUUID: call)).actions.first
        hub.ask(bob, .fulfill(try #require(start), date: nil))
        #expect(hub.calls(bob).map(\.hasConnected) == [false])
        #expect(try audio() == [.on(0)])
        hub.request(alice, try #require(hub.ringing(alice)).uuid, .answer)
        #expect(try audio() == [], "connected is no further event")
    }

    @Test mutating func `a fulfilled answer activates the audio session, not before (CK-66)`() throws {
        try receiveCall(from: alice)
        hub.request(bob, calls[0].own, .answer)
        let action = try #require(hub.actionToPerform(bob)).uuid
        #expect(try audio() == [])
        hub.ask(bob, .fulfill(action, date: nil))
        #expect(try audio() == [.on(0)])
    }

    @Test mutating func `holding the only call deactivates the audio session, resuming activates it again (CK-66, P4)`()
        throws
    {
        try oneCall()
        let before = hub.engine.audioRoute(of: bob).ssrc
        try ask((calls[0].own, .setHeld(true)))
        #expect(try audio() == [.off(0)])
        try ask((calls[0].own, .setHeld(false)))
        #expect(try audio() == [.on(0)])
        #expect(hub.engine.audioRoute(of: bob).ssrc != before)
    }

    @Test mutating func `a swap, and the swap back, deactivate one call and activate the other (CK-66, P4, P5)`() throws
    {
        try twoCalls()
        try ask((calls[1].own, .setHeld(true)), (calls[0].own, .setHeld(false)))
        #expect(try audio() == [.off(1), .on(0)])
        try ask((calls[0].own, .setHeld(true)), (calls[1].own, .setHeld(false)))
        #expect(try audio() == [.off(0), .on(1)])
    }

    @Test
    mutating func `the end of the last active call deactivates the audio session, whichever party ends it (CK-66)`()
        throws
    {
        for isLocal in [true, false] {
            var test = try AudioSessionTests()
            try test.oneCall()
            if isLocal {
                try test.ask((test.calls[0].own, .end))
            } else {
                test.hub.request(alice, test.calls[0].far, .end)
            }
            #expect(try test.audio() == [.off(0)])
        }
    }

    @Test mutating func `the end of a held or ringing call does not affect the audio session (CK-66, P10, P11)`() throws
    {
        try twoCalls()
        try ask((calls[0].own, .end))
        #expect(try audio() == [])
        try receiveCall(from: alice)
        #expect(try audio() == [], "a ring touches no audio")
        try ask((calls[2].own, .end))
        #expect(try audio() == [])
        hub.request(alice, hub.start(alice, to: "bob"), .end)
        #expect(try audio() == [])
    }

    @Test mutating func `after a local end the resumed call has audio, after a remote end none has (CK-66, CK-44)`()
        throws
    {
        try twoCalls()
        try ask((calls[1].own, .end))
        #expect(try audio() == [.off(1), .on(0)])
        var test = try AudioSessionTests()
        try test.twoCalls()
        test.hub.request(carol, test.calls[1].far, .end)
        #expect(try test.audio() == [.off(1)])
        try test.ask((test.calls[0].own, .setHeld(false)))
        #expect(try test.audio() == [.on(0)], "a later resumption always activates (P1)")
    }

    @Test mutating func `a mute does not affect the audio session (CK-66)`() throws {
        try oneCall()
        try ask((calls[0].own, .setMuted(true)))
        try ask((calls[0].own, .setMuted(false)))
        #expect(try audio() == [])
    }

    @Test mutating func `an invalidated provider has no audio session (CK-66)`() throws {
        try twoCalls()
        hub.ask(bob, .invalidate)
        #expect(try audio() == [.off(1)])
        #expect(hub.engine.audioRoute(of: bob) == .closed)
    }
}

extension Reply? {
    /// The actions of a list of pending ones.
    fileprivate var actions: [ActionUUID] {
        if case .pending(_, let actions) = self { actions.map(\.uuid) } else { [] }
    }
}
