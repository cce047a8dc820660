import HubEngine
import HubTestSupport
import Testing

@testable import HubServer

/// The change between packets passed on and a mix, as the relay and the mixer see it.
struct MixRoutingTests {
    /// The relay of a hub with one loop and one mixer, and three sessions that want mixes.
    private final class Fixture {
        let outlet = AudioOutletSpy()
        let context: LoopGroupContext
        let relay: AudioRelay<AudioOutletSpy>
        let control: RelayControl
        private let storage: Storage
        private var number = 0
        /// The time of the next packet.
        private var now = Instant(nanoseconds: 1_000_000_000)

        static let now = Instant(nanoseconds: 1_000_000_000)

        private final class Storage {
            let storage: AudioRelayStorage<AudioOutletSpy>

            init(_ context: LoopGroupContext, _ outlet: AudioOutletSpy) {
                storage = AudioRelayStorage(
                    connections: 16,
                    outlet: outlet,
                    lateAfter: .seconds(60),
                    crossLoopLink: CrossLoopLink(from: LoopIndex(number: 0, context: context))
                )
            }
        }

        init() {
            context = LoopGroupContext(loops: 1, mixers: 1, ringBytes: 1 << 16)
            storage = Storage(context, outlet)
            let relay = storage.storage.view
            self.relay = relay
            control = RelayControl(mixing: Mixing(first: 1, count: 1, ssrc: 0xF00D, mixedFrom: 3)) { _, command in
                _ = relay.apply(command, at: Self.now)
            }
            for party in 1...3 as ClosedRange<UInt32> {
                control.open(session(party), on: connection(party), wantsMix: true)
            }
        }

        func session(_ party: UInt32) -> SessionID { SessionID(index: party, generation: 1) }

        func connection(_ party: UInt32) -> ConnectionID { ConnectionID(slot: party, generation: 1, loop: 0) }

        /// Connects some parties, which are notified of one another.
        func connect(_ parties: [UInt32], mutes: UInt32? = nil) {
            for party in parties {
                var route = AudioRoute.closed
                route.gateReason = nil
                route.ssrc = 100 + party
                route.sinks = party == mutes ? [] : parties.filter { $0 != party }.map(session)
                control.setRoute(route, of: session(party), at: Self.now)
                control.setSourceCount(parties.count - 1, of: session(party))
            }
            control.updateMixes()
        }

        /// Sends a packet; returns the parties that it is passed on to, and what the mixer is sent up to it.
        func send(from party: UInt32) -> (passedOn: Set<UInt32>, records: [MixRecord], packets: Int) {
            outlet.sent = []
            number += 1
            now = now + .milliseconds(20)
            let packet = TestPhone.packet([0x78, 1, 2, 3], ssrc: 100 + party, number: number)
            packet.withUnsafeBytes { relay.receive($0, from: connection(party), at: now) }
            var (records, packets) = ([MixRecord](), 0)
            context.ring(from: 0, to: 1).read { _, bytes, _ in
                if let record = MixRecord(parsing: bytes, mixer: 1) {
                    // A list behind the packet would be one too late.
                    #expect(packets == 0)
                    records.append(record)
                } else {
                    packets += 1
                }
                return true
            }
            return (Set(outlet.sent.map(\.id.slot)), records, packets)
        }
    }

    @Test func `with a third party each packet goes to the mixer, once, behind the list of its listeners (CH-10)`() {
        let fixture = Fixture()
        fixture.connect([1, 2])
        var sent = fixture.send(from: 1)
        #expect(sent.passedOn == [2] && sent.records.isEmpty && sent.packets == 0)
        fixture.outlet.droppedQueues = []
        fixture.connect([1, 2, 3])
        sent = fixture.send(from: 1)
        #expect(sent.passedOn.isEmpty && sent.packets == 1)
        let last = sent.records.last { $0.ssrc == 101 }
        #expect(last?.listeners.map(\.session) == [fixture.session(2), fixture.session(3)])
        // What waits for the listener still reaches it.
        #expect(!fixture.outlet.droppedQueues.contains(fixture.connection(2)))
    }

