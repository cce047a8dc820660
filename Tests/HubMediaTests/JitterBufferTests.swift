import HubMedia
import HubSimulation
import HubTestSupport
import Testing

@Suite struct JitterBufferTests {
    @Test func `a loss-free stream plays bit by bit, 40 ms late`() throws {
        let packets = try Playout.encode(Playout.speech())
        let result = try Playout.run(Playout.stream(packets))
        let expected = try Playout.decode(packets)
        // The first frame is requested at 3 ms, so that 37 ms of silence precede the audio.
        #expect(result.heard.prefix(1_776).allSatisfy { $0 == 0 })
        #expect(Array(result.heard.dropFirst(1_776).prefix(expected.count)) == expected)
        #expect(result.statistics.targetMilliseconds == 40)
        #expect(result.statistics.cutSamples == 0)
        #expect(result.statistics.gaps == 0)
    }

    @Test func `a stream with the jitter of a busy machine plays bit by bit`() throws {
        let packets = try Playout.encode(Playout.speech())
        var random = SeededRandom(seed: 10)
        var arrivals = Playout.stream(packets)
        for index in arrivals.indices { arrivals[index].time += Double.random(in: 0...12, using: &random) }
        let result = try Playout.run(arrivals)
        let expected = try Playout.decode(packets)
        #expect(contains(result.heard, expected))
    }

    @Test func `wraps of sequence numbers and timestamps are inaudible`() throws {
        let packets = try Playout.encode(Playout.speech())
        let arrivals = Playout.stream(packets, firstSequence: 65_500, firstTimestamp: .max - 20_000)
        let expected = try Playout.decode(packets)
        #expect(contains(try Playout.run(arrivals).heard, expected))
    }

    @Test(arguments: [OpusEncoderSettings.FrameDuration.milliseconds10, .milliseconds40, .milliseconds60])
    func `packets of other durations play bit by bit`(frame: OpusEncoderSettings.FrameDuration) throws {
        let speech = try Playout.speech()
        var settings = OpusEncoderSettings()
        settings.frameDuration = frame
        var encoder = try OpusEncoder(settings)
        let size = frame.samples
        let packets = try stride(from: 0, to: speech.count - size, by: size).map {
            try encoder.encode(Array(speech[$0..<($0 + size)]))
        }
        var arrivals = Playout.stream(packets)
        for index in arrivals.indices {
            arrivals[index].timestamp = UInt32(index * size)
            arrivals[index].time = Double(index * frame.rawValue)
        }
        let expected = try Playout.decode(packets)
        #expect(contains(try Playout.run(arrivals).heard, expected))
    }

    @Test func `random delays raise the target delay until nothing is concealed`() throws {
        let packets = try tonePackets(seconds: 30)
        var random = SeededRandom(seed: 11)
        var arrivals = Playout.stream(packets)
        var last = 0.0
        for index in arrivals.indices {
            // A connection keeps the order.
            last = max(last, arrivals[index].time + Double.random(in: 0...120, using: &random))
            arrivals[index].time = last
        }
        let result = try Playout.run(arrivals)
        #expect(result.statistics.concealedSamples < 48 * 300)
        let settled = result.delays.suffix(1_000).prefix(900)
        #expect(settled.reduce(0, +) / Double(settled.count) < 180)
        #expect(Sound.shareOfEnergy(at: 440, in: result.heard.suffix(96_000).prefix(9_600) + []) > 0.98)
    }

    @Test(arguments: [100.0, 300, 600])
    func `the delay of a stall is recovered in a second`(stall: Double) throws {
        let packets = try tonePackets(seconds: 20)
        var arrivals = Playout.stream(packets)
        for index in arrivals.indices where arrivals[index].time > 5_000 && arrivals[index].time < 5_000 + stall {
            arrivals[index].time = 5_000 + stall
        }
        let result = try Playout.run(arrivals)
        let afterASecond = Int((6_000 + stall) / 20)
        #expect(result.delays[afterASecond] < result.targets[afterASecond] + 25)
        #expect(result.targets[afterASecond] < 150)
        #expect(result.delays.last.map { $0 < 65 } == true)
        // The tone is a tone again.
        #expect(Sound.shareOfEnergy(at: 440, in: Array(result.heard.suffix(72_000).prefix(24_000))) > 0.98)
    }

