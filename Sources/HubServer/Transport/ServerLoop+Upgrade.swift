import CLibWebSockets

/// Requests to upgrade to a WebSocket (RFC 6455 section 4.2).
extension ServerLoop {
    /// Accepts or refuses a request to upgrade to a WebSocket.
    ///
    /// - Parameter wsi: The connection in its handshake.
    /// - Returns: 0 to go on, -1 to close the connection behind the refusal.
    func confirmUpgrade(_ wsi: OpaquePointer) -> Int32 {
        // For an unknown name the library has sent 403 by itself, and freed all headers (4.1.6).
        guard field(WSI_TOKEN_UPGRADE, of: wsi) != .absent else { return close(wsi) }
        if let refusal = countRequest(wsi) {
            return answer(wsi, with: refusal.response, headers: refusal.headers, isHead: false)
        }
        let fault = faultOfHandshake(wsi)
        if fault != nil { counterMemory.pointee.refusedHandshakes &+= 1 }
        // A valid handshake may still be beyond a limit; that has counters of its own.
        guard let refusal = fault ?? connectionRefusal(wsi) else { return 0 }
        return answer(wsi, with: refusal.response, headers: refusal.headers, isHead: false)
    }

    private func faultOfHandshake(_ wsi: OpaquePointer) -> (response: HTTPResponse, headers: String)? {
        guard case .text(let name) = field(WSI_TOKEN_UPGRADE, of: wsi), name.lowercased() == "websocket" else {
            return (.text(400, "The only upgrade here is to WebSocket, at \(settings.path)."), "")
        }
        // The bytes before the hub's first frame would be a body for a proxy.
        guard !announcesBody(wsi) else { return (Self.noBodies, "") }
        guard lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) > 0, path(of: wsi).map(withoutPrefix) == settings.path else {
            return (.text(404, "The WebSocket is at \(settings.path), nowhere else."), "")
        }
        guard field(WSI_TOKEN_VERSION, of: wsi) == .text("13") else {
            return (.text(426, "Use version 13 of WebSocket (RFC 6455)."), "Sec-WebSocket-Version: 13\r\n")
        }
        guard case .text(let key) = field(WSI_TOKEN_KEY, of: wsi), key.utf8.count == 24 else {
            return (.text(400, "Sec-WebSocket-Key must be 16 bytes in base64."), "")
        }
        guard case .text(let host) = field(WSI_TOKEN_HOST, of: wsi), !host.utf8.contains(UInt8(ascii: ",")) else {
            return (.text(400, "A request needs one Host header, \(FieldValue.rule)."), "")
        }
        return faultOfOrigin(wsi, host: host) ?? faultOfSubprotocol(wsi)
    }

    private func faultOfOrigin(_ wsi: OpaquePointer, host: String) -> (response: HTTPResponse, headers: String)? {
        switch field(WSI_TOKEN_ORIGIN, of: wsi) {
        case .absent: return nil
        case .unreadable: return (.text(400, "The Origin header must be \(FieldValue.rule)."), "")
        case .text(let origin):
            return refusal(ofOrigin: origin, host: host, wsi).map { (.text(403, $0), "") }
        }
    }

    private func refusal(ofOrigin origin: String, host: String, _ wsi: OpaquePointer) -> String? {
        switch origins.verdict(origin: origin, host: host, isSecure: isSecure(wsi)) {
        case .allowed: nil
        case .foreignPage:
            "Pages of \"\(origin.prefix(200))\" may not connect; http.allowedOrigins lists those that may."
        case .foreignHost(let name):
            "\"\(name.prefix(200))\" is no name of this hub; if it is one, it belongs into http.hosts."
        }
    }

    private func faultOfSubprotocol(_ wsi: OpaquePointer) -> (response: HTTPResponse, headers: String)? {
        switch field(WSI_TOKEN_PROTOCOL, of: wsi) {
        case .absent: return nil
        case .unreadable: return (.text(400, "Sec-WebSocket-Protocol must be \(FieldValue.rule)."), "")
        case .text(let offered):
            let isOffered = offered.split(separator: ",").contains { $0.trimmingSpaces == settings.subprotocol[...] }
            return isOffered
                ? nil : (.text(400, "The subprotocol here is \(settings.subprotocol); offer it, or none."), "")
        }
    }
}
