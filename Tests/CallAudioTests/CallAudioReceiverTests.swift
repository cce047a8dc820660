import HubClient
import HubEngine
import HubMedia
import HubTestSupport
import Testing

@testable import CallAudio

@Suite("Recording received audio")
struct CallAudioReceiverTests {
    private static let frame: Int64 = 20_000_000

    /// A sink that keeps all audio in memory.
    private final class Memory: AudioFrameSink {
        let storesPackets: Bool
        var samples: [Int16] = []
        var gaps: [Int] = []
        var fails = false
        var isClosed = false

        init(storesPackets: Bool) { self.storesPackets = storesPackets }

        func append(_ samples: UnsafeBufferPointer<Int16>) throws(MediaError) {
            if fails { throw MediaError(.inputOutput, "full") }
            self.samples += samples
        }

        func append(packet: UnsafeRawBufferPointer, afterGapOfSamples gap: Int) throws(MediaError) {
            gaps.append(gap)
        }

        func close() throws(MediaError) { isClosed = true }
    }

    private func packet(
        _ number: Int,
        ssrc: UInt32 = 1,
        at arrival: Int64,
        timestamp: UInt32? = nil,
        payload: [UInt8] = [0xF8, 0xFF, 0xFE]
    ) -> ReceivedAudio {
        ReceivedAudio(
            ssrc: ssrc,
            sequenceNumber: UInt16(truncatingIfNeeded: number),
            timestamp: timestamp ?? UInt32(truncatingIfNeeded: number * 960),
            payload: payload,
            arrival: Instant(nanoseconds: arrival)
        )
    }

    @Test func `a recording starts with the first connected call and continues over hold and swap`() throws {
        let memory = Memory(storesPackets: false)
        let listener = CallAudioReceiver(sink: memory)
        for tick in 0..<10 { try listener.tick(isOpen: false, sources: [1], [], at: Int64(tick) * Self.frame) }
        #expect(memory.samples.isEmpty)
        for tick in 10..<20 { try listener.tick(isOpen: tick < 15, sources: [1], [], at: Int64(tick) * Self.frame) }
        #expect(memory.samples.count == 10 * 960)
    }

    @Test func `packets are stored as received, with the gaps of the sender's clock`() throws {
        let memory = Memory(storesPackets: true)
        let listener = CallAudioReceiver(sink: memory)
        try listener.tick(isOpen: true, sources: [1], [], at: 0)
        for (tick, number) in [0, 1, 2, 5, 6].enumerated() {
            let now = Int64(tick) * Self.frame
            try listener.tick(isOpen: true, sources: [1], [packet(number, at: now)], at: now)
        }
        #expect(memory.gaps == [0, 0, 0, 1_920, 0])
    }

    @Test func `the gap between two talkers is the time between their packets`() throws {
        let memory = Memory(storesPackets: true)
        let listener = CallAudioReceiver(sink: memory)
        try listener.tick(isOpen: true, sources: [1], [packet(0, at: 0)], at: 0)
        let later = 50 * Self.frame
        try listener.tick(isOpen: true, sources: [2], [packet(7, ssrc: 2, at: later, timestamp: 99)], at: later)
        #expect(memory.gaps == [0, 49 * 960])
    }

    @Test func `a late or duplicate packet is not stored`() throws {
        let memory = Memory(storesPackets: true)
        let listener = CallAudioReceiver(sink: memory)
        try listener.tick(isOpen: true, sources: [1], [0, 1, 1, 0].map { packet($0, at: 0) }, at: 0)
        #expect(memory.gaps == [0, 0])
    }

    @Test func `a jump of the sender's clock does not extend the recording`() throws {
        let memory = Memory(storesPackets: true)
        let listener = CallAudioReceiver(sink: memory)
        try listener.tick(isOpen: true, sources: [1], [packet(0, at: 0)], at: 0)
        let now = Self.frame
        try listener.tick(isOpen: true, sources: [1], [packet(1, at: now, timestamp: 1_000_000_000)], at: now)
        #expect(memory.gaps == [0, 0])
    }

    @Test func `a failing sink is reported once and not used again`() throws {
        let memory = Memory(storesPackets: false)
        memory.fails = true
        let listener = CallAudioReceiver(sink: memory)
        #expect(throws: MediaError.self) { try listener.tick(isOpen: true, sources: [1], [], at: 0) }
        #expect(memory.isClosed)
        try listener.tick(isOpen: true, sources: [1], [], at: Self.frame)
    }

    /// Sends the tones of `talkers` for some ticks; `sources` are those in the hub's notification.
    private func talk(
        _ talkers: [UInt32: [[UInt8]]],
        sources: Set<UInt32>,
        ticks: Range<Int>,
        to listener: CallAudioReceiver
    ) throws {
        for tick in ticks {
            let now = Int64(tick) * Self.frame
            let packets = talkers.map { packet(tick, ssrc: $0.key, at: now, payload: $0.value[tick]) }
            try listener.tick(isOpen: true, sources: sources, packets, at: now)
        }
    }

    private func share(_ hertz: Double, in samples: [Int16]) -> Double {
        Sound.shareOfEnergy(at: hertz, in: samples)
    }

    @Test func `all sources in the hub's list are mixed, and no others (CK-47)`() throws {
        let memory = Memory(storesPackets: false)
        let listener = CallAudioReceiver(sink: memory)
        let tones = [1: 440.0, 2: 660, 3: 880]
        let talkers = try tones.reduce(into: [UInt32: [[UInt8]]]()) { talkers, tone in
            talkers[UInt32(tone.key)] = try TestTone.packets(hertz: tone.value, count: 150)
        }
        try talk(talkers, sources: [1, 2], ticks: 0..<50, to: listener)
        let both = Array(memory.samples.suffix(24_000))
        #expect(share(440, in: both) > 0.4)
        #expect(share(660, in: both) > 0.4)
        #expect(share(880, in: both) < 0.01)
        try talk(talkers, sources: [2], ticks: 50..<51, to: listener)
        try talk(talkers, sources: [2], ticks: 51..<100, to: listener)
        let left = Array(memory.samples.suffix(50 * 960))
        #expect(share(440, in: Array(left.prefix(960))) < 0.05, "from the first frame on")
        #expect(share(660, in: Array(left.suffix(24_000))) > 0.9)
        #expect(Sound.gaps(left) == [], "who stays has no gap")
        try talk(talkers, sources: [], ticks: 100..<150, to: listener)
        #expect(memory.samples.suffix(50 * 960).allSatisfy { $0 == 0 })
        #expect(listener.statistics.packets == 150)
        #expect(listener.statistics.latePackets == 0)
    }

    @Test func `a packet sink receives the mix from the first group on, at the right time`() throws {
        let memory = Memory(storesPackets: true)
        let listener = CallAudioReceiver(sink: memory)
        let talkers: [UInt32: [[UInt8]]] = [
            1: try TestTone.packets(hertz: 440, count: 100), 2: try TestTone.packets(hertz: 660, count: 100),
        ]
        try talk(talkers, sources: [1], ticks: 0..<25, to: listener)
        #expect(memory.gaps.count == 25)
        #expect(memory.samples.isEmpty)
        // No packets for a while, then packets of both.
        try talk([:], sources: [1], ticks: 25..<30, to: listener)
        try talk(talkers, sources: [1, 2], ticks: 30..<80, to: listener)
        #expect(memory.gaps.count == 25)
        #expect(memory.samples.count == 55 * 960)
        let both = Array(memory.samples.suffix(24_000))
        #expect(share(440, in: both) > 0.4)
        #expect(share(660, in: both) > 0.4)
    }
}
