import Foundation
import HubClient
import HubEngine
import HubMedia
import HubTestSupport
import HubWire
import Testing

/// One stream of a group, mixed by the hub, over real sockets and in real time.
///
/// One after the other, and in `make test` alone: sound is measured in real time.
@Suite(.serialized) struct MixedGroupTests {
    private static let hertz = ["alice": 500.0, "bob": 700, "carol": 900]

    /// The talk of all three, each a tone without end.
    private struct Talk {
        let trio: Trio
        private let senders: [NumberedAudioSender]

        init(_ delivery: [String: AudioDelivery]) async throws {
            trio = try await Trio(delivery: delivery)
            senders = try trio.phones.map { name, phone in
                // A second is a whole number of periods, so that the loop has no seam but the codec's.
                NumberedAudioSender(
                    phone.client,
                    sound: try TestTone.packets(hertz: MixedGroupTests.hertz[name] ?? 0, count: 50)
                )
            }
        }

        /// Goes on for some frames; returns what each party has received meanwhile.
        func goOn(_ frames: Int, keepsEarlier: Bool = false) async throws -> [String: [ReceivedAudio]] {
            if !keepsEarlier { for (_, phone) in trio.phones { _ = phone.takeReceivedAudio() } }
            for sender in senders { await sender.reaches(sender.count + frames) }
            return Dictionary(uniqueKeysWithValues: trio.phones.map { ($0.name, $0.phone.takeReceivedAudio()) })
        }
    }

    /// The level of each party's tone in packets, in decibels of full scale.
    private func levels(in packets: [ReceivedAudio]) throws -> [String: Double] {
        var decoder = try OpusDecoder()
        var samples: [Int16] = []
        for packet in packets { samples += try decoder.decode(packet.payload) }
        let floats = samples.suffix(48_000).map { Float($0) / 32_768 }
        return Self.hertz.mapValues { hertz in
            let measure = Goertzel(hertz: hertz, samplesPerSecond: 48_000)
            return 20 * log10(max(1e-9, floats.withUnsafeBufferPointer { measure.amplitude(in: $0) }))
        }
    }

    @Test func `each member of a group receives one stream, of exactly the others (CH-10)`() async throws {
        let talk = try await Talk(["alice": .mixed, "bob": .mixed, "carol": .mixed])
        try await talk.trio.merge()
        _ = try await talk.goOn(25)
        let heard = try await talk.goOn(75)
        for (name, packets) in heard {
            #expect(Set(packets.map(\.ssrc)).count == 1)
            let named = talk.trio.phones.first { $0.name == name }?.phone.sources.map(\.ssrc) ?? []
            #expect(packets.allSatisfy { Set($0.contributingSources) == Set(named) })
            #expect(!named.contains(packets[0].ssrc))
            for (speaker, level) in try levels(in: packets) {
                #expect(speaker == name ? level < -50 : level > -20, "\(name) hears \(speaker) at \(level) dB")
            }
        }
    }

    @Test func `who wants streams gets them beside those who want a mix (CH-10)`() async throws {
        let talk = try await Talk(["alice": .mixed])
        try await talk.trio.merge()
        _ = try await talk.goOn(25)
        let heard = try await talk.goOn(50)
        #expect(Set(heard["alice"]?.map(\.ssrc) ?? []).count == 1)
        for name in ["bob", "carol"] {
            #expect(Set(heard[name]?.map(\.ssrc) ?? []).count == 2)
            #expect(heard[name]?.allSatisfy { $0.contributingSources.isEmpty } == true)
        }
    }

    @Test func `a call of two passes packets on, before the merge and after the split (CH-10)`() async throws {
        let talk = try await Talk(["alice": .mixed, "bob": .mixed, "carol": .mixed])
        let trio = talk.trio
        let before = try await talk.goOn(25)
        #expect(before["carol"]?.isEmpty == false)
        #expect(Set(before["carol"]?.map(\.ssrc) ?? []).count == 1)
        try await trio.merge()
        let between = try await talk.goOn(50, keepsEarlier: true)
        try await trio.bob.client.setGroup(trio.withCarol.bob, with: nil)
        try await trio.alice.call("is held again") { $0.remoteIsOnHold }
        let rest = try await talk.goOn(25, keepsEarlier: true)
        let after = try await talk.goOn(25)
        let mix = try #require(trio.carol.client.session?.audio.mix).ssrc
        let all = (before["carol"] ?? []) + (between["carol"] ?? []) + (rest["carol"] ?? [])
        let mixed = all.filter { $0.ssrc == mix }
        #expect(zip(mixed, mixed.dropFirst()).allSatisfy { $1.sequenceNumber == $0.sequenceNumber &+ 1 })
        // As many frames are mixed as are not passed on, with the beginning and the end of the mix around them.
        let numbers = all.filter { $0.ssrc != mix }.map(\.sequenceNumber)
        let missing = zip(numbers, numbers.dropFirst()).map { Int($1 &- $0) - 1 }.filter { $0 != 0 }
        #expect(missing.count == 1, "\(missing)")
        let frames = mixed.reduce(0) { $0 + (OpusPacket.durationInSamples(of: $1.payload.span) ?? 0) } / 960
        // A machine with other things to do has the mixer leave frames out.
        let isOnTime = try trio.hub.metric("callhub_mixer_late_frames_total") == 0
        #expect(!isOnTime || (0...8).contains(frames - (missing.first ?? 0)), "\(frames) for \(missing)")
        #expect(Set(after["carol"]?.map(\.ssrc) ?? []) == Set(before["carol"]?.map(\.ssrc) ?? []))
        #expect(after["alice"]?.isEmpty == true)
    }
}
