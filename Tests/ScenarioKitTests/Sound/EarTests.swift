import HubMedia
import Testing

@testable import ScenarioKit

/// Tests that exactly the sending voices are detected after the codec: alone, mixed, and from within a stream.
struct EarTests {
    private static let book = VoiceBook(PartyTone.frequencies.indices.map { Party("party\($0)") })
    private static let frames = 8

    @Test func `each pair of voices is told from all others, mixed in one stream`() throws {
        for first in PartyTone.frequencies.indices {
            for second in PartyTone.frequencies.indices where second > first {
                #expect(try Self.heard([first, second]) == [first, second])
            }
        }
    }

    @Test func `each three of the first ten voices are told from all others, mixed in one stream`() throws {
        for first in 0..<10 {
            for second in (first + 1)..<10 {
                for third in (second + 1)..<10 {
                    #expect(try Self.heard([first, second, third]) == [first, second, third])
                }
            }
        }
    }

    @Test func `five voices in one stream are five voices`() throws {
        for first in 0..<12 {
            let voices = (first..<(first + 5)).map { $0 % 16 }
            #expect(try Self.heard(voices) == Set(voices))
        }
    }

    @Test func `three packets from the middle of a stream are enough`() throws {
        for party in PartyTone.frequencies.indices {
            let loop = try #require(try PartyTone.loop(party))
            let ear = Ear(Self.book)
            var heard: [Ear.Heard] = []
            for index in 0..<3 {
                let packet = loop.withPacket(at: 7 + index) { Array($0) }
                heard += ear.hear(packet, ssrc: 1, at: .milliseconds(20 * index))
            }
            #expect(heard.contains { $0.voices == VoiceSet(number: party) }, "party \(party)")
            #expect(heard.allSatisfy { $0.voices == VoiceSet(number: party) }, "party \(party)")
        }
    }

    @Test func `a single packet is nobody`() throws {
        let loop = try #require(try PartyTone.loop(0))
        #expect(Ear(Self.book).hear(loop.withPacket(at: 0) { Array($0) }, ssrc: 1, at: .zero).isEmpty)
    }

    @Test func `silence and noise are nobody`() throws {
        var encoder = try OpusEncoder()
        var chance = Chance(seed: 7)
        let ear = Ear(Self.book)
        for index in 0..<50 {
            let loudness = index < 25 ? 0 : 3_000
            let samples = (0..<960).map { _ in Int16.random(in: Int16(-loudness)...Int16(loudness), using: &chance) }
            let heard = ear.hear(try encoder.encode(samples), ssrc: 1, at: .milliseconds(20 * index))
            #expect(heard.isEmpty)
        }
    }

    @Test func `the hub's tone and its music are known wherever they begin`() throws {
        let (tone, music) = (try PreparedAudio.tone(), try PreparedAudio.holdMusic())
        for begin in stride(from: 0, to: 640, by: 91) {
            #expect(Self.voices(of: tone, from: begin) == VoiceSet(number: Self.book.tone))
            #expect(Self.voices(of: music, from: begin) == VoiceSet(number: Self.book.music))
        }
    }

    @Test func `a file is known again by its sound, and is not the music`() throws {
        var encoder = try OpusEncoder()
        var tones = [Tone(hertz: 210), Tone(hertz: 640), Tone(hertz: 330), Tone(hertz: 1_130)]
        let packets = try (0..<100).map { try encoder.encode(tones[$0 / 9 % 4].next(960)) }
        let book = VoiceBook([Party("alice"), Party("bob")], files: [(1, try Fingerprint(packets))])
        let ear = Ear(book)
        var heard: [VoiceSet] = []
        for (index, packet) in packets.dropFirst(30).prefix(40).enumerated() {
            heard += ear.hear(packet, ssrc: 1, at: .milliseconds(20 * index)).map(\.voices)
        }
        #expect(heard.count > 30)
        #expect(heard.allSatisfy { $0 == VoiceSet(number: 1) })
    }

    /// Returns the voices detected in a loop, from a packet on.
    private static func voices(of loop: PreparedAudio, from begin: Int) -> VoiceSet {
        let ear = Ear(book)
        return (0..<25).reduce(into: VoiceSet()) { voices, index in
            let packet = loop.withPacket(at: begin + index) { Array($0) }
            for heard in ear.hear(packet, ssrc: 1, at: .milliseconds(20 * index)) { voices.formUnion(heard.voices) }
        }
    }

    /// Returns the parties detected when these send at once, mixed as a hub would, from the third frame on.
    private static func heard(_ parties: [Int]) throws -> Set<Int> {
        var tones = parties.map { Tone(hertz: PartyTone.frequencies[$0], amplitude: PartyTone.amplitude) }
        var encoder = try OpusEncoder()
        let ear = Ear(book)
        var heard: VoiceSet = []
        for index in 0..<frames {
            var mixed = [Int](repeating: 0, count: 960)
            for place in tones.indices {
                for (sample, value) in tones[place].next(960).enumerated() { mixed[sample] += Int(value) }
            }
            let packet = try encoder.encode(mixed.map { Int16(clamping: $0) })
            let now = ear.hear(packet, ssrc: 1, at: .milliseconds(20 * index))
            if index >= 3 { now.forEach { heard.formUnion($0.voices) } }
        }
        return Set(heard.numbers)
    }
}
