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

    /// Requests refused because their address had sent too many.
    var refusedRequests = 0

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

    /// Bytes in them.
    var textBytesReceived = 0

    /// Text messages taken for sending.
    var textsSent = 0

    /// Bytes in them.
    var textBytesSent = 0

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

    /// Audio packets dropped since their call was heard no more while they waited.
    var audioDroppedUnheard = 0

    /// Audio packets dropped since their connection ended while they waited.
    var audioDroppedLost = 0

    /// All of those.
    var audioDropped: Int { audioDroppedForRoom + audioDroppedStale + audioDroppedUnheard + audioDroppedLost }

    /// Audio packets that could be passed on only after a copy, since no head room was in front of them.
    var audioCopied = 0

    /// Audio packets of clients written in this turn of the loop that were found in it, or have waited for company alone.
    var writtenInTurn = 0

    /// From the beginning of the turn that has found a packet to its write; of those that had to wait for more than company,
    /// the wait is in `waitOfWritten`.
    var latency = LatencyHistogram()

    /// How long audio packets waited that were written in the end.
    var waitOfWritten = LatencyHistogram()

    /// How long audio packets waited that were dropped in the end.
    var waitOfDropped = LatencyHistogram()

    /// Connections ended since nothing came from them.
    var silent = 0

    /// Connections that had too much text waiting.
    var slowConsumers = 0

    /// The turn is over.
    ///
    /// A clock is read once a turn and not for each packet: the writes are taken as spread evenly over it.
    ///
    /// - Parameter nanoseconds: How long it took.
    mutating func turnEnded(after nanoseconds: UInt64) {
        guard writtenInTurn > 0 else { return }
        let count = UInt64(writtenInTurn)
        writtenInTurn = 0
        let step = nanoseconds / count
        for number in 1...count { latency.observe(step &* number) }
    }

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
        left.audioDroppedUnheard += right.audioDroppedUnheard
        left.audioDroppedLost += right.audioDroppedLost
        left.audioCopied += right.audioCopied
        left.latency += right.latency
        left.waitOfWritten += right.waitOfWritten
        left.waitOfDropped += right.waitOfDropped
        left.silent += right.silent
        left.slowConsumers += right.slowConsumers
    }
}
