/// The flags of a connection; several may be set.
struct ConnectionFlags: OptionSet {
    /// The flags, one bit each.
    let rawValue: UInt32

    /// The handshake is complete and the socket not yet closed.
    static let open = ConnectionFlags(rawValue: 1 << 0)

    /// A part of a message is queued inside libwebsockets: nothing may be written until the socket is writable again.
    static let blocked = ConnectionFlags(rawValue: 1 << 1)

    /// Either side has started to close: messages are neither delivered nor accepted for sending.
    static let closing = ConnectionFlags(rawValue: 1 << 2)

    /// The socket is being closed without a further close frame.
    static let killed = ConnectionFlags(rawValue: 1 << 3)

    /// The hub has called `markSignedIn`.
    static let signedIn = ConnectionFlags(rawValue: 1 << 4)

    /// The end was reported to the handler.
    static let endReported = ConnectionFlags(rawValue: 1 << 5)

    /// The hub itself ended the connection.
    static let endedByHub = ConnectionFlags(rawValue: 1 << 6)

    /// The peer sent a close frame with code 1000.
    static let peerSaidNormal = ConnectionFlags(rawValue: 1 << 7)

    /// More text than allowed is queued; the handler is notified.
    static let overflowed = ConnectionFlags(rawValue: 1 << 8)

    /// A fragmented message is being assembled.
    static let assembling = ConnectionFlags(rawValue: 1 << 9)

    /// The message being assembled is too large for audio and only counted.
    static let discarding = ConnectionFlags(rawValue: 1 << 10)

    /// The hub's close frame is written: nothing may follow; the peer's answer or the timeout ends the connection.
    static let closeSent = ConnectionFlags(rawValue: 1 << 12)

    /// A ping was sent and nothing has been received since.
    static let pinged = ConnectionFlags(rawValue: 1 << 11)

    /// Packets are queued for the end of the loop's iteration, to be written together.
    static let joined = ConnectionFlags(rawValue: 1 << 13)

    /// The hub reads the socket itself, not libwebsockets.
    static let readHere = ConnectionFlags(rawValue: 1 << 14)

    /// Reading is paused: backpressure on the peer.
    static let paused = ConnectionFlags(rawValue: 1 << 15)

    /// The peer's close frame was received; meaningful while `.readHere`.
    static let peerClosed = ConnectionFlags(rawValue: 1 << 16)

    /// Further input is read and discarded; meaningful while `.readHere`.
    static let deaf = ConnectionFlags(rawValue: 1 << 17)

    /// Authentication is pending: the sign-in timeout is suspended.
    static let judged = ConnectionFlags(rawValue: 1 << 18)
}

/// The state of one connection, in flat memory so that the packet path counts no references.
///
/// Times are the loop's milliseconds.
struct ConnectionState {
    /// The libwebsockets object; nil while the slot is free.
    var wsi: OpaquePointer?

    /// The number of the slot's use; grows with each.
    var generation: UInt32 = 0

    /// The connection's flags.
    var flags: ConnectionFlags = []

    /// The index of the oldest queued packet in this connection's ring.
    var ringFirst: UInt16 = 0

    /// The number of queued packets in the ring.
    var ringCount: UInt16 = 0

    /// The number of clients' packets dropped since the last `takeLinkState`.
    var audioDropped: UInt32 = 0

    /// The longest queueing time of a packet sent since the last `takeLinkState`, in milliseconds.
    var longestWait: UInt32 = 0

    /// The socket if nothing but TCP is below the frames; -1 with TLS, or after the close.
    var descriptor: Int32 = -1

    /// The progress in reading frames, if the hub reads them itself.
    var frame = FrameProgress()

    /// The bytes that were read and not processed yet; nil: none.
    var unread: UnsafeMutableRawPointer?

    /// The number of bytes in `unread`.
    var unreadCount = 0

    /// The memory for payloads of control frames, allocated with the first one.
    var control: UnsafeMutableRawPointer?

    /// The number of bytes of the stream up to the end of the messages that libwebsockets has delivered.
    var streamPosition: UInt64 = 0

    /// The number of attempts left to take over the reading from libwebsockets.
    var triesToTakeOver: UInt8 = 0

    /// The end of the handshake.
    var openedAt: UInt64 = 0

    /// The time of the last input from the peer.
    var receivedAt: UInt64 = 0

    /// The time at which it became blocked; meaningful while `.blocked`.
    var blockedAt: UInt64 = 0

    /// The time at which it is closed by force; meaningful while `.closing`.
    var closeBy: UInt64 = 0

    /// The oldest queued text or close frame.
    var firstText: UnsafeMutablePointer<TextNode>?

    /// The newest queued text or close frame.
    var lastText: UnsafeMutablePointer<TextNode>?

    /// The payload bytes of all queued texts.
    var textBytes = 0

    /// The memory in which a fragmented message is assembled, with head room in front.
    var assembly: UnsafeMutableRawPointer?

    /// The capacity of `assembly` in payload bytes.
    var assemblyCapacity = 0

    /// The payload bytes received so far, including those only counted.
    var assemblyCount = 0
}

/// An audio packet queued for a socket.
struct WaitingPacket {
    /// The slot of its bytes in the slab.
    var slot: UInt32

    /// Its length in bytes.
    var count: UInt16

    /// Its origin.
    var kind: PacketKind

    /// The time at which it was queued, in the loop's milliseconds.
    var queuedAt: UInt64
}
