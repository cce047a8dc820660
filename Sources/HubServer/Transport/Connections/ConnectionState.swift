/// The state of one connection, in flat memory so that the packet path counts no references.
///
/// Times are the loop's milliseconds.
package struct ConnectionState: ~Copyable {
    /// The writing side of a connection.
    package enum Output {
        /// The socket accepts writes.
        case writable
        /// Packets are queued for the end of the loop's iteration, to be written together.
        case coalescing
        /// The library holds bytes: nothing may be written until the socket is writable again.
        case blocked(since: UInt64)
    }

    /// A message of which the end has not been received.
    enum Assembly: ~Copyable {
        /// There is none.
        case none
        /// Its bytes are kept.
        case buffering(MessageBuffer)
        /// It is too large for audio: its bytes are only counted.
        case discarding(count: Int)

        /// The number of bytes received so far.
        var count: Int {
            switch self {
            case .none: 0
            case .buffering(let buffer): buffer.count
            case .discarding(let count): count
            }
        }
    }

    /// The life of the connection.
    package var phase = ConnectionPhase.free

    /// The library's connection; nil: none, in tests and simulations, which take queued data themselves.
    var socket: LWSSocket?

    /// The number of the slot's use; grows with each.
    var generation: UInt32 = 0

    /// The writing side.
    package var output = Output.writable

    /// True after a ping, until anything is received.
    var isPinged = false

    /// True once the text queue has overflowed: the handler is notified, and only a last text is accepted.
    var hasOverflowed = false

    /// The index of the oldest queued packet in this connection's ring.
    var ringFirst: UInt16 = 0

    /// The number of queued packets in the ring.
    package var ringCount: UInt16 = 0

    /// The number of clients' packets dropped since the last `takePathStatistics`.
    var audioDropped: UInt32 = 0

    /// The longest queueing time of a packet sent since the last `takePathStatistics`, in milliseconds.
    var longestQueueTime: UInt32 = 0

    /// The end of the handshake.
    package var openedAt: UInt64 = 0

    /// The time of the last input from the peer.
    package var receivedAt: UInt64 = 0

    /// The oldest queued text or close frame.
    var firstText: UnsafeMutablePointer<QueuedText.Node>?

    /// The newest queued text or close frame.
    var lastText: UnsafeMutablePointer<QueuedText.Node>?

    /// The payload bytes of all queued texts.
    var queuedTextBytes = 0

    /// The message being received.
    var assembly = Assembly.none

    /// True while the library holds bytes.
    @inline(__always)
    var isBlocked: Bool { if case .blocked = output { true } else { false } }
}
