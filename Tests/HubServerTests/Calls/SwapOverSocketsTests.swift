import HubClient
import HubEngine
import HubTestSupport
import HubWire
import Testing

/// A device that swaps two calls over real sockets, while all three parties send audio.
struct SwapOverSocketsTests {
    /// Each party's packets begin with its own letter, behind the byte that makes them Opus.
    private static func words(_ letter: UInt8) -> [[UInt8]] {
        (0..<3).map { [0x78, letter, UInt8($0), 0] }
    }

    @Test func `during repeated swaps of two calls each party receives the right audio, with the current SSRC only`()
        async throws
    {
        let hub = try TestHub()
        let bob = try await hub.phone("bob")
        let others = [try await hub.phone("alice"), try await hub.phone("carol")]
        let letters = [UInt8(ascii: "a"), UInt8(ascii: "c")]
        var calls: [CallUUID] = []
        var ssrcs: [UInt32] = []
        var bobsSSRC: UInt32 = 0
        for other in others {
            try await other.client.start(.generic("bob"))
            ssrcs.append(try await other.activation().ssrc)
            calls.append(try await bob.ringing().uuid)
            try await bob.client.answer(try #require(calls.last))
            bobsSSRC = try await bob.activation().ssrc
        }
        var active = 1
        var heard = (bob: 0, others: 0)
        for round in 0..<100 {
            // All parties send before, during and after the swap, without waiting for it.
            let stale = bobsSSRC
            for (index, other) in others.enumerated() {
                try await other.say(Self.words(letters[index]), ssrc: ssrcs[index], from: 6 * round)
            }
            try await bob.say(Self.words(UInt8(ascii: "b")), ssrc: stale, from: 6 * round)
            try await bob.client.swap(calls[active], with: calls[1 - active])
            try await bob.say(Self.words(UInt8(ascii: "!")), ssrc: stale, from: 6 * round + 3)
            bobsSSRC = try await bob.activation().ssrc
            #expect(bobsSSRC != stale)
            try await bob.settle()
            for other in others { try await other.settle() }
            try await bob.settle()
            let heardByBob = bob.takeReceivedAudio()
            let heardByActive = try await others[active].takeReceivedAudio(reaching: 3)
            let heardByHeld = others[1 - active].takeReceivedAudio()
            // What came before the swap is from the one who was active, what came after it from the other; never mixed.
            let speakers = heardByBob.map(\.ssrc)
            let turn = speakers.firstIndex(of: ssrcs[1 - active]) ?? speakers.count
            #expect(speakers[..<turn].allSatisfy { $0 == ssrcs[active] })
            #expect(speakers[turn...].allSatisfy { $0 == ssrcs[1 - active] })
            #expect(heardByHeld.isEmpty, "the held party received no audio")
            #expect(heardByActive.allSatisfy { $0.payload[1] == UInt8(ascii: "b") })
            heard.bob += heardByBob.count
            heard.others += heardByActive.count
            active = 1 - active
        }
        // Theirs race with his swap, all the more between loops: some are too late.
        #expect(heard.bob >= 20)
        #expect(heard.others == 300, "all of Bob's audio before a swap")
        // If the two ends are on two loops, the listener's gate, too, stops some packets to the held party.
        #expect(try hub.dropped("staleSession") >= 300)
    }
}
