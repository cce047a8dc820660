import HubClient
import HubEngine
import HubMedia
import Testing

@testable import callhub

@Suite("What a phone keeps of what it hears")
struct PhoneListenerTests {
    private static let frame: Int64 = 20_000_000

    /// Keeps everything in memory.
    private final class Memory: SoundSink {
        let storesPackets: Bool
        var samples = 0
        var gaps: [Int] = []
        var fails = false
        var isClosed = false

        init(storesPackets: Bool) { self.storesPackets = storesPackets }

        func append(_ samples: UnsafeBufferPointer<Int16>) throws(MediaError) {
            if fails { throw MediaError(.inputOutput, "full") }
            self.samples += samples.count
        }

        func append(packet: UnsafeRawBufferPointer, afterGapOfSamples gap: Int) throws(MediaError) {
            gaps.append(gap)
        }

        func close() throws(MediaError) { isClosed = true }
    }

    private func packet(_ number: Int, ssrc: UInt32 = 1, at arrival: Int64, timestamp: UInt32? = nil) -> ReceivedAudio {
        ReceivedAudio(
            ssrc: ssrc,
            sequenceNumber: UInt16(truncatingIfNeeded: number),
            timestamp: timestamp ?? UInt32(truncatingIfNeeded: number * 960),
            payload: [0xF8, 0xFF, 0xFE],
            arrival: Instant(nanoseconds: arrival)
        )
    }

    @Test func `a recording begins with the first open line and goes on through hold and swap`() throws {
        let memory = Memory(storesPackets: false)
        let listener = PhoneListener(sink: memory)
        for tick in 0..<10 { try listener.tick(isOpen: false, [], at: Int64(tick) * Self.frame) }
        #expect(memory.samples == 0)
        for tick in 10..<20 { try listener.tick(isOpen: tick < 15, [], at: Int64(tick) * Self.frame) }
        #expect(memory.samples == 10 * 960)
    }

    @Test func `packets are stored as they came, with the gaps of the sender's clock`() throws {
        let memory = Memory(storesPackets: true)
        let listener = PhoneListener(sink: memory)
        try listener.tick(isOpen: true, [], at: 0)
        for (tick, number) in [0, 1, 2, 5, 6].enumerated() {
            let now = Int64(tick) * Self.frame
            try listener.tick(isOpen: true, [packet(number, at: now)], at: now)
        }
        #expect(memory.gaps == [0, 0, 0, 1_920, 0])
    }

    @Test func `the gap between two talkers is the time between their packets`() throws {
        let memory = Memory(storesPackets: true)
        let listener = PhoneListener(sink: memory)
        try listener.tick(isOpen: true, [packet(0, at: 0)], at: 0)
        let later = 50 * Self.frame
        try listener.tick(isOpen: true, [packet(7, ssrc: 2, at: later, timestamp: 99)], at: later)
        #expect(memory.gaps == [0, 49 * 960])
    }

    @Test func `a packet that comes late or twice is not stored`() throws {
        let memory = Memory(storesPackets: true)
        let listener = PhoneListener(sink: memory)
        try listener.tick(isOpen: true, [0, 1, 1, 0].map { packet($0, at: 0) }, at: 0)
        #expect(memory.gaps == [0, 0])
    }

    @Test func `a sender whose clock leaps does not stretch the recording`() throws {
        let memory = Memory(storesPackets: true)
        let listener = PhoneListener(sink: memory)
        try listener.tick(isOpen: true, [packet(0, at: 0)], at: 0)
        let now = Self.frame
        try listener.tick(isOpen: true, [packet(1, at: now, timestamp: 1_000_000_000)], at: now)
        #expect(memory.gaps == [0, 0])
    }

    @Test func `a sink that fails is told once and left alone`() throws {
        let memory = Memory(storesPackets: false)
        memory.fails = true
        let listener = PhoneListener(sink: memory)
        #expect(throws: MediaError.self) { try listener.tick(isOpen: true, [], at: 0) }
        #expect(memory.isClosed)
        try listener.tick(isOpen: true, [], at: Self.frame)
    }
}
