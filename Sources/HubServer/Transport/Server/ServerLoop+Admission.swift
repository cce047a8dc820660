import CUV
import Glibc

/// The acceptance of sockets and the limits by address.
extension ServerLoop {
    /// Accepts the connections that are pending on a listening socket and gives them to the library.
    ///
    /// - Parameters:
    ///   - descriptor: The listening socket.
    ///   - entrance: Its port.
    func acceptConnections(from descriptor: Int32, of entrance: Entrance) {
        for _ in 0..<256 {
            var address = sockaddr_storage()
            let accepted = hub_uv_accept(descriptor, &address)
            guard accepted >= 0 else {
                switch errno {
                case EINTR, ECONNABORTED:
                    continue
                case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                    // Else the loop would spin on it: accepting resumes with the next sweep.
                    counterMemory.pointee.refusedFull &+= 1
                    pauseAccepting()
                    return
                default:
                    return
                }
            }
            guard let peer = IPAddress(address) else {
                Glibc.close(accepted)
                continue
            }
            admit(accepted, from: peer, by: entrance)
        }
    }

    private func admit(_ descriptor: Int32, from peer: IPAddress, by entrance: Entrance) {
        let decision = connectionLimiter.accept(from: peer, at: Int64(clamping: now))
        switch decision {
        case .full:
            counterMemory.pointee.refusedFull &+= 1
            Glibc.close(descriptor)
        case .tooMany:
            counterMemory.pointee.refusedSockets &+= 1
            Glibc.close(descriptor)
        case .accepted, .acceptedForRefusal:
            lastSocketNumber &+= 1
            acceptedSockets[lastSocketNumber] = AcceptedSocket(
                peer: peer,
                acceptedAt: connections.now,
                entrance: entrance,
                isBeyondLimit: decision == .acceptedForRefusal
            )
            let expectsHeader = settings.usesProxyProtocol && isTrustedProxy(peer)
            if expectsHeader { return watch(descriptor, lastSocketNumber, for: .proxyHeader) }
            proceed(with: descriptor, lastSocketNumber)
        }
    }

    /// Gives a socket to the library, a trusted proxy's once the head of its request was checked.
    private func proceed(with descriptor: Int32, _ number: UInt) {
        guard let acceptedSocket = acceptedSockets[number] else { return }
        let isEncrypted = isEncrypted(acceptedSocket.entrance)
        if isTrustedProxy(acceptedSocket.source), !isEncrypted { return watch(descriptor, number, for: .requestHead) }
        if !library.adopt(descriptor, number: number, isEncrypted: isEncrypted) { releaseSocket(number) }
    }

    private func watch(_ descriptor: Int32, _ number: UInt, for preamble: ProxiedSocket.Preamble) {
        let socket = ProxiedSocket(expecting: preamble, of: descriptor, number: number, on: eventLoop.uv) {
            [unowned self] in decide($0, $1)
        }
        guard let socket else {
            Glibc.close(descriptor)
            return releaseSocket(number)
        }
        proxiedSockets[number] = socket
    }

    /// Gives a trusted proxy's socket to the library, to be read or only to be answered, or closes it.
    private func decide(_ socket: ProxiedSocket, _ verdict: ProxiedSocket.Verdict) {
        switch verdict {
        case .ended: drop(socket)
        case .announced(let header):
            release(socket)
            acceptedSockets[socket.number]?.proxyHeader = header
            proceed(with: socket.descriptor, socket.number)
        case .valid:
            release(socket)
            let isAdopted = library.adopt(socket.descriptor, number: socket.number, isEncrypted: false)
            if !isAdopted { releaseSocket(socket.number) }
        case .refused(let response): refuse(socket, response)
        case .unannounced: refuse(socket, .text(400, Self.missingProxyHeader))
        }
    }

