import HubServer

/// Connections without a socket: always blocked, with queues that are drained by explicit calls.
///
/// So queued data is kept, dropped and counted by the same rules as for a socket that accepts nothing.
extension Connections {
    /// A text message, or a close frame, that was taken from the queue.
    struct TakenText {
        /// The payload.
        var bytes: [UInt8]
        /// Indicates that it is the close frame, with code and reason.
        var isClose: Bool
    }

    /// Removes the oldest queued text.
    ///
    /// - Parameter state: The state of a connection without a socket.
    /// - Returns: The text; nil if the queue is empty.
    func takeText(of state: UnsafeMutablePointer<ConnectionState>) -> TakenText? {
        guard let text = takeOldestText(of: state) else { return nil }
        return TakenText(bytes: text.bytes, isClose: text.isClose)
    }

    /// Removes the queued packets and passes on those that are still fresh.
    ///
    /// - Parameters:
    ///   - state: The state of a connection without a socket.
    ///   - wasBlockedFor: The time since the last call, or for which the client was frozen, in milliseconds.
    ///   - body: The closure that receives each packet, the oldest first.
    func takeAudio(
        of state: UnsafeMutablePointer<ConnectionState>,
        wasBlockedFor: UInt64,
        _ body: ([UInt8]) -> Void
    ) {
        dropStale(of: state, olderThan: maximumAge(afterBlockedFor: wasBlockedFor))
        while state.pointee.ringCount > 0 {
            let count = Int(oldest(of: state).count)
            let length = gather(from: state, atMost: 0)
            guard length >= count else { continue }
            counters.pointee.audioWrites &+= 1
            body([UInt8](UnsafeRawBufferPointer(start: scratch + length - count, count: count)))
        }
    }
}
