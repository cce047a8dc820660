/// What is true of one connection; more than one at a time.
struct ConnectionFlags: OptionSet {
    /// One bit each.
    let rawValue: UInt32

    /// The handshake is through and the socket not yet gone.
    static let open = ConnectionFlags(rawValue: 1 << 0)

    /// Part of a message waits inside libwebsockets: nothing may be written until the socket is writable again.
    static let blocked = ConnectionFlags(rawValue: 1 << 1)

    /// A close was asked for, by either side: nothing more goes up or is taken for sending.
    static let closing = ConnectionFlags(rawValue: 1 << 2)

    /// The socket is being ended without a close frame.
    static let killed = ConnectionFlags(rawValue: 1 << 3)

    /// The hub said `markSignedIn`.
    static let signedIn = ConnectionFlags(rawValue: 1 << 4)

    /// The handler has heard of the end.
    static let endReported = ConnectionFlags(rawValue: 1 << 5)

    /// The end is the hub's own doing.
    static let endedByHub = ConnectionFlags(rawValue: 1 << 6)

    /// The peer sent a close frame with code 1000.
    static let peerSaidNormal = ConnectionFlags(rawValue: 1 << 7)

    /// More text than allowed waits; the handler is told.
    static let overflowed = ConnectionFlags(rawValue: 1 << 8)

    /// A message is being put together.
    static let assembling = ConnectionFlags(rawValue: 1 << 9)

    /// What is being put together is too large for audio and only counted.
    static let discarding = ConnectionFlags(rawValue: 1 << 10)

    /// Our close frame is written: nothing more may be; the peer's answer or the time-out ends the connection.
    static let closeSent = ConnectionFlags(rawValue: 1 << 12)

    /// A ping is out and nothing has come since.
    static let pinged = ConnectionFlags(rawValue: 1 << 11)

    /// Packets wait for the end of the loop's turn, to go out together.
    static let joined = ConnectionFlags(rawValue: 1 << 13)

    /// The hub reads the socket itself, not the library.
    static let readHere = ConnectionFlags(rawValue: 1 << 14)

    /// Nothing is read for now: the peer has to wait.
    static let paused = ConnectionFlags(rawValue: 1 << 15)

    /// The peer's close frame has come; meaningful while `.readHere`.
    static let peerClosed = ConnectionFlags(rawValue: 1 << 16)

    /// Whatever still comes is read and forgotten; meaningful while `.readHere`.
    static let deaf = ConnectionFlags(rawValue: 1 << 17)

    /// The handler is finding out who it is: the sign-in timeout rests.
    static let judged = ConnectionFlags(rawValue: 1 << 18)
}

/// All that is kept of one connection, in flat memory so that the packet path counts no references.
///
/// Times are the loop's milliseconds.
struct ConnectionState {
    /// libwebsockets' own object; nil while the slot is free.
    var wsi: OpaquePointer?

    /// Which use of the slot this is; grows with each.
    var generation: UInt32 = 0

    /// See there.
    var flags: ConnectionFlags = []

    /// Where the oldest waiting packet is in this connection's ring.
    var ringFirst: UInt16 = 0

    /// Packets waiting in the ring.
    var ringCount: UInt16 = 0

    /// Packets of clients that were dropped, since the last look at the connection.
    var audioDropped: UInt32 = 0

    /// The longest time for which a packet has waited and gone out after all, since then, in milliseconds.
    var longestWait: UInt32 = 0

    /// The socket, where nothing but TCP is below the frames; -1 where it is TLS, or gone.
    var descriptor: Int32 = -1

    /// How far the frames have been read, where the hub reads them itself.
    var frame = FrameProgress()

    /// What was read and not taken yet; nil: nothing.
    var unread: UnsafeMutableRawPointer?

    /// Bytes of it.
    var unreadCount = 0

    /// Where control frames are put together, from the first one on.
    var control: UnsafeMutableRawPointer?

    /// Bytes of the stream up to the end of the messages that the library has delivered.
    var streamPosition: UInt64 = 0

    /// How often the reading may still be tried to be taken over from the library.
    var triesToTakeOver: UInt8 = 0

    /// When the handshake was through.
    var openedAt: UInt64 = 0

    /// When something last came from the peer.
    var receivedAt: UInt64 = 0

    /// When it became blocked; meaningful while `.blocked`.
    var blockedAt: UInt64 = 0

    /// When to end it by force; meaningful while `.closing`.
    var closeBy: UInt64 = 0

    /// Oldest waiting text or close.
    var firstText: UnsafeMutablePointer<TextNode>?

    /// Newest waiting text or close.
    var lastText: UnsafeMutablePointer<TextNode>?

    /// Payload bytes of all waiting texts.
    var textBytes = 0

    /// Memory a message in pieces is put together in, with head room in front.
    var assembly: UnsafeMutableRawPointer?

    /// Payload bytes there is room for in `assembly`.
    var assemblyCapacity = 0

    /// Payload bytes so far, also when they are only counted.
    var assemblyCount = 0
}

/// An audio packet that waits for a socket.
struct WaitingPacket {
    /// Where its bytes are in the slab.
    var slot: UInt32

    /// Its length.
    var count: UInt16

    /// What it is.
    var kind: PacketKind

    /// When it was queued, in the loop's milliseconds.
    var queuedAt: UInt64
}
