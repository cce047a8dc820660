import HubClient
import HubEngine
import HubTestSupport
import HubWire
import Testing

/// An external call during one of the hub's own, over real sockets.
struct ExternalOverSocketsTests {
    @Test func `an answered external call holds the hub's call, and frames stop both ways (CK-68, CK-67)`()
        async throws
    {
        let hub = try TestHub()
        let (alice, bob) = (try await hub.phone("alice"), try await hub.phone("bob"))
        try await alice.client.start(.generic("bob"))
        let aliceSSRC = try await alice.activation().ssrc
        let inside = try await bob.ringing().uuid
        try await bob.client.answer(inside)
        let insideSSRC = try await bob.activation().ssrc
        try await alice.call("is connected") { $0.state == .connected }
        let packets = try TestTone.packets(hertz: 440, count: 25)
        func exchange(_ bobsSSRC: UInt32, from number: Int, expecting count: Int) async throws -> [Int] {
            try await alice.say(packets, ssrc: aliceSSRC, from: number)
            try await bob.say(packets, ssrc: bobsSSRC, from: number)
            for phone in [alice, bob] { try await phone.settle() }
            return [
                try await alice.takeReceivedAudio(reaching: count).count,
                try await bob.takeReceivedAudio(reaching: count).count,
            ]
        }
        #expect(try await exchange(insideSSRC, from: 0, expecting: 25) == [25, 25])

        let outside = CallUUID.random()
        var update = CallUpdate()
        update.remoteHandle = Handle(type: .phoneNumber, value: "+493012345")
        _ = try await bob.client.send(.engine(.reportNewIncomingCall(outside, update)))
        let ringing = try await bob.ringing()
        #expect(ringing.uuid == outside)
        #expect(ringing.isExternal)
        try await bob.client.answer(outside)
        let outsideSession = try await bob.activation()
        #expect(outsideSession.calls == [outside])
        try await alice.call("is on hold") { $0.remoteIsOnHold }
        #expect(try await exchange(outsideSession.ssrc, from: 25, expecting: 0) == [0, 0])
        #expect(try hub.dropped("held", reaching: 25) == 25, "Alice's")
        #expect(try hub.dropped("notConnected", reaching: 25) == 25, "Bob's: his sound on that call is not the hub's")
        #expect(alice.sources.isEmpty && bob.sources.isEmpty)

        // The other end hangs up: what was held stays held (CK-44), until Bob wants it back.
        _ = try await bob.client.send(.engine(.reportCallEnded(outside, .remoteEnded, date: nil)))
        try await bob.call("has ended") { $0.uuid == outside && $0.hasEnded }
        #expect(bob.client.currentCalls.map(\.state) == [.held])
        try await bob.client.setHeld(inside, false)
        let back = try await bob.activation().ssrc
        try await alice.call("is resumed by the other side") { !$0.remoteIsOnHold }
        #expect(try await exchange(back, from: 50, expecting: 25) == [25, 25])
    }
}
