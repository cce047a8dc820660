import CLibWebSockets
import CUV
import Glibc

/// A socket from its arrival to its end, whatever it becomes.
struct Visitor {
    /// Who is connected: a client, or a proxy.
    let peer: IPAddress

    /// When it came, in the loop's milliseconds.
    let arrivedAt: UInt64

    /// It was let in to be told that the hub is full.
    let isTold: Bool

    /// It has asked for something.
    var hasAsked = false

    /// Whom its connection is for; nil while it is none.
    var connectedFor: IPAddress?

    /// The answer to a request that is not read, from a trusted proxy.
    var refusal: HTTPResponse?
}

/// Who comes in.
extension ServerLoop {
    /// Takes the connections that wait on a listening socket and gives them to the library.
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
                    // Else the loop would spin on it: look again with the next sweep.
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
                // Closes the socket itself when it cannot take it, perhaps without a word.
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
    ///   - socket: The socket, its head looked at.
    ///   - refusal: The answer to a head that the library would read otherwise than the proxy; nil for a sound one.
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

    /// Writes the answer to a request that was not read.
    ///
    /// - Parameter wsi: The connection, in raw mode.
    /// - Returns: -1 to close the connection behind the answer.
    func refuseUnread(_ wsi: OpaquePointer) -> Int32 {
        guard let refusal = visitor(wsi)?.refusal else { return -1 }
        return answer(wsi, with: refusal, isHead: false)
    }

    /// Closes a trusted proxy's socket that has ended, or has not sent a whole head in time.
    ///
    /// - Parameter socket: The socket.
    func drop(_ socket: ProxiedSocket) {
        socket.stopWatching()
        proxiedSockets[socket.number] = nil
        Glibc.close(socket.descriptor)
        leave(socket.number)
    }

    /// Drops the sockets of trusted proxies that have taken too long for their heads.
    ///
    /// - Parameter now: The loop's milliseconds.
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

    /// A socket is gone.
    ///
    /// - Parameter wsi: The library's object for it.
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

    /// Who is behind a socket.
    ///
    /// - Parameter wsi: The library's object for it.
    /// - Returns: Nil for one that is none of ours.
    func visitor(_ wsi: OpaquePointer) -> Visitor? {
        visitors[UInt(bitPattern: lws_get_opaque_user_data(wsi))]
    }

    /// Counts a request that has been read whole.
    ///
    /// - Parameter wsi: The connection.
    /// - Returns: A refusal where its address cannot be read or has asked too much; else nil.
    func countRequest(_ wsi: OpaquePointer) -> (response: HTTPResponse, headers: String)? {
        let number = UInt(bitPattern: lws_get_opaque_user_data(wsi))
        guard let visitor = visitors[number] else { return nil }
        visitors[number]?.hasAsked = true
        // Else it would count for nobody, and be answered as if the proxy itself had asked.
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

    /// Lets a socket become a connection, or says why not.
    ///
    /// - Parameter wsi: In its handshake, right in all else.
    /// - Returns: Nil when it may.
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

    /// What everybody beyond the limit is told.
    static let fullHouse = (
        response: HTTPResponse.text(503, "The hub has as many connections as it takes; come again later."),
        headers: "Retry-After: 10\r\n"
    )

    private static let unreadableSource =
        "X-Forwarded-For of a trusted proxy must be \(FieldValue.rule), addresses with commas between them, and come "
        + "without TLS."

    /// Nil where it cannot be read, or could not be checked before it was read (``ProxiedSocket``).
    func source(of wsi: OpaquePointer, _ visitor: Visitor) -> IPAddress? {
        let hops = field(WSI_TOKEN_X_FORWARDED_FOR, of: wsi)
        guard hops == .absent || settings.certificateFiles == nil || !isTrustedProxy(visitor.peer) else { return nil }
        return Forwarding.source(behind: visitor.peer, hops, trusted: settings.trustedProxies)
    }

    /// Whether a request came over TLS.
    ///
    /// - Parameter wsi: Who asks.
    /// - Returns: Nil where a proxy that does not say so may have been in between.
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