    @Test func `when the third party leaves, the rest of the mix goes to those who receive packets again (CH-10)`() {
        let fixture = Fixture()
        fixture.connect([1, 2, 3])
        _ = fixture.send(from: 1)
        fixture.control.setRoute(.closed, of: fixture.session(3), at: Fixture.now)
        fixture.connect([1, 2])
        let sent = fixture.send(from: 1)
        #expect(sent.passedOn == [2] && sent.packets == 0)
        let own = sent.records.filter { $0.ssrc == 101 }
        #expect(own.last?.listeners.isEmpty == true)
        #expect(own.flatMap(\.draining).map(\.session) == [fixture.session(2)])
        // The one who has left gets no rest.
        let others = sent.records.filter { $0.ssrc == 103 }
        #expect(others.last?.listeners.isEmpty == true && others.allSatisfy(\.draining.isEmpty))
    }

    @Test func `a mute changes nobody's stream (CH-10)`() {
        let fixture = Fixture()
        fixture.connect([1, 2, 3])
        _ = fixture.send(from: 1)
        fixture.connect([1, 2, 3], mutes: 2)
        let sent = fixture.send(from: 1)
        #expect(sent.passedOn.isEmpty && sent.packets == 1)
        #expect(sent.records.allSatisfy { $0.ssrc == 102 && $0.listeners.isEmpty && $0.draining.isEmpty })
    }

    @Test func `a new audio session of a source ends its former stream (CH-10)`() {
        let fixture = Fixture()
        fixture.connect([1, 2, 3])
        _ = fixture.send(from: 1)
        var route = AudioRoute.closed
        route.gateReason = nil
        route.ssrc = 999
        route.sinks = [fixture.session(2), fixture.session(3)]
        fixture.control.setRoute(route, of: fixture.session(1), at: Fixture.now)
        let sent = fixture.send(from: 1)
        #expect(sent.packets == 0)
        #expect(sent.records.map(\.ssrc) == [101, 999])
        #expect(sent.records.map(\.listeners.count) == [0, 2])
    }

    @Test func `a full ring keeps the lists, in order, until there is room (CH-10)`() {
        let fixture = Fixture()
        let filler = [UInt8](repeating: 1, count: 1_400)
        let ring = fixture.context.ring(from: 0, to: 1)
        while filler.withUnsafeBytes({ ring.write($0, for: fixture.session(1), at: 0) }) {}
        let small = [UInt8](repeating: 1, count: 1)
        while small.withUnsafeBytes({ ring.write($0, for: fixture.session(1), at: 0) }) {}
        fixture.connect([1, 2, 3])
        ring.read { _, bytes, _ in
            #expect(bytes[0] == 1)
            return true
        }
        fixture.relay.sendMixRecords(at: Instant(nanoseconds: 1_000_000_000))
        let sent = fixture.send(from: 1)
        #expect(Set(sent.records.map(\.ssrc)) == [101, 102, 103])
        #expect(sent.records.last { $0.ssrc == 101 }?.listeners.count == 2)
    }

    @Test func `a record survives its way, and no packet is one`() {
        let listeners = (0..<40).map {
            MixedListener(session: SessionID(index: $0, generation: 7), loop: UInt16($0 % 3), mixer: 4)
        }
        let record = MixRecord(ssrc: 0xDEAD_BEEF, listeners: listeners, draining: Array(listeners.prefix(3)))
        record.bytes.withUnsafeBytes { #expect(MixRecord(parsing: $0, mixer: 4) == record) }
        TestPhone.packet([0x78], ssrc: 1, number: 1).withUnsafeBytes {
            #expect(MixRecord(parsing: $0, mixer: 4) == nil)
        }
    }
}
