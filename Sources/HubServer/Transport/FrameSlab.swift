import CLibWebSockets

/// Memory for audio packets that wait: equal slots with head room, handed out by number.
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

    /// The largest packet a slot holds.
    let payloadBytes: Int

    private let maximumChunks: Int
    private let queues: QueueMemory.View

    /// A slab without memory yet.
    ///
    /// - Parameters:
    ///   - payloadBytes: The largest packet.
    ///   - maximumSlots: Rounded up to whole chunks of 256.
    ///   - queues: What the chunks are taken from; outlives the slab.
    init(payloadBytes: Int, maximumSlots: Int, queues: QueueMemory.View) {
        self.queues = queues
        self.payloadBytes = max(payloadBytes, 1)
        stride = (hub_lws_pre + max(payloadBytes, 1) + 63) & ~63
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

    /// Slots in use now.
    var used: Int { shared.pointee.chunkCount * Self.slotsPerChunk - shared.pointee.freeCount }

    /// A slot to fill, or nil when all are in use.
    func take() -> UInt32? {
        if shared.pointee.freeCount == 0, !grow() { return nil }
        shared.pointee.freeCount -= 1
        return free[shared.pointee.freeCount]
    }

    /// Takes a slot back.
    ///
    /// - Parameter slot: One that `take()` gave, not given back since.
    func giveBack(_ slot: UInt32) {
        free[shared.pointee.freeCount] = slot
        shared.pointee.freeCount += 1
    }

    /// Where the payload of a slot begins; `hub_lws_pre` bytes in front of it are writable too.
    ///
    /// - Parameter slot: One that `take()` gave.
    /// - Returns: The payload's address, or nil for a number that was never handed out.
    func payload(of slot: UInt32) -> UnsafeMutableRawPointer? {
        let slot = Int(slot)
        let chunk = slot / Self.slotsPerChunk
        guard chunk < shared.pointee.chunkCount, let base = chunks[chunk] else { return nil }
        return base + (slot % Self.slotsPerChunk) * stride + hub_lws_pre
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