    @Test func `recovering delay causes no clicks`() throws {
        let packets = try tonePackets(seconds: 8)
        var arrivals = Playout.stream(packets)
        for index in arrivals.indices where arrivals[index].time > 3_000 && arrivals[index].time < 3_300 {
            arrivals[index].time = 3_300
        }
        let result = try Playout.run(arrivals)
        #expect(result.statistics.cutSamples > 48 * 150)
        let steps = zip(result.heard, result.heard.dropFirst()).map { abs(Int($1) - Int($0)) }
        // A pure sine of this loudness steps by 566; where the codec sets in it may be a little more.
        #expect((steps.max() ?? 0) < 900)
    }

    @Test func `audio from an outage of seconds is dropped, not played late`() throws {
        let packets = try tonePackets(seconds: 12)
        var arrivals = Playout.stream(packets)
        for index in arrivals.indices where arrivals[index].time > 3_000 && arrivals[index].time < 7_000 {
            arrivals[index].time = 7_000
        }
        let result = try Playout.run(arrivals)
        #expect(result.statistics.dropped > 100)
        #expect(result.delays[Int(8_000 / 20)] < 65)
    }

    @Test func `single losses are concealed and later audio is in place`() throws {
        let packets = try Playout.encode(Playout.speech())
        let arrivals = Playout.stream(packets).enumerated().filter { $0.offset % 20 != 10 }.map(\.element)
        let result = try Playout.run(arrivals)
        let expected = try Playout.decode(packets)
        let alignment = Sound.align(result.heard, to: expected)
        #expect(alignment.lag == 1_776)
        #expect(alignment.correlation > 0.9)
        let lost = packets.indices.count { $0 % 20 == 10 }
        #expect(result.statistics.gaps == lost)
        #expect(result.statistics.concealedSamples == lost * 960)
    }

    @Test func `losses are repaired from redundant copies if there are any`() throws {
        let speech = try Playout.speech()
        let packets = try Playout.encode(speech, expectedLossPercent: 20)
        let arrivals = Playout.stream(packets).enumerated().filter { $0.offset % 10 != 5 }.map(\.element)
        let result = try Playout.run(arrivals)
        #expect(result.statistics.correctedSamples > result.statistics.concealedSamples)
        #expect(Sound.align(result.heard, to: try Playout.decode(packets)).correlation > 0.9)
    }

    @Test func `a sender's pause is silence of the same duration, not a loss`() throws {
        let tone = try tonePackets(seconds: 6)
        var arrivals = Playout.stream(tone)
        // Muted for 1.4 s: the timestamp advances, the sequence number does not.
        for index in 150..<arrivals.count {
            arrivals[index].timestamp += 67_200
            arrivals[index].time += 1_400
        }
        arrivals[150].isMarked = true
        let result = try Playout.run(arrivals)
        #expect(result.statistics.concealedSamples == 0)
        #expect(result.statistics.gaps == 0)
        #expect(result.statistics.targetMilliseconds == 40)
        #expect(result.delays.suffix(100).allSatisfy { abs($0 - 40) < 21 })
        let gap = try #require(Sound.gaps(result.heard).first { $0.lowerBound > 9_600 })
        #expect(gap.count > 48 * 1_200 && gap.count < 48 * 1_450)
    }

    @Test(arguments: [48_000 * 3_600, -48_000 * 3_600, -9_600, 480_000])
    func `after a timestamp jump, playback continues within a second`(leap: Int) throws {
        var arrivals = Playout.stream(try tonePackets(seconds: 8))
        for index in 200..<arrivals.count {
            arrivals[index].timestamp = UInt32(truncatingIfNeeded: Int(arrivals[index].timestamp) + leap)
        }
        arrivals[200].isMarked = true
        let result = try Playout.run(arrivals)
        #expect(Sound.shareOfEnergy(at: 440, in: Array(result.heard[240_000..<264_000])) > 0.95)
        #expect(result.delays.suffix(100).allSatisfy { $0 < 100 })
    }