    /// Answers what a trusted proxy has sent without parsing it; closes the socket if the peer expects TLS.
    private func refuse(_ socket: ProxiedSocket, _ response: HTTPResponse) {
        counterMemory.pointee.refusedHandshakes &+= 1
        acceptedSockets[socket.number]?.hasSentRequest = true
        guard let acceptedSocket = acceptedSockets[socket.number], !isEncrypted(acceptedSocket.entrance) else {
            return drop(socket)
        }
        release(socket)
        acceptedSockets[socket.number]?.refusal = response
        if !library.adoptRaw(socket.descriptor, number: socket.number) { releaseSocket(socket.number) }
    }

    private func release(_ socket: ProxiedSocket) {
        socket.stopWatching()
        proxiedSockets[socket.number] = nil
    }

    /// Writes the response to a request that was not parsed.
    ///
    /// - Parameter request: The request.
    /// - Returns: -1 to close the connection behind the response.
    func refuseRaw(_ request: LWSRequest) -> Int32 {
        guard let refusal = acceptedSocket(request)?.refusal else { return -1 }
        return answer(request, with: refusal, isHead: false)
    }

    /// Closes a trusted proxy's socket that has ended, or has not sent a whole head in time.
    ///
    /// - Parameter socket: The socket to be closed.
    func drop(_ socket: ProxiedSocket) {
        release(socket)
        Glibc.close(socket.descriptor)
        releaseSocket(socket.number)
    }

    /// Closes the sockets of trusted proxies whose heads are not complete in time.
    ///
    /// - Parameter now: The loop's time in milliseconds.
    func sweepProxiedSockets(at now: UInt64) {
        let timeout = UInt64(settings.handshakeTimeout.wholeSeconds) * 1000
        for (number, socket) in proxiedSockets {
            guard let acceptedSocket = acceptedSockets[number], now &- acceptedSocket.acceptedAt >= timeout else {
                continue
            }
            drop(socket)
        }
    }

    private func isTrustedProxy(_ address: IPAddress) -> Bool {
        settings.trustedProxies.contains { $0.contains(address) }
    }

    /// Releases a closed socket.
    ///
    /// - Parameter request: The request.
    func releaseSocket(_ request: LWSRequest) {
        releaseSocket(request.socketNumber)
    }

    private func releaseSocket(_ number: UInt) {
        guard let acceptedSocket = acceptedSockets.removeValue(forKey: number) else { return }
        connectionLimiter.release(acceptedSocket.peer, connectedFor: acceptedSocket.connectedFor)
        let age = connections.now &- acceptedSocket.acceptedAt
        // The library's timers are up to a tenth of a second early.
        if !acceptedSocket.hasSentRequest, age &+ 100 >= UInt64(settings.handshakeTimeout.wholeSeconds) * 1000 {
            counterMemory.pointee.handshakeTimeouts &+= 1
        }
    }

    /// Finds the accepted socket of a libwebsockets object.
    ///
    /// - Parameter request: The request.
    /// - Returns: The socket; nil if the hub has not accepted it.
    func acceptedSocket(_ request: LWSRequest) -> AcceptedSocket? {
        acceptedSockets[request.socketNumber]
    }

    /// Counts a request that has been received completely.
    ///
    /// - Parameter request: The request.
    /// - Returns: A refusal if the client's address cannot be parsed or has exceeded its rate; else nil.
    func countRequest(_ request: LWSRequest) -> (response: HTTPResponse, headers: String)? {
        let number = request.socketNumber
        guard let acceptedSocket = acceptedSockets[number] else { return nil }
        acceptedSockets[number]?.hasSentRequest = true
        // Else it would count for no client, and be answered as if it were the proxy's own.
        guard let source = source(of: request, acceptedSocket) else {
            counterMemory.pointee.refusedHandshakes &+= 1
            return (.text(400, Self.unreadableSource), "")
        }
        guard !connectionLimiter.allowsRequest(from: source, at: Int64(clamping: now)) else { return nil }
        counterMemory.pointee.refusedRequests &+= 1
        let most = settings.requestsPerSecond
        return (
            .text(429, "More than \(most) requests a second from \(source.text); send fewer."), "Retry-After: 10\r\n"
        )
    }

