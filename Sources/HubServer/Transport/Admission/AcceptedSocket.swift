/// An accepted socket until its close, whatever its protocol.
struct AcceptedSocket {
    /// The address of the socket's peer: a client, or a proxy.
    let peer: IPAddress

    /// The time at which it was accepted, in the loop's milliseconds.
    let acceptedAt: UInt64

    /// The port that it was accepted on.
    let entrance: Entrance

    /// True if it was accepted beyond the limit, to be refused with an explanation.
    let isBeyondLimit: Bool

    /// The PROXY protocol header of a trusted proxy; nil: none was expected, or it has not been received yet.
    var proxyHeader: ProxyHeader?

    /// The address of the nearest client that is known without a request: the peer's, or the one that it announces.
    var source: IPAddress { proxyHeader?.source ?? peer }

    /// True once a whole request has been received.
    var hasSentRequest = false

    /// The client's address once the socket is a WebSocket connection; nil before.
    var connectedFor: IPAddress?

    /// The response to a request of a trusted proxy that is not parsed.
    var refusal: HTTPResponse?
}

/// A port of the hub.
enum Entrance {
    /// The hub's own port, with TLS if the hub has a certificate.
    case main
    /// The port for plain HTTP that redirects to the main one.
    case redirect
}
