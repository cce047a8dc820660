import HubMedia
import HubTestSupport
import Testing

/// The mix of several simultaneous talkers.
struct StreamMixerTests {
    private let mixer = StreamMixer()

    /// Adds each talker's packets at their pace; returns the output, frame by frame.
    private func play(_ talkers: [UInt32: [[UInt8]]], frames: Range<Int>) -> [Int16] {
        var heard: [Int16] = []
        for frame in frames {
            let now = Int64(frame) * 20_000_000
            for (source, packets) in talkers where packets.indices.contains(frame) {
                packets[frame].withUnsafeBytes {
                    mixer.insert(
                        $0,
                        sequenceNumber: UInt16(frame),
                        timestamp: UInt32(frame * 960),
                        isMarked: frame == 0,
                        source: source,
                        at: now
                    )
                }
            }
            var samples = [Int16](repeating: 1, count: AudioFormat.samplesPerFrame)
            samples.withUnsafeMutableBufferPointer { mixer.pull(into: $0, at: now) }
            heard += samples
        }
        return heard
    }

    @Test func `a single stream plays as from its own jitter buffer, bit by bit`() throws {
        let packets = try TestTone.packets(hertz: 440, count: 50)
        try mixer.play(only: [7])
        let buffer = try JitterBuffer()
        var alone: [Int16] = []
        for (number, packet) in packets.enumerated() {
            let now = Int64(number) * 20_000_000
            packet.withUnsafeBytes {
                buffer.insert(
                    $0,
                    sequenceNumber: UInt16(number),
                    timestamp: UInt32(number * 960),
                    isMarked: number == 0,
                    source: 7,
                    at: now
                )
            }
            alone += buffer.pull(at: now)
        }
        // Compared outside of #expect, which would look for the differences of long arrays for minutes.
        let isSame = play([7: packets], frames: 0..<50) == alone
        #expect(isSame)
    }

    @Test func `several streams are summed, and clipped without overflow`() throws {
        let packets = try TestTone.packets(hertz: 440, count: 60)
        try mixer.play(only: [1])
        let one = play([1: packets], frames: 0..<60)
        try mixer.play(only: [])
        let sources = Set<UInt32>(2..<10)
        try mixer.play(only: sources)
        let talkers = Dictionary(uniqueKeysWithValues: sources.map { ($0, packets) })
        let all = play(talkers, frames: 0..<60)
        let isSum = all == one.map { Int16(clamping: 8 * Int32($0)) }
        #expect(isSum)
        #expect(all.contains(.max) && all.contains(.min), "the test is loud enough")
    }

    @Test func `unnamed streams are not played, and a removed one stops at once`() throws {
        let talkers: [UInt32: [[UInt8]]] = [
            1: try TestTone.packets(hertz: 440, count: 60), 2: try TestTone.packets(hertz: 660, count: 60),
        ]
        #expect(play(talkers, frames: 0..<10).allSatisfy { $0 == 0 })
        try mixer.play(only: [2])
        let heard = play(talkers, frames: 10..<40)
        #expect(Sound.shareOfEnergy(at: 440, in: heard) < 0.01)
        #expect(Sound.shareOfEnergy(at: 660, in: Array(heard.suffix(24_000))) > 0.9)
        try mixer.play(only: [])
        #expect(play(talkers, frames: 40..<60).allSatisfy { $0 == 0 })
        #expect(mixer.latePackets == 0)
    }
}