    /// Counts a socket as a connection, or returns the reason for a refusal.
    ///
    /// - Parameter request: The request.
    /// - Returns: The refusal; nil if the connection is accepted.
    func connectionRefusal(_ request: LWSRequest) -> (response: HTTPResponse, headers: String)? {
        let number = request.socketNumber
        guard let acceptedSocket = acceptedSockets[number] else {
            return (.text(500, "The hub has no record of this socket."), "")
        }
        guard !acceptedSocket.isBeyondLimit else {
            counterMemory.pointee.refusedFull &+= 1
            return Self.fullResponse
        }
        guard acceptedSocket.connectedFor == nil else { return nil }
        guard let source = source(of: request, acceptedSocket) else {
            counterMemory.pointee.refusedHandshakes &+= 1
            return (.text(400, Self.unreadableSource), "")
        }
        guard connectionLimiter.upgrade(acceptedSocket.peer, for: source) else {
            counterMemory.pointee.refusedByAddress &+= 1
            let most = settings.maximumConnectionsPerAddress
            return (.text(429, "\(source.text) has \(most) connections here; close one first."), "Retry-After: 30\r\n")
        }
        acceptedSockets[number]?.connectedFor = source
        return nil
    }

    /// The response to sockets beyond the limit.
    static let fullResponse = (
        response: HTTPResponse.text(503, "The hub has its maximum number of connections; try again later."),
        headers: "Retry-After: 10\r\n"
    )

    private static let missingProxyHeader =
        "http.proxyProtocol is set: a connection of a trusted proxy begins with a PROXY protocol header of version 2 "
        + "(HAProxy: send-proxy-v2)."

    private static let unreadableSource =
        "X-Forwarded-For of a trusted proxy must be \(FieldValue.rule), addresses with commas between them, and come "
        + "without TLS."

    /// The client's address of a request; nil if it cannot be parsed or was not checked before (``ProxiedSocket``).
    func source(of request: LWSRequest, _ acceptedSocket: AcceptedSocket) -> IPAddress? {
        let hops = request[.forwardedFor]
        guard hops == .absent || !isEncrypted(acceptedSocket.entrance) || !isTrustedProxy(acceptedSocket.source) else {
            return nil
        }
        return ForwardedForHeader.source(behind: acceptedSocket.source, hops, trusted: settings.trustedProxies)
    }

    /// Indicates that a port takes TLS alone.
    private func isEncrypted(_ entrance: Entrance) -> Bool { entrance == .main && library.certificate != nil }

    /// Indicates that a request came over a TLS connection of the hub's own.
    ///
    /// - Parameter request: The request.
    /// - Returns: False also if the TLS connection was a proxy's.
    func isEncrypted(_ request: LWSRequest) -> Bool {
        acceptedSocket(request).map { isEncrypted($0.entrance) } ?? false
    }

    /// Indicates that the proxy of `isBehindProxy` has received a request by https.
    func isFromHTTPSProxy(_ request: LWSRequest) -> Bool {
        settings.isBehindProxy && !settings.usesTLS && isSecure(request) == true
    }

    /// Determines if a request came over TLS.
    ///
    /// - Parameter request: The request.
    /// - Returns: Nil if unknown, as a proxy that does not say so may be in between.
    func isSecure(_ request: LWSRequest) -> Bool? {
        guard let acceptedSocket = acceptedSocket(request) else { return nil }
        if isEncrypted(acceptedSocket.entrance) { return true }
        if let isEncrypted = acceptedSocket.proxyHeader?.isEncrypted { return isEncrypted }
        guard isTrustedProxy(acceptedSocket.source),
            case .text(let scheme) = request[named: "x-forwarded-proto:"]
        else { return nil }
        switch scheme.split(separator: ",").last?.trimmingSpaces.lowercased() {
        case "https", "wss": return true
        case "http", "ws": return false
        default: return nil
        }
    }
}
