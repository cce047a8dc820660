/// The memory of messages of which the end has not been received.
extension Connections {
    /// Stops keeping the bytes of a message, which are only counted from then on.
    ///
    /// - Parameter state: A connection of this table.
    func discardAssembly(of state: UnsafeMutablePointer<ConnectionState>) {
        switch state.pointee.assembly {
        case .none: state.pointee.assembly = .discarding(count: 0)
        case .discarding: return
        case .keeping(let buffer):
            free(buffer)
            state.pointee.assembly = .discarding(count: buffer.count)
        }
    }

    /// Adds bytes to a message.
    ///
    /// - Parameters:
    ///   - piece: The bytes; copied.
    ///   - state: A connection of this table.
    ///   - most: The maximum length of a message in bytes.
    /// - Returns: False if the memory budget is exhausted.
    func append(
        _ piece: UnsafeRawBufferPointer,
        to state: UnsafeMutablePointer<ConnectionState>,
        atMost most: Int
    ) -> Bool {
        if case .discarding(let count) = state.pointee.assembly {
            state.pointee.assembly = .discarding(count: count + piece.count)
            return true
        }
        guard var buffer = room(for: piece.count, in: state.pointee.assembly, atMost: most) else { return false }
        if let source = piece.baseAddress {
            (buffer.memory + buffer.count).copyMemory(from: source, byteCount: piece.count)
        }
        buffer.count += piece.count
        state.pointee.assembly = .keeping(buffer)
        return true
    }

    /// Provides memory for further bytes; nil if the memory budget is exhausted.
    private func room(for count: Int, in assembly: ConnectionState.Assembly, atMost most: Int) -> MessageBuffer? {
        var old: MessageBuffer?
        if case .keeping(let buffer) = assembly { old = buffer }
        let total = (old?.count ?? 0) + count
        if let old, total <= old.capacity { return old }
        let capacity = min(max(total * 2, 512), max(most, total))
        guard queues.take(capacity - (old?.capacity ?? 0)) else { return nil }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        if let old {
            memory.copyMemory(from: old.memory, byteCount: old.count)
            old.memory.deallocate()
        }
        return MessageBuffer(memory: memory, capacity: capacity, count: old?.count ?? 0)
    }
}
