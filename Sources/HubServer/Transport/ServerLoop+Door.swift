import CLibWebSockets
import CUV
import Glibc

/// An accepted socket until its close, whatever its protocol.
struct Visitor {
    /// The address of the socket's peer: a client, or a proxy.
    let peer: IPAddress

    /// The time at which it was accepted, in the loop's milliseconds.
    let arrivedAt: UInt64

    /// True if it was accepted beyond the limit, to be refused with an explanation.
    let isTold: Bool

    /// True once a whole request has been received.
    var hasAsked = false

    /// The client's address once the socket is a WebSocket connection; nil before.
    var connectedFor: IPAddress?

    /// The response to a request of a trusted proxy that is not parsed.
    var refusal: HTTPResponse?
}

/// The acceptance of sockets and the limits by address.
extension ServerLoop {
    /// Accepts the connections that are pending on a listening socket and gives them to the library.
    ///
    /// - Parameter descriptor: The listening socket.
    func acceptConnections(from descriptor: Int32) {
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
            admit(accepted, from: peer)
        }
    }

    private func admit(_ descriptor: Int32, from peer: IPAddress) {
        let entry = door.arrives(from: peer, at: Int64(clamping: now))
        switch entry {
        case .full:
            counterMemory.pointee.refusedFull &+= 1
            Glibc.close(descriptor)
        case .tooMany:
            counterMemory.pointee.refusedSockets &+= 1
            Glibc.close(descriptor)
        case .welcome, .told:
            lastVisitor &+= 1
            visitors[lastVisitor] = Visitor(peer: peer, arrivedAt: connections.now, isTold: entry == .told)
            guard isTrustedProxy(peer), settings.certificateFiles == nil else {
                // Closes the socket itself if it cannot take it, perhaps without a callback.
                if hub_lws_adopt(library.host, descriptor, lastVisitor) == nil { leave(lastVisitor) }
                return
            }
            guard let socket = ProxiedSocket(descriptor, number: lastVisitor, on: self) else {
                Glibc.close(descriptor)
                return leave(lastVisitor)
            }
            proxiedSockets[lastVisitor] = socket
        }
    }

    /// Gives a trusted proxy's socket to the library, to be read or only to be answered.
    ///
    /// - Parameters:
    ///   - socket: The socket, whose head has been checked.
    ///   - refusal: The response to a head that the library would parse differently from the proxy; nil: none.
    func adopt(_ socket: ProxiedSocket, refusal: HTTPResponse?) {
        socket.stopWatching()
        proxiedSockets[socket.number] = nil
        let adopted: OpaquePointer?
        if let refusal {
            counterMemory.pointee.refusedHandshakes &+= 1
            visitors[socket.number]?.hasAsked = true
            visitors[socket.number]?.refusal = refusal
            adopted = hub_lws_adopt_unread(library.host, socket.descriptor, socket.number)
        } else {
            adopted = hub_lws_adopt(library.host, socket.descriptor, socket.number)
        }
        if adopted == nil { leave(socket.number) }
    }

    /// Writes the response to a request that was not parsed.
    ///
    /// - Parameter wsi: The connection, in raw mode.
    /// - Returns: -1 to close the connection behind the response.
    func refuseUnread(_ wsi: OpaquePointer) -> Int32 {
        guard let refusal = visitor(wsi)?.refusal else { return -1 }
        return answer(wsi, with: refusal, isHead: false)
    }

    /// Closes a trusted proxy's socket that has ended, or has not sent a whole head in time.
    ///
    /// - Parameter socket: The socket to be closed.
    func drop(_ socket: ProxiedSocket) {
        socket.stopWatching()
        proxiedSockets[socket.number] = nil
        Glibc.close(socket.descriptor)
        leave(socket.number)
    }

    /// Closes the sockets of trusted proxies whose heads are not complete in time.
    ///
    /// - Parameter now: The loop's time in milliseconds.
    func sweepProxiedSockets(at now: UInt64) {
        let timeout = UInt64(settings.handshakeTimeout.wholeSeconds) * 1000
        for (number, socket) in proxiedSockets {
            guard let visitor = visitors[number], now &- visitor.arrivedAt >= timeout else { continue }
            drop(socket)
        }
    }

    private func isTrustedProxy(_ address: IPAddress) -> Bool {
        settings.trustedProxies.contains { $0.contains(address) }
    }

    /// Releases a closed socket.
    ///
    /// - Parameter wsi: The socket's libwebsockets object.
    func leave(_ wsi: OpaquePointer) {
        leave(UInt(bitPattern: lws_get_opaque_user_data(wsi)))
    }

    private func leave(_ number: UInt) {
        guard let visitor = visitors.removeValue(forKey: number) else { return }
        door.leaves(visitor.peer, connectedFor: visitor.connectedFor)
        let age = connections.now &- visitor.arrivedAt
        // The library's timers are up to a tenth of a second early.
        if !visitor.hasAsked, age &+ 100 >= UInt64(settings.handshakeTimeout.wholeSeconds) * 1000 {
            counterMemory.pointee.handshakeTimeouts &+= 1
        }
    }

    /// Finds the accepted socket of a libwebsockets object.
    ///
    /// - Parameter wsi: The libwebsockets object.
    /// - Returns: The socket; nil if the hub has not accepted it.
    func visitor(_ wsi: OpaquePointer) -> Visitor? {
        visitors[UInt(bitPattern: lws_get_opaque_user_data(wsi))]
    }

    /// Counts a request that has been received completely.
    ///
    /// - Parameter wsi: The libwebsockets object of the request.
    /// - Returns: A refusal if the client's address cannot be parsed or has exceeded its rate; else nil.
    func countRequest(_ wsi: OpaquePointer) -> (response: HTTPResponse, headers: String)? {
        let number = UInt(bitPattern: lws_get_opaque_user_data(wsi))
        guard let visitor = visitors[number] else { return nil }
        visitors[number]?.hasAsked = true
        // Else it would count for no client, and be answered as if it were the proxy's own.
        guard let source = source(of: wsi, visitor) else {
            counterMemory.pointee.refusedHandshakes &+= 1
            return (.text(400, Self.unreadableSource), "")
        }
        guard !door.mayAsk(from: source, at: Int64(clamping: now)) else { return nil }
        counterMemory.pointee.refusedRequests &+= 1
        let most = settings.requestsPerSecond
        return (
            .text(429, "More than \(most) requests a second from \(source.text); send fewer."), "Retry-After: 10\r\n"
        )
    }

    /// Counts a socket as a connection, or returns the reason for a refusal.
    ///
    /// - Parameter wsi: The libwebsockets object of a handshake that is valid otherwise.
    /// - Returns: The refusal; nil if the connection is accepted.
    func connectionRefusal(_ wsi: OpaquePointer) -> (response: HTTPResponse, headers: String)? {
        let number = UInt(bitPattern: lws_get_opaque_user_data(wsi))
        guard let visitor = visitors[number] else { return (.text(500, "This socket is unknown here."), "") }
        guard !visitor.isTold else {
            counterMemory.pointee.refusedFull &+= 1
            return Self.fullHouse
        }
        guard visitor.connectedFor == nil else { return nil }
        guard let source = source(of: wsi, visitor) else {
            counterMemory.pointee.refusedHandshakes &+= 1
            return (.text(400, Self.unreadableSource), "")
        }
        guard door.connects(visitor.peer, for: source) else {
            counterMemory.pointee.refusedByAddress &+= 1
            let most = settings.maximumConnectionsPerAddress
            return (.text(429, "\(source.text) has \(most) connections here; close one first."), "Retry-After: 30\r\n")
        }
        visitors[number]?.connectedFor = source
        return nil
    }

    /// The response to sockets beyond the limit.
    static let fullHouse = (
        response: HTTPResponse.text(503, "The hub has as many connections as it takes; come again later."),
        headers: "Retry-After: 10\r\n"
    )

    private static let unreadableSource =
        "X-Forwarded-For of a trusted proxy must be \(FieldValue.rule), addresses with commas between them, and come "
        + "without TLS."

    /// The client's address of a request; nil if it cannot be parsed or was not checked before (``ProxiedSocket``).
    func source(of wsi: OpaquePointer, _ visitor: Visitor) -> IPAddress? {
        let hops = field(WSI_TOKEN_X_FORWARDED_FOR, of: wsi)
        guard hops == .absent || settings.certificateFiles == nil || !isTrustedProxy(visitor.peer) else { return nil }
        return Forwarding.source(behind: visitor.peer, hops, trusted: settings.trustedProxies)
    }

    /// Determines if a request came over TLS.
    ///
    /// - Parameter wsi: The libwebsockets object of the request.
    /// - Returns: Nil if unknown, as a proxy that does not say so may be in between.
    func isSecure(_ wsi: OpaquePointer) -> Bool? {
        if settings.certificateFiles != nil { return true }
        guard let peer = visitor(wsi)?.peer, isTrustedProxy(peer),
            case .text(let scheme) = field(named: "x-forwarded-proto:", of: wsi)
        else { return nil }
        switch scheme.split(separator: ",").last?.trimmingSpaces.lowercased() {
        case "https", "wss": return true
        case "http", "ws": return false
        default: return nil
        }
    }
}
