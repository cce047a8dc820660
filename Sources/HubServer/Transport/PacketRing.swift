import HubEngine
import Synchronization

/// Packets on their way from one loop to another: bounded memory that one thread writes and one other reads, without
/// a lock.
///
/// Two counts say how far each has come; each side changes its own and reads the other's. A full ring takes nothing:
/// what is in it is late already, and the reader drops by age. A trivial view; the ``LoopNetwork`` frees the memory.
struct PacketRing: @unchecked Sendable {
    /// What stands in front of each packet; as it is read first, it is head room then.
    struct Head {
        /// The packet's bytes; `.max`: nothing more comes before the ring's end.
        var count: UInt32
        /// The session that hears it: slot and use.
        var listener: UInt32
        var generation: UInt32
        /// When it was written, in milliseconds of the hub's clock, the lower 32 bits.
        var writtenAt: UInt32
    }

    private static let headBytes = 16
    private static let wrap = UInt32.max

    private let memory: UnsafeMutableRawPointer
    private let capacity: Int
    /// Bytes written and read in all; apart, so that the two threads do not share a cache line.
    private let written: UnsafeMutablePointer<Atomic<Int>>
    private let readSoFar: UnsafeMutablePointer<Atomic<Int>>
    /// Whether the reader has been woken and has not looked yet.
    private let isAnnounced: UnsafeMutablePointer<Atomic<Bool>>
    private let counts: UnsafeMutableRawPointer

    /// An empty ring.
    ///
    /// - Parameter bytes: Rounded up to a power of two, at least 4,096.
    init(bytes: Int) {
        var capacity = 4096
        while capacity < bytes { capacity *= 2 }
        self.capacity = capacity
        memory = .allocate(byteCount: capacity, alignment: 64)
        counts = .allocate(byteCount: 3 * 128, alignment: 128)
        written = counts.bindMemory(to: Atomic<Int>.self, capacity: 1)
        readSoFar = (counts + 128).bindMemory(to: Atomic<Int>.self, capacity: 1)
        isAnnounced = (counts + 256).bindMemory(to: Atomic<Bool>.self, capacity: 1)
        written.initialize(to: Atomic(0))
        readSoFar.initialize(to: Atomic(0))
        isAnnounced.initialize(to: Atomic(false))
    }

    /// Frees the memory.
    func deallocate() {
        memory.deallocate()
        counts.deallocate()
    }

    /// Writes a packet; the writer's thread.
    ///
    /// - Parameters:
    ///   - packet: Of less than a quarter of the ring.
    ///   - listener: Who is to hear it.
    ///   - now: See ``Head/writtenAt``.
    /// - Returns: False where there is no room.
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
        let head = Head(
            count: UInt32(packet.count),
            listener: listener.index,
            generation: listener.generation,
            writtenAt: now
        )
        place.storeBytes(of: head, as: Head.self)
        (place + Self.headBytes).copyMemory(from: source, byteCount: packet.count)
        written.pointee.store(position &+ length, ordering: .releasing)
        return true
    }

    /// Hands out what is in the ring now, the oldest first; the reader's thread.
    ///
    /// - Parameter body: Gets the packet and its place in bytes, as ``lookedAt()`` tells it. May write over the sixteen bytes
    ///   in front of the packet, if it takes it; both are gone after the call. False: this packet and those behind it stay.
    func read(_ body: (Head, UnsafeMutableRawBufferPointer, Int) -> Bool) {
        let end = written.pointee.load(ordering: .acquiring)
        var position = readSoFar.pointee.load(ordering: .relaxed)
        while position != end {
            let place = memory + (position & (capacity &- 1))
            if place.load(as: UInt32.self) == Self.wrap {
                position &+= capacity &- (position & (capacity &- 1))
            } else {
                let head = place.load(as: Head.self)
                let packet = UnsafeMutableRawBufferPointer(start: place + Self.headBytes, count: Int(head.count))
                guard body(head, packet, position) else { return }
                position &+= Self.stride(of: Int(head.count))
            }
            readSoFar.pointee.store(position, ordering: .releasing)
        }
    }

    /// Whether the reader must be woken: once for all that is written until it looks.
    func announce() -> Bool {
        !isAnnounced.pointee.exchange(true, ordering: .acquiringAndReleasing)
    }

    /// The reader looks how far the writer has come; whatever is written from now on wakes it again.
    ///
    /// - Returns: Bytes written in all, wrapping around.
    func lookedAt() -> Int {
        _ = isAnnounced.pointee.exchange(false, ordering: .acquiringAndReleasing)
        return written.pointee.load(ordering: .acquiring)
    }

    private static func stride(of count: Int) -> Int { (headBytes &+ count &+ 15) & ~15 }
}
