import HubClient
import HubEngine
import HubTestSupport
import Testing

/// The audio gate: no frame passes a closed gate, by the frames received and by the hub's counters.
struct GateTests {
    private static let alicesTone = 440.0
    private static let bobsTone = 660.0
    private let hub: TestHub
    private let alice: TestPhone
    private let bob: TestPhone
    private let packets: [[UInt8]]

    init() async throws {
        hub = try TestHub()
        alice = try await hub.phone("alice")
        bob = try await hub.phone("bob")
        packets = try TestTone.packets(hertz: Self.alicesTone, count: 25)
    }

    /// A connected call between the two.
    private struct Call {
        var outgoing: CallUUID
        var incoming: CallUUID
        var aliceSSRC: UInt32
        var bobSSRC: UInt32
    }

    private func connect() async throws -> Call {
        let outgoing = try await alice.client.start(.generic("bob"))
        let aliceSSRC = try await alice.activation().ssrc
        let incoming = try await bob.ringing().uuid
        try await bob.client.answer(incoming)
        let bobSSRC = try await bob.activation().ssrc
        try await alice.call("is connected") { $0.state == .connected }
        return Call(outgoing: outgoing, incoming: incoming, aliceSSRC: aliceSSRC, bobSSRC: bobSSRC)
    }

    /// Sends Alice's packets; returns those that Bob receives.
    private func heardByBob(
        ssrc: UInt32,
        from number: Int = 0,
        expecting count: Int = 0
    ) async throws -> [ReceivedAudio] {
        _ = bob.takeReceivedAudio()
        try await alice.say(packets, ssrc: ssrc, from: number)
        try await alice.settle()
        return try await bob.takeReceivedAudio(reaching: count)
    }

    @Test func `a connected call forwards every packet unchanged, both ways`() async throws {
        let call = try await connect()
        let heard = try await heardByBob(ssrc: call.aliceSSRC, expecting: 25)
        #expect(heard.map(\.payload) == packets)
        #expect(heard.map(\.sequenceNumber) == (0..<25).map { UInt16($0) })
        #expect(Set(heard.map(\.ssrc)) == [call.aliceSSRC])
        let tone = try #require(try TestTone.heard(in: heard))
        #expect(abs(tone - Self.alicesTone) < 5)
        try await bob.say(try TestTone.packets(hertz: Self.bobsTone, count: 25), ssrc: call.bobSSRC)
        try await bob.settle()
        let answer = try #require(try TestTone.heard(in: try await alice.takeReceivedAudio(reaching: 25)))
        #expect(abs(answer - Self.bobsTone) < 5)
    }

    @Test func `no audio is received before the answer is fulfilled (CK-66, P28)`() async throws {
        let carol = try await hub.phone("carol") { $0.fulfillment = .manual }
        try await alice.client.start(.generic("carol"))
        let ssrc = try await alice.activation().ssrc
        let ringing = try await carol.ringing()
        try await alice.say(packets, ssrc: ssrc)
        try await alice.settle()
        #expect(try hub.dropped("notConnected", reaching: 25) == 25)
        try await carol.client.answer(ringing.uuid)
        let action = try await carol.next("the answer action") { event in
            if case .notification(.perform(_, let action, _, _, fulfilled: false)) = event { action.uuid } else { nil }
        }
        try await alice.say(packets, ssrc: ssrc, from: 25)
        try await carol.say(packets, ssrc: 1)
        try await alice.settle()
        try await carol.settle()
        #expect(carol.takeReceivedAudio().isEmpty)
        #expect(alice.takeReceivedAudio().isEmpty)
        #expect(try hub.dropped("notConnected", reaching: 50) == 50)
        #expect(try hub.dropped("noSession", reaching: 25) == 25)
        _ = try await carol.client.fulfill(action)
        try await carol.activation()
        try await alice.say(packets, ssrc: ssrc, from: 50)
        try await alice.settle()
        #expect(try await carol.takeReceivedAudio(reaching: 25).count == 25)
    }

    @Test func `no audio is received while either side holds (CK-33, CK-67)`() async throws {
        let call = try await connect()
        try await bob.client.setHeld(call.incoming, true)
        try await alice.call("is held by the other side") { $0.remoteIsOnHold }
        #expect(try await heardByBob(ssrc: call.aliceSSRC).isEmpty)
        #expect(try hub.dropped("held", reaching: 25) == 25)
        try await bob.say(packets, ssrc: call.bobSSRC)
        try await bob.settle()
        try await alice.settle()
        #expect(alice.takeReceivedAudio().isEmpty)
        #expect(try hub.dropped("noSession", reaching: 25) == 25)
        try await bob.client.setHeld(call.incoming, false)
        try await bob.activation()
        #expect(try await heardByBob(ssrc: call.aliceSSRC, from: 25, expecting: 25).count == 25)
        try await bob.say(packets, ssrc: call.bobSSRC)
        try await bob.settle()
        #expect(try hub.dropped("staleSession", reaching: 25) == 25, "the SSRC of before the hold is no good after it")
    }

