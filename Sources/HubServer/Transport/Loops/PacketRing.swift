import HubEngine
import Synchronization

/// A bounded, lock-free ring of packets from one loop's thread to another's (single producer, single consumer).
///
/// Owns the memory, and frees it at its end; both threads use the ``View``. Two counters hold the bytes written and
/// read; each side changes its own and reads the other's. A full ring takes nothing: what is in it is late already, and
/// the reader drops by age.
final class PacketRing: Sendable {
    /// The header of each packet.
    struct Head {
        /// The packet's length in bytes; `.max`: the next packet is at the ring's beginning.
        var count: UInt32
        /// The receiving session: slot index and generation.
        var listener: UInt32
        var generation: UInt32
        /// The time of the write in milliseconds of the hub's clock, the lower 32 bits.
        var writtenAt: UInt32
    }

    /// The ring as a trivial view, for the packet path; the owner keeps the memory alive.
    struct View: @unchecked Sendable {
        fileprivate let memory: UnsafeMutableRawPointer
        fileprivate let capacity: Int
        /// The bytes written and read in all; apart, so that the two threads do not share a cache line.
        fileprivate let written: UnsafeMutablePointer<Atomic<Int>>
        fileprivate let readSoFar: UnsafeMutablePointer<Atomic<Int>>
        /// True from the reader's wake-up until its next read.
        fileprivate let isAnnounced: UnsafeMutablePointer<Atomic<Bool>>
    }

    /// The view for the packet path.
    let view: View

    /// Creates an empty ring.
    ///
    /// - Parameter bytes: The capacity in bytes, rounded up to a power of two, at least 4,096.
    init(bytes: Int) {
        var capacity = 4096
        while capacity < bytes { capacity *= 2 }
        let counts = UnsafeMutableRawPointer.allocate(byteCount: 3 * 128, alignment: 128)
        view = View(
            memory: .allocate(byteCount: capacity, alignment: 64),
            capacity: capacity,
            written: counts.bindMemory(to: Atomic<Int>.self, capacity: 1),
            readSoFar: (counts + 128).bindMemory(to: Atomic<Int>.self, capacity: 1),
            isAnnounced: (counts + 256).bindMemory(to: Atomic<Bool>.self, capacity: 1)
        )
        view.written.initialize(to: Atomic(0))
        view.readSoFar.initialize(to: Atomic(0))
        view.isAnnounced.initialize(to: Atomic(false))
    }

    deinit {
        view.memory.deallocate()
        // The first of the three counters begins their common memory.
        UnsafeMutableRawPointer(view.written).deallocate()
    }
}

extension PacketRing.View {
    private static let headBytes = 16
    private static let wrap = UInt32.max

    /// Writes a packet; called on the writer's thread.
    ///
    /// - Parameters:
    ///   - packet: The packet, of less than a quarter of the capacity.
    ///   - listener: The session that receives the packet.
    ///   - now: The time in milliseconds of the hub's clock, the lower 32 bits.
    /// - Returns: False if there is no room.
    func write(_ packet: UnsafeRawBufferPointer, for listener: SessionID, at now: UInt32) -> Bool {
        guard let source = packet.baseAddress, packet.count < capacity / 4 else { return false }
        let length = Self.stride(of: packet.count)
        var position = written.pointee.load(ordering: .relaxed)
        let free = capacity &- (position &- readSoFar.pointee.load(ordering: .acquiring))
        let untilEnd = capacity &- (position & (capacity &- 1))
        guard length <= (length <= untilEnd ? free : free &- untilEnd) else { return false }
        if length > untilEnd {
            (memory + (position & (capacity &- 1))).storeBytes(of: Self.wrap, as: UInt32.self)
            position &+= untilEnd
        }
        let place = memory + (position & (capacity &- 1))
        let head = PacketRing.Head(
            count: UInt32(packet.count),
            listener: listener.index,
            generation: listener.generation,
            writtenAt: now
        )
        place.storeBytes(of: head, as: PacketRing.Head.self)
        (place + Self.headBytes).copyMemory(from: source, byteCount: packet.count)
        written.pointee.store(position &+ length, ordering: .releasing)
        return true
    }

    /// Passes the packets in the ring to a closure, oldest first; called on the reader's thread.
    ///
    /// - Parameter body: Receives the packet, which is invalid after the call, and its position in bytes, as counted by
    ///   ``acknowledgeWrites()``. If it returns false, this packet and those behind it stay.
    func read(_ body: (PacketRing.Head, UnsafeRawBufferPointer, Int) -> Bool) {
        let end = written.pointee.load(ordering: .acquiring)
        var position = readSoFar.pointee.load(ordering: .relaxed)
        while position != end {
            let place = memory + (position & (capacity &- 1))
            if place.load(as: UInt32.self) == Self.wrap {
                position &+= capacity &- (position & (capacity &- 1))
            } else {
                let head = place.load(as: PacketRing.Head.self)
                let packet = UnsafeRawBufferPointer(start: place + Self.headBytes, count: Int(head.count))
                guard body(head, packet, position) else { return }
                position &+= Self.stride(of: Int(head.count))
            }
            readSoFar.pointee.store(position, ordering: .releasing)
        }
    }

    /// Announces a write; true if the reader is to be woken up, once for all writes before its next read.
    func announce() -> Bool {
        !isAnnounced.pointee.exchange(true, ordering: .acquiringAndReleasing)
    }

    /// Acknowledges the writes so far; a later one wakes the reader up again.
    ///
    /// - Returns: The bytes written in all, wrapping around.
    func acknowledgeWrites() -> Int {
        _ = isAnnounced.pointee.exchange(false, ordering: .acquiringAndReleasing)
        return written.pointee.load(ordering: .acquiring)
    }

    private static func stride(of count: Int) -> Int { (headBytes &+ count &+ 15) & ~15 }
}
