import HubEngine
import HubSimulation
import Testing

/// Audio after a swap and back.
struct SwapBackTests {
    private let fixture = RelayFixture()
    private let alice: SessionID
    private let bob: SessionID
    private let call: (outgoing: CallUUID, incoming: CallUUID)

    init() throws {
        let fixture = fixture
        alice = try fixture.open("alice")
        bob = try fixture.open("bob")
        let (alice, bob) = (alice, bob)
        call = try fixture.change { try $0.connect(alice, to: "bob", on: bob) }
    }

    /// Checks that the next packet of each, in the current audio session, reaches the other.
    private func expectBothHeard() {
        for (speaker, listener) in [(alice, bob), (bob, alice)] {
            fixture.hub.wait(.milliseconds(20))
            let ssrc = fixture.hub.engine.audioRoute(of: speaker).ssrc ?? 0
            #expect(fixture.send(from: speaker, ssrc: ssrc) == [listener])
        }
    }

    private func request(_ actions: (CallUUID, ActionKind)...) {
        let refusal = fixture.change { [bob] in $0.request(bob, actions) }
        #expect(refusal == nil)
    }

    @Test func `after a swap and back both parties receive each other's audio from the first packet (P6)`() throws {
        let carol = try fixture.open("carol")
        let second = try fixture.change { [bob] in try $0.connect(carol, to: "bob", on: bob).incoming }
        for _ in 0..<3 {
            #expect(fixture.send(from: alice, ssrc: fixture.hub.engine.audioRoute(of: alice).ssrc ?? 0) == [])
            request((second, .setHeld(true)), (call.incoming, .setHeld(false)))
            expectBothHeard()
            request((call.incoming, .setHeld(true)), (second, .setHeld(false)))
        }
        #expect(fixture.hub.violations == [])
    }

    @Test func `after a swap to an external call and back both parties receive each other's audio (CK-68, P7)`() throws
    {
        let outside = fixture.hub.makeUUID()
        let start = ActionKind.start(
            handle: Handle(type: .phoneNumber, value: "110"),
            isVideo: false,
            contactIdentifier: nil,
            isExternal: true
        )
        request((outside, start))
        fixture.change { [bob] in _ = $0.ask(bob, .reportOutgoingCall(outside, .connected, date: nil)) }
        for _ in 0..<3 {
            let states = fixture.hub.calls(bob).map(\.state)
            #expect(states == [.held, .connected], "the external call has put ours on hold")
            let ssrc = fixture.hub.engine.audioRoute(of: bob).ssrc ?? 0
            #expect(fixture.send(from: bob, ssrc: ssrc) == [], "its sound is not the hub's")
            request((outside, .setHeld(true)), (call.incoming, .setHeld(false)))
            expectBothHeard()
            request((call.incoming, .setHeld(true)), (outside, .setHeld(false)))
        }
        fixture.change { [bob] in _ = $0.ask(bob, .reportCallEnded(outside, .remoteEnded, date: nil)) }
        #expect(fixture.hub.calls(bob).map(\.state) == [.held], "nothing resumes by itself (P3)")
        request((call.incoming, .setHeld(false)))
        expectBothHeard()
    }
}
