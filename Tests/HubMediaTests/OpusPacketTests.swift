import HubMedia
import HubSimulation
import HubTestSupport
import Testing

@Suite struct OpusPacketTests {
    @Test func `an empty packet is not Opus`() {
        #expect(duration([]) == nil)
    }

    @Test func `a packet without its frame count byte is not Opus`() {
        #expect(duration([0x03]) == nil)
    }

    @Test func `a packet of more than 120 ms is not Opus`() {
        // 60 ms frames by code 3: two are 120 ms, three are too many (rule R5).
        #expect(duration([0x1B, 2]) == 5_760)
        #expect(duration([0x1B, 3]) == nil)
    }

    @Test func `a frame of more than 1275 bytes is not Opus`() {
        #expect(duration([UInt8](repeating: 0, count: 1_276)) == 480)
        #expect(duration([UInt8](repeating: 0, count: 1_277)) == nil)
    }

    @Test(arguments: OpusEncoderSettings.FrameDuration.allCases)
    func `encoded packets have the requested duration`(
        frame: OpusEncoderSettings.FrameDuration
    ) throws {
        var settings = OpusEncoderSettings()
        settings.frameDuration = frame
        var encoder = try OpusEncoder(settings)
        let packet = try encoder.encode([Int16](repeating: 1_000, count: frame.samples))
        #expect(duration(packet) == frame.samples)
    }

    @Test func `random packets are accepted or refused as by libopus`() {
        var random = SeededRandom(seed: 1)
        for round in 0..<200_000 {
            let packet = random.bytes(Int.random(in: 1...40, using: &random))
            guard agrees(packet) else {
                Issue.record("round \(round) of seed 1: \(packet)")
                return
            }
        }
    }

    @Test func `all short packets are accepted or refused as by libopus`() {
        for first in UInt8.min...UInt8.max {
            #expect(agrees([first]))
            for second in UInt8.min...UInt8.max where !agrees([first, second]) {
                Issue.record("\(first) \(second)")
            }
        }
    }

    @Test func `mutated packets are accepted or refused as by libopus`() throws {
        var random = SeededRandom(seed: 2)
        for code in UInt8(0)...3 {
            for round in 0..<50_000 {
                var packet = random.bytes(Int.random(in: 1...400, using: &random))
                packet[0] = packet[0] & 0xFC | code
                // Small counts and plausible lengths reach the later stages of the parser.
                if packet.count > 1, Bool.random(using: &random) { packet[1] &= 0xC7 }
                if packet.count > 2, Bool.random(using: &random) { packet[2] = UInt8(clamping: packet.count / 3) }
                if round % 97 == 0 { packet += [UInt8](repeating: 255, count: 2_000) }
                guard agrees(packet) else {
                    Issue.record("round \(round), code \(code), seed 2: \(packet)")
                    return
                }
            }
        }
    }

    @Test func `an encoder that expects losses sends redundant copies, others do not`() throws {
        let speech = try Speech.espeak("one two three four")
        for percent in [0, 20] {
            var settings = OpusEncoderSettings()
            settings.expectedLossPercent = percent
            var encoder = try OpusEncoder(settings)
            let packets = try frames(speech).map { try encoder.encode($0) }
            let copies = packets.count { OpusPacket(parsing: $0.span)?.hasErrorCorrection(in: $0.span) == true }
            #expect((copies > 0) == (percent > 0))
        }
    }

    private func duration(_ packet: [UInt8]) -> Int? {
        packet.withUnsafeBytes { OpusPacket.durationInSamples(of: $0) }
    }

    private func agrees(_ packet: [UInt8]) -> Bool {
        packet.withUnsafeBytes { OpusPacket.durationInSamples(of: $0) == OpusLibrary.durationInSamples(of: $0) }
    }
}

/// Cuts a sound into whole frames of 20 ms.
func frames(_ samples: [Int16]) -> [[Int16]] {
    stride(from: 0, to: samples.count - 959, by: 960).map { Array(samples[$0..<($0 + 960)]) }
}
