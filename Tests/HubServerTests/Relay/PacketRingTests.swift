import Foundation
import HubEngine
import HubSimulation
import Testing

@testable import HubServer

/// The ring buffer for packets between two threads.
struct PacketRingTests {
    /// Made beforehand, so that it is the ring that the two threads are busy with.
    private static let packets = (0..<499).map { number in
        (0..<(12 + number * 37 % 400)).map { UInt8(truncatingIfNeeded: number &+ $0) }
    }

    private static func packet(_ number: Int) -> [UInt8] { packets[number % packets.count] }

    private static func isEqual(_ packet: UnsafeRawBufferPointer, to expected: [UInt8]) -> Bool {
        guard let start = packet.baseAddress, packet.count == expected.count else { return false }
        return memcmp(start, expected, expected.count) == 0
    }

    @Test func `packets written by one thread are read by another, complete and in order`() async throws {
        let owner = PacketRing(bytes: 8192)
        defer { withExtendedLifetime(owner) {} }
        let ring = owner.view
        let count = 200_000
        let writer = Task.detached {
            for number in 0..<count {
                let listener = SessionID(index: UInt32(number), generation: 7)
                let bytes = Self.packet(number)
                func write() -> Bool { bytes.withUnsafeBytes { ring.write($0, for: listener, at: UInt32(number)) } }
                while !write() { await Task.yield() }
            }
        }
        var next = 0
        var faults = 0
        while next < count {
            ring.read { head, packet, _ in
                let isRight =
                    head.listener == UInt32(next) && head.generation == 7 && head.writtenAt == UInt32(next)
                    && Self.isEqual(packet, to: Self.packet(next))
                if !isRight { faults += 1 }
                next += 1
                return true
            }
            await Task.yield()
        }
        await writer.value
        #expect(faults == 0)
    }

    @Test func `a full ring accepts nothing until it is read`() {
        let owner = PacketRing(bytes: 4096)
        defer { withExtendedLifetime(owner) {} }
        let ring = owner.view
        let listener = SessionID(index: 1, generation: 1)
        let bytes = [UInt8](repeating: 5, count: 100)
        func write() -> Bool { bytes.withUnsafeBytes { ring.write($0, for: listener, at: 0) } }
        var written = 0
        while write() { written += 1 }
        #expect(written == 4096 / 128)
        var read = 0
        ring.read { _, _, _ in
            read += 1
            return read < 10
        }
        #expect(read == 10)
        ring.read { _, _, _ in
            read += 1
            return true
        }
        #expect(read == written + 1, "one was left, and is read again")
        #expect(write())
    }

    @Test func `a reader is signalled once for all writes until it reads`() {
        let owner = PacketRing(bytes: 0)
        defer { withExtendedLifetime(owner) {} }
        let ring = owner.view
        #expect(ring.announce())
        #expect(!ring.announce())
        _ = ring.acknowledgeWrites()
        #expect(ring.announce())
    }
}
