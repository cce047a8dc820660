/// The counters of the transport for `/metrics`; they only grow, except `sockets` and `connections`.
package struct TransportCounters: Sendable, Equatable {
    /// The number of open sockets of any protocol.
    var sockets = 0

    /// The number of open WebSocket connections.
    var connections = 0

    /// The number of WebSocket connections ever opened.
    var opened = 0

    /// Sockets refused as `maximumConnections` were open or the process had no descriptor left.
    var refusedFull = 0

    /// Handshakes refused as their address had `maximumConnectionsPerAddress`.
    var refusedByAddress = 0

    /// Sockets closed as their address had `maximumHandshakesPerAddress`, or was far beyond its request rate.
    var refusedSockets = 0

    /// Requests refused as their address had exceeded its rate.
    var refusedRequests = 0

    /// Sockets that had not sent a request within `handshakeTimeout`.
    var handshakeTimeouts = 0

    /// Connections closed as they had not signed in within `signInTimeout`.
    package var signInTimeouts = 0

    /// Connections closed for a message of more than `maximumMessageBytes`.
    package var messagesTooLong = 0

    /// Handshakes refused for their path, origin, host, version or subprotocol.
    var refusedHandshakes = 0

    /// Text messages received.
    package var textsReceived = 0

    /// The payload bytes of the text messages received.
    package var textBytesReceived = 0

    /// Text messages accepted for sending.
    var textsSent = 0

    /// The payload bytes of the text messages accepted for sending.
    var textBytesSent = 0

    /// Audio packets received, without the oversize ones.
    package var audioReceived = 0

    /// Audio packets and reports written to a socket.
    var audioSent = 0

    /// The writes for them: fewer than packets if several are one write.
    package var audioWrites = 0

    /// The packets of clients among `audioSent`.
    var audioRelayed = 0

    /// Audio packets that were queued, also to be written together.
    var audioQueued = 0

    /// Audio packets dropped to make room for newer ones.
    var audioDroppedForRoom = 0

    /// Audio packets dropped as they had been queued too long.
    var audioDroppedStale = 0

    /// Queued audio packets dropped as their route or audio session had changed.
    var audioDroppedUnrouted = 0

    /// Queued audio packets dropped as their connection ended.
    var audioDroppedClosed = 0

    /// All dropped audio packets.
    var audioDropped: Int { audioDroppedForRoom + audioDroppedStale + audioDroppedUnrouted + audioDroppedClosed }

    /// Clients' packets that were both received and written in the current iteration of the loop.
    var writtenInIteration = 0

    /// The times from the start of the iteration that received a packet to its write.
    ///
    /// Packets that were queued longer than their iteration are in `queueTimeOfWritten` instead.
    var latency = LatencyHistogram()

    /// The queueing times of clients' packets that were written.
    var queueTimeOfWritten = LatencyHistogram()

    /// The queueing times of clients' packets that were dropped.
    var queueTimeOfDropped = LatencyHistogram()

    /// Connections ended by the timeout of silence.
    package var silent = 0

    /// Connections that had too much text queued.
    var slowConsumers = 0

    /// Ends an iteration of the loop, and observes the latencies of its packets.
    ///
    /// A clock is read once an iteration and not for each packet: the writes are taken as evenly spread over it.
    ///
    /// - Parameter nanoseconds: The duration of the iteration in nanoseconds.
    package mutating func iterationEnded(after nanoseconds: UInt64) {
        guard writtenInIteration > 0 else { return }
        let count = UInt64(writtenInIteration)
        writtenInIteration = 0
        let step = nanoseconds / count
        for number in 1...count { latency.observe(step &* number) }
    }

    /// Adds the counters of another loop.
    ///
    /// - Parameters:
    ///   - left: The counters to add to.
    ///   - right: The counters that are added.
    static func += (left: inout TransportCounters, right: TransportCounters) {
        left.sockets += right.sockets
        left.connections += right.connections
        left.opened += right.opened
        left.refusedFull += right.refusedFull
        left.refusedByAddress += right.refusedByAddress
        left.refusedSockets += right.refusedSockets
        left.refusedRequests += right.refusedRequests
        left.handshakeTimeouts += right.handshakeTimeouts
        left.signInTimeouts += right.signInTimeouts
        left.messagesTooLong += right.messagesTooLong
        left.refusedHandshakes += right.refusedHandshakes
        left.textsReceived += right.textsReceived
        left.textBytesReceived += right.textBytesReceived
        left.textsSent += right.textsSent
        left.textBytesSent += right.textBytesSent
        left.audioReceived += right.audioReceived
        left.audioSent += right.audioSent
        left.audioWrites += right.audioWrites
        left.audioRelayed += right.audioRelayed
        left.audioQueued += right.audioQueued
        left.audioDroppedForRoom += right.audioDroppedForRoom
        left.audioDroppedStale += right.audioDroppedStale
        left.audioDroppedUnrouted += right.audioDroppedUnrouted
        left.audioDroppedClosed += right.audioDroppedClosed
        left.latency += right.latency
        left.queueTimeOfWritten += right.queueTimeOfWritten
        left.queueTimeOfDropped += right.queueTimeOfDropped
        left.silent += right.silent
        left.slowConsumers += right.slowConsumers
    }
}

extension TransportCounters {
    /// The counters of refused connections, by reason.
    var refusedByReason: [(reason: String, count: Int)] {
        [
            ("full", refusedFull), ("address", refusedByAddress), ("handshakesOfAddress", refusedSockets),
            ("requestsOfAddress", refusedRequests), ("handshake", refusedHandshakes),
        ]
    }
}
