/// The name of one WebSocket connection; a name that outlives its connection finds nothing.
public struct ConnectionID: Hashable, Sendable, CustomStringConvertible {
    /// The number of the loop it is on.
    public let loop: UInt16

    /// Index into the loop's flat tables, below ``ServerLoop/maximumConnections``.
    public let slot: UInt32

    /// Counts the uses of the slot, from 1, so that 0 names no connection.
    public let generation: UInt32

    /// A name; only the transport makes ones that find something.
    ///
    /// - Parameters:
    ///   - slot: Index into the tables.
    ///   - generation: Which use of that slot.
    ///   - loop: Whose tables.
    public init(slot: UInt32, generation: UInt32, loop: UInt16 = 0) {
        self.loop = loop
        self.slot = slot
        self.generation = generation
    }

    /// `loop.slot.generation`, for logs.
    public var description: String { "\(loop).\(slot).\(generation)" }
}

/// What is known of a connection when its handshake is through.
struct ConnectionInfo: Sendable, Equatable {
    /// Whom the connection is for; behind a trusted proxy, whom that has the request from.
    var address: IPAddress
}

/// How a connection ended.
enum ConnectionEnd: Sendable, Equatable {
    /// The peer closed with code 1000: its session ends too.
    case normal

    /// Any other end that was not ours: another code, a reset, silence, a broken rule of RFC 6455.
    case lost

    /// The hub's own ``ServerLoop/close(_:code:reason:)``, ``ServerLoop/abort(_:)`` or stop.
    case closedByHub
}

/// The name of an HTTP request that is answered later.
struct HTTPTicket: Hashable, Sendable {
    /// The loop it is on.
    let loop: UInt16

    /// Counts them.
    let number: UInt64
}

/// What a handler says to an HTTP request.
enum HTTPAnswer: Sendable, Equatable {
    /// This.
    case now(HTTPResponse)

    /// It will be given by ``ServerLoop/answer(_:with:)``.
    case later

    /// Nothing: it may be a file's.
    case notMine
}
