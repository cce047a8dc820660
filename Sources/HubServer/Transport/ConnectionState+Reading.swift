import CLibWebSockets

/// Memory that a connection has only at times: unprocessed input, and the payloads of control frames.
extension ConnectionState {
    /// The maximum payload of a control frame in bytes (RFC 6455 section 5.5).
    static let longestControl = 125

    /// Moves the unprocessed input out of the state.
    ///
    /// - Parameter memory: The destination, with room for all that `keepUnread` was given.
    /// - Returns: The number of bytes moved.
    @inline(__always)
    mutating func takeUnread(to memory: UnsafeMutableRawPointer) -> Int {
        guard unread != nil else { return 0 }
        return moveUnread(to: memory)
    }

    private mutating func moveUnread(to memory: UnsafeMutableRawPointer) -> Int {
        guard let unread else { return 0 }
        memory.copyMemory(from: unread, byteCount: unreadCount)
        unread.deallocate()
        self.unread = nil
        return unreadCount
    }

    /// Stores input that is not to be processed yet: an incomplete frame head, or all that was read before a pause.
    ///
    /// - Parameters:
    ///   - bytes: The input; copied.
    ///   - count: The number of bytes, at least 1.
    mutating func keepUnread(_ bytes: UnsafeMutableRawPointer, count: Int) {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 1)
        memory.copyMemory(from: bytes, byteCount: count)
        unread = memory
        unreadCount = count
    }

    /// Provides the memory for the payload of the control frame being read.
    ///
    /// - Returns: Memory of ``longestControl`` bytes.
    mutating func controlBytes() -> UnsafeMutableRawPointer {
        pongBytes() + Self.longestControl
    }

    /// Provides the memory for the payload of the ping to be answered, with head room in front.
    ///
    /// - Returns: Memory of ``longestControl`` bytes.
    mutating func pongBytes() -> UnsafeMutableRawPointer {
        let memory = control ?? .allocate(byteCount: hub_lws_pre + 2 * Self.longestControl, alignment: 16)
        control = memory
        return memory + hub_lws_pre
    }

    /// Stores a ping's payload for the pong; of several pings the last one is answered (RFC 6455 section 5.5.3).
    ///
    /// - Parameter payload: The payload, at most 125 bytes.
    mutating func keepPing(_ payload: UnsafeRawBufferPointer) {
        if let source = payload.baseAddress { pongBytes().copyMemory(from: source, byteCount: payload.count) }
        frame.pongCount = UInt8(truncatingIfNeeded: payload.count) &+ 1
    }

    /// Frees the memory.
    mutating func freeReading() {
        unread?.deallocate()
        control?.deallocate()
        unread = nil
        control = nil
    }
}
