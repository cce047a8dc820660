import HubAccountData
import HubClient
import HubEngine
import HubMedia
import HubTestSupport
import HubWire
import Testing

@testable import HubServer

/// Hold audio over sockets: Bob holds Alice, who receives it from the hub (CH-09).
struct HoldAudioOverSocketsTests {
    private struct Call {
        var outgoing: CallUUID
        var incoming: CallUUID
        var aliceSSRC: UInt32
        var bobSSRC: UInt32
    }

    private func connect(_ alice: TestPhone, _ bob: TestPhone) async throws -> Call {
        let outgoing = try await alice.client.start(.generic("bob"))
        let aliceSSRC = try await alice.activation().ssrc
        let incoming = try await bob.ringing().uuid
        try await bob.client.answer(incoming)
        let bobSSRC = try await bob.activation().ssrc
        try await alice.call("is connected") { $0.state == .connected }
        return Call(outgoing: outgoing, incoming: incoming, aliceSSRC: aliceSSRC, bobSSRC: bobSSRC)
    }

    /// Holds or resumes, and waits until the other party is notified.
    private func setHeld(_ isOnHold: Bool, _ call: Call, by bob: TestPhone, _ alice: TestPhone) async throws {
        try await bob.client.setHeld(call.incoming, isOnHold)
        try await alice.call("is held or not") { $0.remoteIsOnHold == isOnHold }
    }

    /// Returns the packets that a phone receives, so many or more.
    private func heard(_ alice: TestPhone, count: Int) async throws -> [ReceivedAudio] {
        let packets = try await alice.takeReceivedAudio(reaching: count)
        try #require(packets.count >= count)
        return packets
    }

    @Test func `who is held hears the holder's music, nothing of the holder, and is heard by nobody (CH-09)`()
        async throws
    {
        let hub = try TestHub()
        let (alice, bob) = (try await hub.phone("alice"), try await hub.phone("bob"))
        _ = try await bob.client.send(.accountData(.setSettings(SettingsUpdate(holdAudio: .music))))
        let call = try await connect(alice, bob)
        let speech = try TestTone.packets(hertz: 660, count: 25)
        try await setHeld(true, call, by: bob, alice)
        let source = try #require(alice.sources.first)
        #expect(alice.sources.count == 1 && source.isHoldAudio && source.handle == .generic("music"))
        #expect(source.ssrc != call.bobSSRC)
        try await bob.say(speech, ssrc: call.bobSSRC)
        try await alice.say(speech, ssrc: call.aliceSSRC)
        let music = try await heard(alice, count: 25)
        #expect(Set(music.map(\.ssrc)) == [source.ssrc])
        let first = try #require(music.first?.sequenceNumber)
        #expect(music.map(\.sequenceNumber) == (0..<music.count).map { first &+ UInt16($0) })
        let sounds = try BuiltInSounds.shared.get()
        let expected = music.map { packet in
            sounds.music.withPacket(at: Int(packet.sequenceNumber)) { [UInt8]($0) }
        }
        #expect(music.map(\.payload) == expected, "the hub's music, from its beginning")
        #expect(bob.heard.isEmpty)
        #expect(try hub.dropped("held", reaching: 25) == 25)
        #expect(try hub.metric("callhub_audio_packets_relayed_total") == 0)
        #expect(try hub.metric("callhub_hold_audio_packets_total") >= 25)
        try await setHeld(false, call, by: bob, alice)
        let ssrc = try await bob.activation().ssrc
        try await alice.settle()
        _ = alice.takeReceivedAudio()
        let count = try hub.metric("callhub_hold_audio_packets_total")
        try await bob.say(speech, ssrc: ssrc)
        #expect(Set(try await alice.takeReceivedAudio(reaching: 25).map(\.ssrc)) == [ssrc], "no music any more")
        #expect(try hub.metric("callhub_hold_audio_packets_total") == count)
        #expect(alice.strays.isEmpty)
    }

    @Test func `the music goes on from where it stopped (CH-09)`() async throws {
        let hub = try TestHub { $0.holdAudio = .music }
        let (alice, bob) = (try await hub.phone("alice"), try await hub.phone("bob"))
        let call = try await connect(alice, bob)
        try await setHeld(true, call, by: bob, alice)
        let first = try await heard(alice, count: 10)
        try await setHeld(false, call, by: bob, alice)
        try await alice.settle()
        let last = try #require((first + alice.takeReceivedAudio()).last?.sequenceNumber)
        try await setHeld(true, call, by: bob, alice)
        let second = try await heard(alice, count: 3)
        #expect(second.first?.sequenceNumber == last &+ 1)
        #expect(second.first?.ssrc != first.first?.ssrc)
    }

    @Test func `the tone for those on hold can be heard, and silence is the default (CH-09)`() async throws {
        let hub = try TestHub()
        let (alice, bob) = (try await hub.phone("alice"), try await hub.phone("bob"))
        let call = try await connect(alice, bob)
        try await setHeld(true, call, by: bob, alice)
        #expect(alice.sources.isEmpty)
        _ = try await bob.client.send(.accountData(.setSettings(SettingsUpdate(holdAudio: .tone))))
        let packets = try await heard(alice, count: 20)
        let pitch = try #require(try TestTone.heard(in: packets))
        #expect(abs(pitch - 440) < 10)
        #expect(alice.namedSources[packets[0].ssrc]?.handle == .generic("tone"))
        _ = try await bob.client.send(.accountData(.setSettings(SettingsUpdate(holdAudio: .silence))))
        try await alice.settle()
        #expect(alice.sources.isEmpty)
        let count = try hub.metric("callhub_hold_audio_packets_total")
        try await alice.say(try TestTone.packets(hertz: 660, count: 8), ssrc: call.aliceSSRC)
        #expect(try hub.metric("callhub_hold_audio_packets_total") == count)
    }
}
