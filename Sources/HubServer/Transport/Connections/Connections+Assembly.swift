/// The memory of messages of which the end has not been received.
extension Connections {
    /// Stops keeping the bytes of a message, which are only counted from then on.
    ///
    /// - Parameter state: A connection of this table.
    func stopBuffering(of state: UnsafeMutablePointer<ConnectionState>) {
        state.pointee.assembly = .discarding(count: state.pointee.assembly.count)
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
        var buffer: MessageBuffer
        switch takeAssembly(of: state) {
        case .discarding(let count):
            state.pointee.assembly = .discarding(count: count + piece.count)
            return true
        case .none: buffer = MessageBuffer(queues: queues)
        case .buffering(let kept): buffer = kept
        }
        let isAdded = buffer.append(piece, atMost: most)
        state.pointee.assembly = .buffering(buffer)
        return isAdded
    }

    /// Removes the message from its connection, which may then be released without effect on it.
    ///
    /// - Parameter state: A connection of this table.
    /// - Returns: The pieces received so far.
    func takeAssembly(of state: UnsafeMutablePointer<ConnectionState>) -> ConnectionState.Assembly {
        exchange(&state.pointee.assembly, with: .none)
    }
}