    @Test func `late packets and duplicates are dropped and counted`() throws {
        let packets = try Playout.encode(Playout.speech())
        var arrivals = Playout.stream(packets)
        arrivals[50].time += 200
        arrivals.append(arrivals[80])
        let result = try Playout.run(arrivals)
        #expect(result.statistics.late == 1)
        #expect(result.statistics.duplicates == 1)
        #expect(result.statistics.gaps == 1)
    }

    @Test func `a new source starts anew`() throws {
        let first = Playout.stream(try tonePackets(seconds: 2))
        var tone = Tone(hertz: 1_000)
        var second = Playout.stream(try Playout.encode(tone.next(96_000)), firstSequence: 7, firstTimestamp: 9)
        for index in second.indices {
            second[index].source = 2
            second[index].time += 2_000
        }
        let result = try Playout.run(first + second)
        #expect(result.statistics.restarts == 1)
        #expect(Sound.shareOfEnergy(at: 440, in: Array(result.heard[24_000..<48_000])) > 0.98)
        #expect(Sound.shareOfEnergy(at: 1_000, in: Array(result.heard[120_000..<144_000])) > 0.98)
    }

    @Test func `clocks that differ by 200 ppm cause neither underrun nor growing delay`() throws {
        let packets = try tonePackets(seconds: 60)
        for drift in [1.0002, 0.9998] {
            var arrivals = Playout.stream(packets)
            for index in arrivals.indices { arrivals[index].time *= drift }
            let result = try Playout.run(arrivals)
            #expect(result.statistics.concealedSamples < 4_800)
            #expect(result.delays.dropFirst(50).dropLast(30).allSatisfy { $0 > 5 && $0 < 80 })
        }
    }

    @Test func `without packets the output is silence`() throws {
        let buffer = try JitterBuffer()
        var frame = [Int16](repeating: 1, count: 960)
        let output = frame.withUnsafeMutableBufferPointer { buffer.pull(into: $0, at: 0) }
        #expect(output == .silence)
        #expect(frame.allSatisfy { $0 == 0 })
    }

    @Test func `arbitrary packets at any time cause no crash`() throws {
        var random = SeededRandom(seed: 12)
        let packets = try tonePackets(seconds: 1)
        for _ in 0..<20 {
            var arrivals: [Playout.Arrival] = []
            for _ in 0..<300 {
                var payload = packets[Int.random(in: 0..<50, using: &random)]
                if Int.random(in: 0..<4, using: &random) == 0 {
                    payload = random.bytes(Int.random(in: 0...30, using: &random))
                }
                let spread: UInt32 = Bool.random(using: &random) ? .max : 100_000
                arrivals.append(
                    Playout.Arrival(
                        payload: payload,
                        sequence: UInt16.random(in: 0...(.max), using: &random),
                        timestamp: UInt32.random(in: 0...spread, using: &random),
                        isMarked: Bool.random(using: &random),
                        source: UInt32.random(in: 0...40, using: &random) / 40,
                        time: Double.random(in: 0...3_000, using: &random)
                    )
                )
            }
            _ = try Playout.run(arrivals)
        }
    }

    private func tonePackets(seconds: Int) throws -> [[UInt8]] {
        var tone = Tone(hertz: 440)
        return try Playout.encode(tone.next(seconds * 48_000))
    }

    /// Returns true if the played samples contain all expected samples in a row, bit for bit.
    private func contains(_ heard: [Int16], _ expected: [Int16]) -> Bool {
        guard let first = expected.firstIndex(where: { $0 != 0 }), let start = heard.firstIndex(where: { $0 != 0 }),
            start >= first
        else { return false }
        return Array(heard.dropFirst(start - first).prefix(expected.count)) == expected
    }
}