    @Test func `a muted party's audio is not forwarded, but it receives audio (CK-52)`() async throws {
        let call = try await connect()
        try await alice.client.setMuted(call.outgoing, true)
        #expect(try await heardByBob(ssrc: call.aliceSSRC).isEmpty)
        #expect(try hub.dropped("muted", reaching: 25) == 25)
        try await bob.say(packets, ssrc: call.bobSSRC)
        try await bob.settle()
        #expect(try await alice.takeReceivedAudio(reaching: 25).count == 25)
    }

    @Test func `no audio is received after the end`() async throws {
        let call = try await connect()
        try await alice.client.end(call.outgoing)
        try await bob.call("has ended") { $0.hasEnded }
        #expect(try await heardByBob(ssrc: call.aliceSSRC).isEmpty)
        try await bob.say(packets, ssrc: call.bobSSRC)
        try await bob.settle()
        try await alice.settle()
        #expect(alice.takeReceivedAudio().isEmpty)
        #expect(try hub.dropped("noSession", reaching: 50) == 50)
    }

    @Test func `packets with a stale SSRC after a swap are dropped (CK-67, D3)`() async throws {
        let call = try await connect()
        let carol = try await hub.phone("carol")
        try await carol.client.start(.generic("alice"))
        let second = try await alice.ringing().uuid
        try await alice.client.answer(second)
        let current = try await alice.activation().ssrc
        try await carol.call("is connected") { $0.state == .connected }
        #expect(try await heardByBob(ssrc: call.aliceSSRC).isEmpty)
        try await carol.settle()
        #expect(carol.takeReceivedAudio().isEmpty)
        #expect(try hub.dropped("staleSession", reaching: 25) == 25)
        #expect(try await heardByBob(ssrc: current, from: 25).isEmpty)
        #expect(try await carol.takeReceivedAudio(reaching: 25).count == 25)
    }

    @Test func `a third device receives no audio, nor does another device of the callee`() async throws {
        let other = try await hub.phone("bob") { $0.deviceID = "tablet" }
        let carol = try await hub.phone("carol")
        let call = try await connect()
        #expect(try await heardByBob(ssrc: call.aliceSSRC, expecting: 25).count == 25)
        for phone in [other, carol] {
            try await phone.say(packets, ssrc: call.aliceSSRC)
            try await phone.settle()
            #expect(phone.takeReceivedAudio().isEmpty)
        }
        try await alice.settle()
        try await bob.settle()
        #expect(alice.takeReceivedAudio().isEmpty)
        #expect(bob.takeReceivedAudio().isEmpty)
        #expect(try hub.dropped("noSession", reaching: 50) == 50)
    }

    @Test func `a packet that is not RTP with Opus is dropped as malformed (CK-67)`() async throws {
        let call = try await connect()
        let good = TestPhone.packet(packets[0], ssrc: call.aliceSSRC, number: 0)
        var bad: [[UInt8]] = [[], [0x80], Array(good.prefix(11)), Array(good.prefix(12))]
        bad.append(good.replacing(0, with: 0x40))  // version 1
        bad.append(good.replacing(0, with: 0xA0))  // padding
        bad.append(good.replacing(0, with: 0x81))  // a CSRC
        bad.append(good.replacing(1, with: 0))  // payload type 0
        bad.append(TestPhone.packet([0x03], ssrc: call.aliceSSRC, number: 1))  // code 3 without a frame count
        bad.append(TestPhone.packet([0x80, 1, 2, 3], ssrc: call.aliceSSRC, number: 2))  // 2.5 ms
        for packet in bad { alice.client.sendRaw(packet) }
        alice.client.sendRaw([UInt8](repeating: 0x80, count: 2000))
        try await alice.settle()
        try await bob.settle()
        #expect(bob.takeReceivedAudio().isEmpty)
        #expect(try hub.dropped("malformed", reaching: bad.count) == bad.count)
        #expect(try hub.dropped("tooLarge", reaching: 1) == 1)
        let heard = try await heardByBob(ssrc: call.aliceSSRC, expecting: 25)
        #expect(heard.count == 25, "nothing of it has harmed the call")
    }
}

extension [UInt8] {
    fileprivate func replacing(_ index: Int, with byte: UInt8) -> [UInt8] {
        var copy = self
        copy[index] = byte
        return copy
    }
}
