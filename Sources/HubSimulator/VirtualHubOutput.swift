package import HubEngine
package import HubServer

/// A message of a simulated hub to a connection, or the end of that connection.
package struct VirtualHubOutput: Hashable, Sendable {
    /// The kinds of messages and ends.
    package enum Content: Hashable, Sendable {
        /// A text message.
        case text([UInt8])
        /// A binary message: a packet of RTP or RTCP.
        case audio([UInt8])
        /// The hub has closed the connection; no message follows.
        case closed(code: UInt16, reason: String)
        /// The connection is lost: the hub was killed, or has broken the connection of an unresponsive client.
        case lost
    }

    /// The simulated time of delivery.
    package var at: Instant
    /// The recipient's connection.
    package var connection: ConnectionID
    /// The message or end.
    package var content: Content
}
