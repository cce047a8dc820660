import HubSimulation
import Testing

@testable import HubEngine
@testable import HubServer

/// Packets of hold audio from the relays of two loops, on a virtual clock (CH-09).
struct HoldPlaybackTests {
    private let fixture = RelayFixture(loops: 2)
    private let alice: SessionID
    private let bob: SessionID
    private let incoming: CallUUID

    init() throws {
        alice = try fixture.open("alice")
        bob = try fixture.open("bob")
        let (alice, bob) = (alice, bob)
        incoming = try fixture.change { hub in
            hub.handle(.holdAudio(account: "bob", .music))
            return try hub.connect(alice, to: "bob", on: bob).incoming
        }
    }

    private func setHeld(_ isOnHold: Bool) {
        let refusal = fixture.change { $0.request(bob, incoming, .setHeld(isOnHold)) }
        #expect(refusal == nil)
    }

    /// Lets some ticks pass on both loops; returns the receivers and numbers of the packets that were sent.
    private func play(ticks: Int) throws -> [(receiver: SessionID?, number: UInt16)] {
        fixture.audioOutlet.sent = []
        for _ in 0..<ticks {
            fixture.hub.wait(.milliseconds(20))
            let (now, sounds) = (fixture.hub.now, try BuiltInSounds.shared.get())
            for relay in fixture.relays { relay.play(tick: now.nanoseconds / 20_000_000, at: now, sounds) }
        }
        return fixture.audioOutlet.sent.map { (fixture.device(at: $0.id), $0.number) }
    }

    @Test func `the packets follow one another over a hold, a pause and a change of the loop (CH-09)`() throws {
        #expect(try play(ticks: 5).isEmpty)
        setHeld(true)
        #expect(try play(ticks: 5).map(\.number) == [0, 1, 2, 3, 4])
        setHeld(false)
        #expect(try play(ticks: 100).isEmpty)
        setHeld(true)
        let packets = try play(ticks: 3)
        #expect(packets.map(\.number) == [5, 6, 7] && packets.allSatisfy { $0.receiver == alice })
        fixture.move(alice, to: 1)
        fixture.applyAllUpdates()
        #expect(try play(ticks: 3).map(\.number) == [8, 9, 10])
        #expect(fixture.relays.map { $0.state.pointee.holdPackets } == [8, 3])
        // Nothing of it is in the statistics of the call.
        for relay in fixture.relays {
            #expect(relay.quality(of: alice, at: fixture.hub.now)?.delivery.accepted ?? 0 == 0)
        }
    }

    @Test func `what waits for a slow socket is discarded when the hold ends (CH-09)`() throws {
        setHeld(true)
        _ = try play(ticks: 2)
        fixture.audioOutlet.droppedQueues = []
        setHeld(false)
        #expect(fixture.audioOutlet.droppedQueues.map { fixture.device(at: $0) }.contains(alice))
    }

    @Test func `music that is read first begins at its beginning, and is of the present hold only (CH-09)`() throws {
        var commands: [RelayCommand] = []
        let control = RelayControl(awaitsMusic: true) { commands.append($1) }
        let session = SessionID(index: 0, generation: 1)
        control.open(session, on: ConnectionID(slot: 1, generation: 1, loop: 0))
        func route(_ source: HoldSource?) -> AudioRoute {
            AudioRoute(gateReason: .held, ssrc: 7, sinks: [], playedSources: [], holdSource: source)
        }
        func last() -> HoldPlayback? {
            guard case .setRoute(_, _, let hold, _)? = commands.last else { return nil }
            return hold
        }
        func at(_ tick: Int64) -> Instant { Instant(nanoseconds: tick * 20_000_000) }
        let first = HoldSource(audio: .music, account: "bob", ssrc: 1)
        #expect(control.setRoute(route(first), of: session, at: at(100)))
        #expect(last()?.isAwaited == true)
        control.setHoldMusic(nil, ssrc: 2, of: session, at: at(101))
        #expect(last()?.isAwaited == true, "another hold's")
        control.setHoldMusic(nil, ssrc: 1, of: session, at: at(110))
        #expect(last()?.isAwaited == false && last()?.firstTick == 111)
        control.setHoldMusic(nil, ssrc: 1, of: session, at: at(120))
        #expect(last()?.firstTick == 111, "once")
        #expect(!control.setRoute(route(nil), of: session, at: at(115)) && last() == nil)
        #expect(control.setRoute(route(HoldSource(audio: .music, account: "bob", ssrc: 3)), of: session, at: at(200)))
        #expect(!control.setRoute(route(nil), of: session, at: at(300)), "before it was known which music it is")
        _ = control.setRoute(route(HoldSource(audio: .music, account: "bob", ssrc: 4)), of: session, at: at(400))
        control.setHoldMusic(nil, ssrc: 4, of: session, at: at(409))
        // Five packets were played in the first hold.
        let continued: Int64 = 410 - 5
        #expect(last()?.firstTick == continued)
        #expect(!control.setRoute(route(HoldSource(audio: .tone, account: "bob", ssrc: 5)), of: session, at: at(500)))
        #expect(last()?.firstTick == 501 && last()?.isAwaited == false, "a tone begins at once")
    }
}
