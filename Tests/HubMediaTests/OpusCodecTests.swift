import HubMedia
import HubSimulation
import HubTestSupport
import Testing

@Suite struct OpusCodecTests {
    @Test func `speech correlates with itself after encoding and decoding`() throws {
        let speech = try Speech.espeak("The quick brown fox jumps over the lazy dog, again and again.")
        var encoder = try OpusEncoder()
        var decoder = try OpusDecoder()
        var heard: [Int16] = []
        for frame in frames(speech) { heard += try decoder.decode(encoder.encode(frame)) }
        let alignment = Sound.align(heard, to: speech)
        #expect(abs(alignment.lag - encoder.lookaheadInSamples) < 10)
        #expect(alignment.correlation > 0.9)
    }

    @Test func `a tone keeps its frequency`() throws {
        var encoder = try OpusEncoder()
        var decoder = try OpusDecoder()
        var tone = Tone(hertz: 440)
        var heard: [Int16] = []
        for _ in 0..<50 { heard += try decoder.decode(encoder.encode(tone.next(960))) }
        let frequency = try #require(Sound.dominantFrequency(heard))
        #expect(abs(frequency - 440) < 1)
        #expect(Sound.shareOfEnergy(at: 440, in: Array(heard.suffix(24_000))) > 0.9)
    }

    @Test func `an empty packet is refused, not concealed`() throws {
        var decoder = try OpusDecoder()
        #expect(throws: MediaError.self) { try decoder.decode([]) }
    }

    @Test func `invalid packets are refused or decoded without a crash`() throws {
        var random = SeededRandom(seed: 3)
        var decoder = try OpusDecoder()
        for _ in 0..<3_000 {
            let packet = random.bytes(Int.random(in: 0...60, using: &random))
            let expected = OpusPacket.durationInSamples(of: packet.span)
            #expect((try? decoder.decode(packet))?.count == expected)
        }
    }

    @Test func `a wrong number of samples is refused with the right one`() throws {
        var encoder = try OpusEncoder()
        #expect {
            try encoder.encode([1, 2, 3])
        } throws: {
            "\($0)" == "the encoder got 3 samples; it takes 960 at a time"
        }
    }

    @Test func `settings outside their range are refused`() {
        var settings = OpusEncoderSettings()
        settings.bitsPerSecond = 1
        #expect {
            _ = try OpusEncoder(settings)
        } throws: {
            "\($0)" == "the bit rate is 1 bits a second; it must be from 6000 to 510000"
        }
    }

    @Test func `a lost packet is restored from the copy in the next one`() throws {
        let speech = try Speech.espeak("Error correction brings lost syllables back to the listener.")
        var settings = OpusEncoderSettings()
        settings.expectedLossPercent = 30
        settings.bitsPerSecond = 32_000
        var encoder = try OpusEncoder(settings)
        let packets = try frames(speech).map { try encoder.encode($0) }
        var whole = try OpusDecoder()
        var repaired = try OpusDecoder()
        var concealed = try OpusDecoder()
        var (left, right, invented): ([Int16], [Int16], [Int16]) = ([], [], [])
        for (index, packet) in packets.enumerated() {
            left += try whole.decode(packet)
            if index % 5 == 3, index + 1 < packets.count {
                var samples = [Int16](repeating: 0, count: 960)
                let next = packets[index + 1]
                try samples.withUnsafeMutableBufferPointer { samples in
                    try next.withUnsafeBytes { try repaired.decodeLost(before: $0, into: samples) }
                }
                right += samples
                try samples.withUnsafeMutableBufferPointer { try concealed.conceal(into: $0) }
                invented += samples
            } else {
                right += try repaired.decode(packet)
                invented += try concealed.decode(packet)
            }
        }
        let withCopy = Sound.align(right, to: left).correlation
        #expect(withCopy > 0.9)
        #expect(withCopy > Sound.align(invented, to: left).correlation)
    }
}
