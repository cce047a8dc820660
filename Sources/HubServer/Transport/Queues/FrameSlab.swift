/// Memory for queued audio packets: equal slots, identified by number.
///
/// A trivial view: copies share the memory, which `deallocate()` frees once. Slots come from chunks that are made on
/// demand and kept; nothing is reference-counted, so the packet path neither allocates nor counts.
struct FrameSlab {
    private static let slotsPerChunk = 256

    private struct Shared {
        var chunkCount = 0
        var freeCount = 0
    }

    private let shared: UnsafeMutablePointer<Shared>
    private let chunks: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    private let free: UnsafeMutablePointer<UInt32>
    private let stride: Int

    /// The maximum size of a packet in bytes.
    let payloadBytes: Int

    private let maximumChunks: Int
    private let queues: QueueBudget.View

    /// Creates a slab without memory yet.
    ///
    /// - Parameters:
    ///   - payloadBytes: The maximum size of a packet in bytes.
    ///   - maximumSlots: The maximum number of packets, rounded up to whole chunks of 256.
    ///   - queues: The memory budget that chunks are charged to; must outlive the slab.
    init(payloadBytes: Int, maximumSlots: Int, queues: QueueBudget.View) {
        self.queues = queues
        self.payloadBytes = max(payloadBytes, 1)
        stride = (max(payloadBytes, 1) + 63) & ~63
        maximumChunks = (max(maximumSlots, 1) + Self.slotsPerChunk - 1) / Self.slotsPerChunk
        shared = .allocate(capacity: 1)
        shared.initialize(to: Shared())
        chunks = .allocate(capacity: maximumChunks)
        chunks.initialize(repeating: nil, count: maximumChunks)
        free = .allocate(capacity: maximumChunks * Self.slotsPerChunk)
    }

    /// Frees all memory; no copy of this view may be used again.
    func deallocate() {
        for chunk in 0..<shared.pointee.chunkCount { chunks[chunk]?.deallocate() }
        queues.giveBack(shared.pointee.chunkCount * chunkBytes)
        chunks.deallocate()
        free.deallocate()
        shared.deallocate()
    }

    /// The number of slots in use.
    var used: Int { shared.pointee.chunkCount * Self.slotsPerChunk - shared.pointee.freeCount }

    /// Takes a free slot; nil if all are in use or the memory budget is exhausted.
    func take() -> UInt32? {
        if shared.pointee.freeCount == 0, !grow() { return nil }
        shared.pointee.freeCount -= 1
        return free[shared.pointee.freeCount]
    }

    /// Returns a slot to the slab.
    ///
    /// - Parameter slot: A slot from `take()`, not given back since.
    func giveBack(_ slot: UInt32) {
        free[shared.pointee.freeCount] = slot
        shared.pointee.freeCount += 1
    }

    /// Finds the payload of a slot.
    ///
    /// - Parameter slot: A slot from `take()`.
    /// - Returns: The address of the payload's first byte; nil for a slot of no existing chunk.
    func payload(of slot: UInt32) -> UnsafeMutableRawPointer? {
        let slot = Int(slot)
        let chunk = slot / Self.slotsPerChunk
        guard chunk < shared.pointee.chunkCount, let base = chunks[chunk] else { return nil }
        return base + (slot % Self.slotsPerChunk) * stride
    }

    private var chunkBytes: Int { stride * Self.slotsPerChunk }

    private func grow() -> Bool {
        let chunk = shared.pointee.chunkCount
        guard chunk < maximumChunks, queues.take(chunkBytes) else { return false }
        chunks[chunk] = .allocate(byteCount: chunkBytes, alignment: 64)
        shared.pointee.chunkCount = chunk + 1
        let first = UInt32(chunk * Self.slotsPerChunk)
        for offset in (0..<UInt32(Self.slotsPerChunk)).reversed() {
            free[shared.pointee.freeCount] = first + offset
            shared.pointee.freeCount += 1
        }
        return true
    }
}
