import CLibWebSockets

/// Connections that have no socket: they are always blocked, and what waits for them is taken by hand.
///
/// So what waits is kept, dropped and counted by the same rules as where a socket takes nothing.
extension Connections {
    /// A text, or the close, that was taken.
    struct TakenText {
        /// The payload.
        var bytes: [UInt8]
        /// Whether it is the close frame, with code and reason.
        var isClose: Bool
    }

    /// Takes the oldest text that waits.
    ///
    /// - Parameter state: Without a socket.
    /// - Returns: Nil: none waits.
    func takeText(of state: UnsafeMutablePointer<ConnectionState>) -> TakenText? {
        guard let node = takeOldestText(of: state) else { return nil }
        defer { node.deallocate() }
        let bytes = UnsafeRawBufferPointer(start: TextNode.payload(of: node), count: node.pointee.count)
        return TakenText(bytes: [UInt8](bytes), isClose: node.pointee.isClose)
    }

    /// Takes the packets that wait and are still fresh.
    ///
    /// - Parameters:
    ///   - state: Without a socket.
    ///   - wasBlockedFor: Milliseconds for which nothing was taken.
    ///   - body: Gets each packet, the oldest first.
    func takeAudio(
        of state: UnsafeMutablePointer<ConnectionState>,
        wasBlockedFor: UInt64,
        _ body: ([UInt8]) -> Void
    ) {
        dropStale(of: state, olderThan: patience(afterBlockedFor: wasBlockedFor))
        while state.pointee.ringCount > 0 {
            let count = Int(oldest(of: state).count)
            let length = gather(from: state, atMost: 0)
            guard length >= count else { continue }
            counters.pointee.audioWrites &+= 1
            body([UInt8](UnsafeRawBufferPointer(start: scratch + length - count, count: count)))
        }
    }
}
