/// Memory for queued audio packets: equal slots, identified by number.
///
/// Owns the memory, and frees it at its end. Slots come from chunks that are made on demand and kept; nothing is
/// reference-counted, so the packet path neither allocates nor counts.
struct FrameSlab: ~Copyable {
    /// The slab as a trivial view, for flat tables; the owner keeps the memory alive.
    struct View {
        fileprivate struct Shared {
            var chunkCount = 0
            var freeCount = 0
        }

        fileprivate let shared: UnsafeMutablePointer<Shared>
        fileprivate let chunks: UnsafeMutablePointer<UnsafeMutableRawPointer?>
        fileprivate let free: UnsafeMutablePointer<UInt32>
        fileprivate let stride: Int

        /// The maximum size of a packet in bytes.
        let payloadBytes: Int

        fileprivate let maximumChunks: Int
        fileprivate let queues: QueueBudget.View
    }

    /// The view for flat tables.
    let view: View

    private let queues: QueueBudget

    /// Creates a slab without memory yet.
    ///
    /// - Parameters:
    ///   - payloadBytes: The maximum size of a packet in bytes.
    ///   - maximumSlots: The maximum number of packets, rounded up to whole chunks of 256.
    ///   - queues: The memory budget that chunks are charged to.
    init(payloadBytes: Int, maximumSlots: Int, queues: QueueBudget) {
        let maximumChunks = (max(maximumSlots, 1) + View.slotsPerChunk - 1) / View.slotsPerChunk
        view = View(
            shared: .allocate(capacity: 1),
            chunks: .allocate(capacity: maximumChunks),
            free: .allocate(capacity: maximumChunks * View.slotsPerChunk),
            stride: (max(payloadBytes, 1) + 63) & ~63,
            payloadBytes: max(payloadBytes, 1),
            maximumChunks: maximumChunks,
            queues: queues.view
        )
        view.shared.initialize(to: View.Shared())
        view.chunks.initialize(repeating: nil, count: maximumChunks)
        self.queues = queues
    }

    deinit {
        let count = view.shared.pointee.chunkCount
        for chunk in 0..<count { view.chunks[chunk]?.deallocate() }
        view.queues.release(count * view.chunkBytes)
        view.chunks.deallocate()
        view.free.deallocate()
        view.shared.deallocate()
    }
}

extension FrameSlab.View {
    fileprivate static let slotsPerChunk = 256

    /// The number of slots in use.
    var used: Int { shared.pointee.chunkCount * Self.slotsPerChunk - shared.pointee.freeCount }

    /// Reserves a free slot; nil if all are in use or the memory budget is exhausted.
    func reserve() -> UInt32? {
        if shared.pointee.freeCount == 0, !grow() { return nil }
        shared.pointee.freeCount -= 1
        return free[shared.pointee.freeCount]
    }

    /// Returns a slot to the slab.
    ///
    /// - Parameter slot: A slot from `reserve()`, not released since.
    func release(_ slot: UInt32) {
        free[shared.pointee.freeCount] = slot
        shared.pointee.freeCount += 1
    }

    /// Finds the payload of a slot.
    ///
    /// - Parameter slot: A slot from `reserve()`.
    /// - Returns: The address of the payload's first byte; nil for a slot of no existing chunk.
    func payload(of slot: UInt32) -> UnsafeMutableRawPointer? {
        let slot = Int(slot)
        let chunk = slot / Self.slotsPerChunk
        guard chunk < shared.pointee.chunkCount, let base = chunks[chunk] else { return nil }
        return base + (slot % Self.slotsPerChunk) * stride
    }

    fileprivate var chunkBytes: Int { stride * Self.slotsPerChunk }

    private func grow() -> Bool {
        let chunk = shared.pointee.chunkCount
        guard chunk < maximumChunks, queues.reserve(chunkBytes) else { return false }
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
