import CLibWebSockets

/// Memory that a connection has only at times: what was read and not taken yet, and the payloads of control frames.
extension ConnectionState {
    /// The most bytes a control frame has (RFC 6455 section 5.5).
    static let longestControl = 125

    /// Gives back what was read and not taken.
    ///
    /// - Parameter memory: With room for all that `keepUnread` was given.
    /// - Returns: How many bytes it was.
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

    /// Keeps what was read and is not to be taken yet: a frame's head that is not whole, or all behind a pause.
    ///
    /// - Parameters:
    ///   - bytes: Copied.
    ///   - count: At least one.
    mutating func keepUnread(_ bytes: UnsafeMutableRawPointer, count: Int) {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 1)
        memory.copyMemory(from: bytes, byteCount: count)
        unread = memory
        unreadCount = count
    }

    /// Where the payload of the control frame at hand is put together.
    ///
    /// - Returns: Room for the longest.
    mutating func controlBytes() -> UnsafeMutableRawPointer {
        pongBytes() + Self.longestControl
    }

    /// The payload of the ping that is to be answered, with head room in front.
    ///
    /// - Returns: Room for the longest.
    mutating func pongBytes() -> UnsafeMutableRawPointer {
        let memory = control ?? .allocate(byteCount: hub_lws_pre + 2 * Self.longestControl, alignment: 16)
        control = memory
        return memory + hub_lws_pre
    }

    /// Keeps a ping's payload for the answer; of several the last one is answered (RFC 6455 section 5.5.3).
    ///
    /// - Parameter payload: At most 125 bytes.
    mutating func keepPing(_ payload: UnsafeRawBufferPointer) {
        if let source = payload.baseAddress { pongBytes().copyMemory(from: source, byteCount: payload.count) }
        frame.pongCount = UInt8(truncatingIfNeeded: payload.count) &+ 1
    }

    /// Frees it all.
    mutating func freeReading() {
        unread?.deallocate()
        control?.deallocate()
        unread = nil
        control = nil
    }
}
