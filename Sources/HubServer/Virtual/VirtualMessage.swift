package import HubEngine

/// What a virtual hub has sent to a connection, or had happen to it.
package struct VirtualMessage: Hashable, Sendable {
    /// What it is.
    package enum Content: Hashable, Sendable {
        /// A text message.
        case text([UInt8])
        /// A binary message: a packet of RTP or RTCP.
        case audio([UInt8])
        /// The hub has closed the connection: nothing comes after that.
        case closed(code: UInt16, reason: String)
        /// The connection is broken: the hub was killed, or has cut off who took nothing.
        case lost
    }

    /// When.
    package var at: Instant
    /// To whom.
    package var connection: ConnectionID
    /// What.
    package var content: Content
}
