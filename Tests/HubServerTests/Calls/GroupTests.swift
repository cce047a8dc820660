import HubClient
import HubEngine
import HubServer
import HubTestSupport
import Testing

/// The audio routes of merged calls, over real sockets, found by the tones that each party receives.
struct GroupTests {
    @Test func `before the merge Bob receives audio of one party only, and the held one none (CK-67)`() async throws {
        let trio = try await Trio()
        let heard = try await trio.speakersHeardByListener()
        #expect(heard == ["alice": [], "bob": ["carol"], "carol": ["bob"]])
        #expect(heard == trio.named)
    }

    @Test func `after the merge each member receives exactly the two others, and not itself (CK-47, CK-67)`()
        async throws
    {
        let trio = try await Trio()
        try await trio.merge()
        #expect(try await trio.speakersHeardByListener() == Trio.everybody)
        #expect(trio.named == Trio.everybody)
        let groups = Set(trio.bob.client.currentCalls.map(\.group))
        #expect(groups.count == 1 && !groups.contains(nil))
        #expect(trio.alice.client.currentCalls.map(\.remoteIsOnHold) == [false])
    }

    @Test func `a merge and a split activate no audio session again for members that had one (CK-66)`() async throws {
        let trio = try await Trio()
        try await trio.merge()
        try await trio.bob.client.setGroup(trio.withCarol.bob, with: nil)
        try await trio.bob.call("is held") { $0.uuid == trio.withAlice.bob && $0.state == .held }
        try await trio.settle()
        // Each activation would have an SSRC of its own.
        for (listener, speaker) in [(trio.carol, "bob"), (trio.bob, "carol")] {
            #expect(listener.namedSources.values.count { $0.handle == .generic(speaker) } == 1)
        }
        #expect(trio.named == ["alice": [], "bob": ["carol"], "carol": ["bob"]])
    }

    @Test func `in a held group no audio is forwarded, whatever its members send (CK-50, CK-67)`() async throws {
        let trio = try await Trio()
        try await trio.merge()
        let bobsSSRC = try #require(trio.alice.sources.first { $0.handle == .generic("bob") }).ssrc
        try await trio.bob.client.setHeld(trio.withAlice.bob, true)
        try await trio.settle()
        let heldBefore = try trio.hub.dropped("held")
        #expect(try await trio.speakersHeardByListener() == Trio.nobody)
        #expect(trio.named == Trio.nobody)
        #expect(try trio.hub.dropped("held", reaching: heldBefore + 60) - heldBefore == 60, "Alice's and Carol's")
        try await trio.bob.say(try TestTone.packets(hertz: 660, count: 10), ssrc: bobsSSRC)
        try await trio.settle()
        #expect(try trio.hub.dropped("noSession", reaching: 10) == 10)
        #expect(trio.phones.allSatisfy { $0.phone.takeReceivedAudio().isEmpty })
        try await trio.bob.client.setHeld(trio.withCarol.bob, false)
        try await trio.settle()
        #expect(try await trio.speakersHeardByListener() == Trio.everybody, "the resume applies to all, too")
    }

    @Test func `a party muted on one call of a group is received on the other, and receives all (CK-52)`() async throws
    {
        let trio = try await Trio()
        try await trio.merge()
        try await trio.bob.client.setMuted(trio.withAlice.bob, true)
        try await trio.settle()
        var expected = Trio.everybody
        expected["alice"] = ["carol"]
        #expect(try await trio.speakersHeardByListener() == expected)
        try await trio.bob.client.setMuted(trio.withCarol.bob, true)
        try await trio.settle()
        expected["carol"] = ["alice"]
        #expect(try await trio.speakersHeardByListener() == expected)
        #expect(try trio.hub.dropped("muted", reaching: 30) == 30)
        // The audio of a muted far end reaches no member of the group.
        try await trio.alice.client.setMuted(trio.withAlice.alice, true)
        try await trio.settle()
        #expect(try await trio.speakersHeardByListener() == ["alice": ["carol"], "bob": ["carol"], "carol": []])
    }

    @Test func `a departed member's audio is no longer received, and the others continue (CK-50)`() async throws {
        let trio = try await Trio()
        try await trio.merge()
        try await trio.carol.client.end(trio.withCarol.carol)
        try await trio.settle()
        let left: [String: Set<String>] = ["alice": ["bob"], "bob": ["alice"], "carol": []]
        #expect(try await trio.speakersHeardByListener() == left)
        #expect(trio.named == left)
        #expect(trio.bob.client.currentCalls.map(\.group) == [nil])
    }

    @Test func `a hub with mixers may be waited for again when it has stopped`() throws {
        let hub = try TestHub { $0.transport.mixers = 2 }
        hub.server.stop()
        for _ in 0..<2 { hub.server.waitUntilStopped() }
    }

    @Test(arguments: [0, 1])
    func `a session reports the delivery that it gets: mixed only if the hub has mixers (CH-10)`(mixers: Int)
        async throws
    {
        let hub = try TestHub {
            $0.transport.mixers = mixers
            $0.transport.mixedFrom = 5
        }
        for delivery in AudioDelivery.allCases {
            let audio = try await hub.phone("alice") { $0.audioDelivery = delivery }.client.session?.audio
            #expect(audio?.delivery == (mixers > 0 ? delivery : .streams))
            #expect(audio?.mix?.mixedFrom == (mixers > 0 && delivery == .mixed ? 5 : nil))
        }
    }
}
