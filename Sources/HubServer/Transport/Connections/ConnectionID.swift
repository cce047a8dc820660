/// The identifier of one WebSocket connection; it finds nothing once the connection is closed.
public struct ConnectionID: Hashable, Sendable, CustomStringConvertible {
    /// The number of the connection's loop.
    public let loop: UInt16

    /// The index into the loop's flat tables, below ``ServerLoop/maximumConnections``.
    public let slot: UInt32

    /// The number of the slot's use, from 1, so that 0 identifies no connection.
    public let generation: UInt32

    /// Creates an identifier; only those made by the transport find a connection.
    ///
    /// - Parameters:
    ///   - slot: The index into the loop's tables.
    ///   - generation: The number of the slot's use, from 1.
    ///   - loop: The number of the connection's loop.
    public init(slot: UInt32, generation: UInt32, loop: UInt16 = 0) {
        self.loop = loop
        self.slot = slot
        self.generation = generation
    }

    /// The text `loop.slot.generation`, for logs.
    public var description: String { "\(loop).\(slot).\(generation)" }
}

/// The properties of a connection after its handshake.
package struct ConnectionInfo: Sendable, Equatable {
    /// The client's address; behind a trusted proxy, the one that the proxy forwards.
    var address: IPAddress
    /// The Origin header of a web page, which was checked (`OriginRule`); nil: the client is a program.
    var origin: String?

    /// Creates the properties of a connection.
    ///
    /// - Parameters:
    ///   - address: The client's address.
    ///   - origin: The Origin header of a web page; nil: the client is a program.
    package init(address: IPAddress, origin: String? = nil) {
        self.address = address
        self.origin = origin
    }
}

/// The reason for the end of a connection.
package enum ConnectionEnd: Sendable, Equatable {
    /// Closed by the peer with code 1000: its session ends too.
    case normal

    /// Ended otherwise, but not by the hub: with another code, a reset, silence or a violation of RFC 6455.
    case lost

    /// Ended by ``ServerLoop/close(_:code:reason:)``, ``ServerLoop/abort(_:)``, the sign-in timeout or the hub's stop.
    case closedByHub
}
