import HubMedia
import HubTestSupport
import Testing

/// The parts of codec and jitter buffer that a mixer needs.
@Suite struct MixingPlayoutTests {
    @Test func `a copied encoder continues as the one that it was copied from`() throws {
        var settings = OpusEncoderSettings()
        settings.application = .lowDelay
        var tone = Tone(hertz: 440)
        var one = try OpusEncoder(settings)
        var other = try OpusEncoder(settings)
        for _ in 0..<10 { _ = try one.encode(tone.next(960)) }
        other.copyState(from: one)
        for _ in 0..<10 {
            let frame = tone.next(960)
            #expect(try one.encode(frame) == other.encode(frame))
        }
    }

    @Test func `an encoder of low delay is 2,5 ms behind`() throws {
        var settings = OpusEncoderSettings()
        settings.application = .lowDelay
        #expect(try OpusEncoder(settings).lookaheadInSamples == 120)
    }

    @Test func `an independent packet is decoded without those before it`() throws {
        var settings = OpusEncoderSettings()
        settings.application = .lowDelay
        settings.bitsPerSecond = 48_000
        var tone = Tone(hertz: 440, amplitude: 0.3)
        var encoder = try OpusEncoder(settings)
        var known = try OpusDecoder()
        var fresh = try OpusDecoder()
        for _ in 0..<20 { _ = try known.decode(encoder.encode(tone.next(960))) }
        encoder.setIndependentPackets(true)
        let packet = try encoder.encode(tone.next(960))
        let (one, other) = (try known.decode(packet), try fresh.decode(packet))
        // But for the first 5 ms, in which the packet before still sounds.
        let difference = zip(one, other).dropFirst(240).map { abs(Int($0) - Int($1)) }.max() ?? .max
        #expect(difference < 200, "\(difference)")
    }

    /// Inserts packets of 20 ms at the pace of their timestamps, and pulls a frame after each.
    private func play(_ packets: Range<Int>, _ payloads: [[UInt8]], into buffer: JitterBuffer) -> [Int16] {
        var heard: [Int16] = []
        for number in packets {
            let now = Int64(number) * 20_000_000
            payloads[number].withUnsafeBytes {
                buffer.insert(
                    $0,
                    sequenceNumber: UInt16(number),
                    timestamp: UInt32(number * 960),
                    isMarked: false,
                    source: 1,
                    at: now
                )
            }
            heard += buffer.pull(at: now + 5_000_000)
        }
        return heard
    }

    @Test func `a mixer's buffer is 22 ms behind, and so is what follows a suspension`() throws {
        let payloads = try TestTone.packets(hertz: 440, count: 120)
        let buffer = try JitterBuffer(.mixing)
        _ = play(0..<50, payloads, into: buffer)
        #expect(abs(buffer.statistics.delayMilliseconds - 22) < 0.1)
        buffer.suspend()
        #expect(buffer.endPosition == nil)
        for number in 50..<80 {
            buffer.skip(
                sequenceNumber: UInt16(number),
                timestamp: UInt32(number * 960),
                at: Int64(number) * 20_000_000
            )
        }
        let heard = play(80..<120, payloads, into: buffer)
        #expect(abs(buffer.statistics.delayMilliseconds - 22) < 0.1)
        // Neither concealment of what was left out, nor a gap.
        #expect(buffer.statistics.concealedSamples == 0)
        #expect(Sound.gaps(Array(heard.dropFirst(3_000))).isEmpty)
        #expect(buffer.position == 119 * 960 + 144 && buffer.endPosition == 120 * 960)
    }
}
