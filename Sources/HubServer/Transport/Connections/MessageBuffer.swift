/// The memory in which a fragmented message is assembled, of the memory budget for queued data.
///
/// Frees the memory and gives it back to the budget at its end.
struct MessageBuffer: ~Copyable {
    private var memory: UnsafeMutableRawPointer?
    private var capacity = 0
    private let queues: QueueBudget.View

    /// The number of bytes received so far.
    private(set) var count = 0

    /// Creates a buffer without memory yet.
    ///
    /// - Parameter queues: The memory budget; must outlive the buffer.
    init(queues: QueueBudget.View) {
        self.queues = queues
    }

    deinit {
        memory?.deallocate()
        queues.release(capacity)
    }

    /// The bytes received so far; valid until the buffer is changed or ends.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory, count: count) }

    /// Adds bytes to the message.
    ///
    /// - Parameters:
    ///   - piece: The bytes; copied.
    ///   - most: The maximum length of a message in bytes.
    /// - Returns: False if the memory budget is exhausted; then nothing is added.
    mutating func append(_ piece: UnsafeRawBufferPointer, atMost most: Int) -> Bool {
        guard let memory = room(for: count + piece.count, atMost: most) else { return false }
        if let source = piece.baseAddress { (memory + count).copyMemory(from: source, byteCount: piece.count) }
        count += piece.count
        return true
    }

    /// Provides memory for a number of bytes in all; nil if the memory budget is exhausted.
    private mutating func room(for total: Int, atMost most: Int) -> UnsafeMutableRawPointer? {
        if let memory, total <= capacity { return memory }
        let larger = min(max(total * 2, 512), max(most, total))
        guard queues.reserve(larger - capacity) else { return nil }
        let room = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
        if let memory {
            room.copyMemory(from: memory, byteCount: count)
            memory.deallocate()
        }
        (memory, capacity) = (room, larger)
        return room
    }
}
