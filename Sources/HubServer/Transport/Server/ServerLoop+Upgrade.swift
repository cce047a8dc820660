/// Requests to upgrade to a WebSocket (RFC 6455 section 4.2).
extension ServerLoop {
    /// Accepts or refuses a request to upgrade to a WebSocket.
    ///
    /// - Parameter request: The connection in its handshake.
    /// - Returns: 0 to go on, -1 to close the connection behind the refusal.
    func confirmUpgrade(_ request: LWSRequest) -> Int32 {
        // For an unknown name the library has sent 403 by itself, and freed all headers (4.1.6).
        guard request[.upgrade] != .absent else { return close(request) }
        if let refusal = countRequest(request) {
            return answer(request, with: refusal.response, headers: refusal.headers, isHead: false)
        }
        guard acceptedSocket(request)?.entrance != .redirect else {
            return redirect(request, path: request.path ?? "/", isHead: false)
        }
        let fault = faultOfHandshake(request)
        if fault != nil { counterMemory.pointee.refusedHandshakes &+= 1 }
        // A valid handshake may still be beyond a limit; that has counters of its own.
        guard let refusal = fault ?? connectionRefusal(request) else { return 0 }
        return answer(request, with: refusal.response, headers: refusal.headers, isHead: false)
    }

    private func faultOfHandshake(_ request: LWSRequest) -> (response: HTTPResponse, headers: String)? {
        guard case .text(let name) = request[.upgrade], name.lowercased() == "websocket" else {
            return (.text(400, "The only upgrade here is to WebSocket, at \(settings.path)."), "")
        }
        // The bytes before the hub's first frame would be a body for a proxy.
        guard !announcesBody(request) else { return (Self.bodyRefused, "") }
        guard request.isGet, request.path.map(withoutPrefix) == settings.path else {
            return (.text(404, "The WebSocket is at \(settings.path), nowhere else."), "")
        }
        guard request[.webSocketVersion] == .text("13") else {
            return (.text(426, "Use version 13 of WebSocket (RFC 6455)."), "Sec-WebSocket-Version: 13\r\n")
        }
        guard case .text(let key) = request[.webSocketKey], key.utf8.count == 24 else {
            return (.text(400, "Sec-WebSocket-Key must be 16 bytes in base64."), "")
        }
        guard case .text(let host) = request[.host], !host.utf8.contains(UInt8(ascii: ",")) else {
            return (.text(400, "A request needs one Host header, \(FieldValue.rule)."), "")
        }
        return faultOfOrigin(request, host: host) ?? faultOfSubprotocol(request)
    }

    private func faultOfOrigin(_ request: LWSRequest, host: String) -> (response: HTTPResponse, headers: String)? {
        switch request[.origin] {
        case .absent: return nil
        case .unreadable: return (.text(400, "The Origin header must be \(FieldValue.rule)."), "")
        case .text(let origin):
            return refusal(ofOrigin: origin, host: host, request).map { (.text(403, $0), "") }
        }
    }

    private func refusal(ofOrigin origin: String, host: String, _ request: LWSRequest) -> String? {
        switch origins.verdict(origin: origin, host: host, isSecure: isSecure(request)) {
        case .allowed: nil
        // The proxy has a certificate of that name: DNS rebinding could not lead there.
        case .foreignHost where isFromHTTPSProxy(request): nil
        case .foreignPage:
            "Pages of \"\(origin.prefix(200))\" may not connect; http.allowedOrigins lists those that may."
        case .foreignHost(let name):
            "\"\(name.prefix(200))\" is not a name of this hub; if it should be, add it to http.hosts."
        }
    }

    private func faultOfSubprotocol(_ request: LWSRequest) -> (response: HTTPResponse, headers: String)? {
        switch request[.webSocketProtocol] {
        case .absent: return nil
        case .unreadable: return (.text(400, "Sec-WebSocket-Protocol must be \(FieldValue.rule)."), "")
        case .text(let offered):
            let isOffered = offered.split(separator: ",").contains { $0.trimmingSpaces == settings.subprotocol[...] }
            return isOffered
                ? nil : (.text(400, "The subprotocol here is \(settings.subprotocol); offer it, or none."), "")
        }
    }
}
