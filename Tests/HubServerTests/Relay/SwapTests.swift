import HubEngine
import HubSimulation
import Testing

@testable import HubServer

/// A device that swaps two calls, with constant audio of all parties.
struct SwapTests {
    @Test(arguments: 0..<4 as Range<UInt64>)
    func `in a thousand swaps at random times no party receives a frame meant for the other (CK-37, D3)`(seed: UInt64)
        throws
    {
        let fixture = RelayFixture(seed: seed)
        var random = SeededRandom(seed: seed)
        let bob = try fixture.open("bob")
        let others = [try fixture.open("alice"), try fixture.open("carol")]
        var calls: [CallUUID] = []
        for caller in others {
            calls.append(try fixture.change { try $0.connect(caller, to: "bob", on: bob).incoming })
        }
        var oldSSRCs: [SessionID: [UInt32]] = [:]
        var activeIndex = 1
        var heard = 0
        for _ in 0..<1000 {
            // Between two swaps all parties send packets, some of them with the SSRC of an earlier session.
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                fixture.hub.wait(.milliseconds(Int.random(in: 1...40, using: &random)))
                let partner = others[activeIndex]
                for speaker in [bob] + others {
                    let current = fixture.hub.engine.audioRoute(of: speaker).ssrc ?? 0
                    let listeners = fixture.send(from: speaker, ssrc: current)
                    let expected = speaker == bob ? [partner] : speaker == partner ? [bob] : []
                    #expect(listeners == expected, "seed \(seed)")
                    heard += listeners.count
                    if let old = oldSSRCs[speaker]?.randomElement(using: &random), old != current {
                        #expect(
                            fixture.send(from: speaker, ssrc: old) == [],
                            "seed \(seed): a stale SSRC was let through"
                        )
                    }
                }
            }
            for speaker in [bob] + others {
                if let ssrc = fixture.hub.engine.audioRoute(of: speaker).ssrc {
                    oldSSRCs[speaker, default: []].append(ssrc)
                }
            }
            let refusal = fixture.change { hub in
                hub.request(bob, [(calls[activeIndex], .setHeld(true)), (calls[1 - activeIndex], .setHeld(false))])
            }
            #expect(refusal == nil)
            activeIndex = 1 - activeIndex
        }
        #expect(heard > 1000)
        #expect(fixture.hub.violations == [])
    }

    @Test func `queued audio is discarded when its sender is removed from the route`() throws {
        let fixture = RelayFixture()
        let alice = try fixture.open("alice")
        let bob = try fixture.open("bob")
        let call = try fixture.change { try $0.connect(alice, to: "bob", on: bob).outgoing }
        fixture.audioOutlet.droppedQueues = []
        _ = fixture.change { $0.request(alice, call, .setHeld(true)) }
        #expect(Set(fixture.audioOutlet.droppedQueues.compactMap(fixture.device)) == [alice, bob])
    }

    @Test func `another session's SSRC gives no access to its call`() throws {
        let fixture = RelayFixture()
        let alice = try fixture.open("alice")
        let bob = try fixture.open("bob")
        let mallory = try fixture.open("mallory")
        _ = try fixture.change { try $0.connect(alice, to: "bob", on: bob) }
        _ = fixture.change { $0.start(mallory, to: "music") }
        let foreign = try #require(fixture.hub.engine.audioRoute(of: alice).ssrc)
        #expect(fixture.send(from: mallory, ssrc: foreign) == [])
        #expect(fixture.relay.dropped(.staleSession) == 1)
    }
}
