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

    /// Handshakes refused for their path, origin, version or subprotocol.
    var refusedHandshakes = 0

    /// Text messages received.
    var textsReceived = 0

    /// Bytes in them.
    var textBytesReceived = 0

    /// Text messages taken for sending.
    var textsSent = 0

    /// Bytes in them.
    var textBytesSent = 0

    /// Audio packets received, without the oversize ones.
    var audioReceived = 0

    /// Audio packets handed to a socket.
    var audioSent = 0

    /// Audio packets that had to wait.
    var audioQueued = 0

    /// Audio packets dropped since newer ones took their place.
    var audioDroppedForRoom = 0

    /// Audio packets dropped since they had waited too long.
    var audioDroppedStale = 0

    /// Audio packets that could be passed on only after a copy, since no head room was in front of them.
    var audioCopied = 0

    /// How long audio packets waited that were written in the end.
    var waitOfWritten = LatencyHistogram()

    /// How long audio packets waited that were dropped in the end.
    var waitOfDropped = LatencyHistogram()

    /// Connections ended since nothing came from them.
    var silent = 0

    /// Connections that had too much text waiting.
    var slowConsumers = 0

    /// Adds up what several loops have counted.
    ///
    /// - Parameters:
    ///   - left: Changed.
    ///   - right: Added.
    static func += (left: inout TransportCounters, right: TransportCounters) {
        left.sockets += right.sockets
        left.connections += right.connections
        left.opened += right.opened
        left.refusedFull += right.refusedFull
        left.refusedHandshakes += right.refusedHandshakes
        left.textsReceived += right.textsReceived
        left.textBytesReceived += right.textBytesReceived
        left.textsSent += right.textsSent
        left.textBytesSent += right.textBytesSent
        left.audioReceived += right.audioReceived
        left.audioSent += right.audioSent
        left.audioQueued += right.audioQueued
        left.audioDroppedForRoom += right.audioDroppedForRoom
        left.audioDroppedStale += right.audioDroppedStale
        left.audioCopied += right.audioCopied
        left.waitOfWritten += right.waitOfWritten
        left.waitOfDropped += right.waitOfDropped
        left.silent += right.silent
        left.slowConsumers += right.slowConsumers
    }
}
