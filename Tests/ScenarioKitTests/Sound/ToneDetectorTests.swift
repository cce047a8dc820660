import HubMedia
import Testing

@testable import ScenarioKit

/// Tests that exactly the sending voices are detected after the codec: alone, mixed, and from within a stream.
struct ToneDetectorTests {
    private static let table = VoiceTable(PartyTone.frequencies.indices.map { Party("party\($0)") })
    private static let frames = 8

    @Test func `each pair of voices is distinguished from all others, mixed in one stream`() throws {
        for first in PartyTone.frequencies.indices {
            for second in PartyTone.frequencies.indices where second > first {
                #expect(try Self.receivedVoices([first, second]) == [first, second])
            }
        }
    }

    @Test func `each three of the first ten voices are distinguished from all others, mixed in one stream`() throws {
        for first in 0..<10 {
            for second in (first + 1)..<10 {
                for third in (second + 1)..<10 {
                    #expect(try Self.receivedVoices([first, second, third]) == [first, second, third])
                }
            }
        }
    }

    @Test func `five voices in one stream are detected as five`() throws {
        for first in 0..<12 {
            let voices = (first..<(first + 5)).map { $0 % 16 }
            #expect(try Self.receivedVoices(voices) == Set(voices))
        }
    }

    @Test func `three packets from the middle of a stream are enough`() throws {
        for party in PartyTone.frequencies.indices {
            let loop = try #require(try PartyTone.loop(party))
            let toneDetector = ToneDetector(Self.table)
            var receivedVoices: [ToneDetector.Detection] = []
            for index in 0..<3 {
                let packet = loop.withPacket(at: 7 + index) { Array($0) }
                receivedVoices += toneDetector.detect(packet, ssrc: 1, at: .milliseconds(20 * index))
            }
            #expect(receivedVoices.contains { $0.voices == VoiceSet(number: party) }, "party \(party)")
            #expect(receivedVoices.allSatisfy { $0.voices == VoiceSet(number: party) }, "party \(party)")
        }
    }

    @Test func `a single packet is assigned to no voice`() throws {
        let loop = try #require(try PartyTone.loop(0))
        #expect(ToneDetector(Self.table).detect(loop.withPacket(at: 0) { Array($0) }, ssrc: 1, at: .zero).isEmpty)
    }

    @Test func `silence and noise are assigned to no voice`() throws {
        var encoder = try OpusEncoder()
        var random = ScenarioRandomSource(seed: 7)
        let toneDetector = ToneDetector(Self.table)
        for index in 0..<50 {
            let loudness = index < 25 ? 0 : 3_000
            let samples = (0..<960).map { _ in Int16.random(in: Int16(-loudness)...Int16(loudness), using: &random) }
            let receivedVoices = toneDetector.detect(
                try encoder.encode(samples),
                ssrc: 1,
                at: .milliseconds(20 * index)
            )
            #expect(receivedVoices.isEmpty)
        }
    }

    @Test func `the hub's tone and its music are recognised from any position`() throws {
        let (tone, music) = (try PreEncodedAudio.tone(), try PreEncodedAudio.holdMusic())
        for begin in stride(from: 0, to: 640, by: 91) {
            #expect(Self.voices(of: tone, from: begin) == VoiceSet(number: Self.table.tone))
            #expect(Self.voices(of: music, from: begin) == VoiceSet(number: Self.table.music))
        }
    }

    @Test func `a file is recognised by its audio, and not confused with the music`() throws {
        var encoder = try OpusEncoder()
        var tones = [Tone(hertz: 210), Tone(hertz: 640), Tone(hertz: 330), Tone(hertz: 1_130)]
        let packets = try (0..<100).map { try encoder.encode(tones[$0 / 9 % 4].next(960)) }
        let table = VoiceTable([Party("alice"), Party("bob")], files: [(1, try Fingerprint(packets))])
        let toneDetector = ToneDetector(table)
        var receivedVoices: [VoiceSet] = []
        for (index, packet) in packets.dropFirst(30).prefix(40).enumerated() {
            receivedVoices += toneDetector.detect(packet, ssrc: 1, at: .milliseconds(20 * index)).map(\.voices)
        }
        #expect(receivedVoices.count > 30)
        #expect(receivedVoices.allSatisfy { $0 == VoiceSet(number: 1) })
    }

    /// Returns the voices detected in a loop, from a packet on.
    private static func voices(of loop: PreEncodedAudio, from begin: Int) -> VoiceSet {
        let toneDetector = ToneDetector(table)
        return (0..<25).reduce(into: VoiceSet()) { voices, index in
            let packet = loop.withPacket(at: begin + index) { Array($0) }
            for receivedVoices in toneDetector.detect(packet, ssrc: 1, at: .milliseconds(20 * index)) {
                voices.formUnion(receivedVoices.voices)
            }
        }
    }

    /// Returns the parties detected when these send at once, mixed as a hub would, from the third frame on.
    private static func receivedVoices(_ parties: [Int]) throws -> Set<Int> {
        var tones = parties.map { Tone(hertz: PartyTone.frequencies[$0], amplitude: PartyTone.amplitude) }
        var encoder = try OpusEncoder()
        let toneDetector = ToneDetector(table)
        var receivedVoices: VoiceSet = []
        for index in 0..<frames {
            var mixed = [Int](repeating: 0, count: 960)
            for position in tones.indices {
                for (sample, value) in tones[position].next(960).enumerated() { mixed[sample] += Int(value) }
            }
            let packet = try encoder.encode(mixed.map { Int16(clamping: $0) })
            let now = toneDetector.detect(packet, ssrc: 1, at: .milliseconds(20 * index))
            if index >= 3 { now.forEach { receivedVoices.formUnion($0.voices) } }
        }
        return Set(receivedVoices.numbers)
    }
}
