/// What the sockets count, for `/metrics`; numbers only grow, except `sockets` and `connections`.
struct TransportCounters: Sendable, Equatable {
    /// Sockets open now, whatever they speak.
    var sockets = 0

    /// WebSocket connections open now.
    var connections = 0

    /// WebSocket connections ever opened.
    var opened = 0

    /// Sockets turned away since `maximumConnections` were open or the process had no descriptor left.
    var refusedFull = 0

    /// Handshakes turned away since their address had `maximumConnectionsPerAddress`.
    var refusedByAddress = 0

    /// Sockets closed since their address had `maximumHandshakesPerAddress` that were no connections yet.
    var refusedSockets = 0

    /// Sockets that had not asked for anything when `handshakeTimeout` was over.
    var handshakeTimeouts = 0

    /// Connections closed since they had not signed in when `signInTimeout` was over.
    var signInTimeouts = 0

    /// Connections closed for a message of more than `maximumMessageBytes`.
    var messagesTooLong = 0

    /// Handshakes refused for their path, origin, host, version or subprotocol.
    var refusedHandshakes = 0

    /// Text messages received.
    var textsReceived = 0

    /// Audio packets received, without the oversize ones.
    var audioReceived = 0

    /// Audio packets and reports handed to a socket.
    var audioSent = 0

    /// Writes it took: fewer than packets where several went out together.
    var audioWrites = 0

    /// What clients said among them.
    var audioRelayed = 0

    /// Audio packets that had to wait, also for company.
    var audioQueued = 0

    /// Audio packets dropped since newer ones took their place.
    var audioDroppedForRoom = 0

    /// Audio packets dropped since they had waited too long.
    var audioDroppedStale = 0

    /// Audio packets dropped since their call was heard no more, or their connection had ended, while they waited.
    var audioDroppedUnheard = 0

    /// All of those.
    var audioDropped: Int { audioDroppedForRoom + audioDroppedStale + audioDroppedUnheard }

    /// Audio packets that could be passed on only after a copy, since no head room was in front of them.
    var audioCopied = 0

    /// Connections ended since nothing came from them.
    var silent = 0

    /// Connections that had too much text waiting.
    var slowConsumers = 0
}
