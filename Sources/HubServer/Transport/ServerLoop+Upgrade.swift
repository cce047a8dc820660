import CLibWebSockets
import Glibc

/// Requests to become a WebSocket, and what headers say.
extension ServerLoop {
    /// Decides on a request to become a WebSocket.
    ///
    /// What to become is read from the header, not from what the library passes: for an unknown name on a connection
    /// kept alive it has answered 403 by itself, freed all headers and then calls all the same (4.1.6).
    ///
    /// - Parameter wsi: Who asks.
    /// - Returns: For the library: 0 goes on, 1 when an answer has been written, -1 hangs up.
    func confirmUpgrade(_ wsi: OpaquePointer) -> Int32 {
        guard let name = header(WSI_TOKEN_UPGRADE, of: wsi) else { return -1 }
        let fault = faultOfHandshake(wsi, to: name)
        if fault != nil { counterMemory.pointee.refusedHandshakes &+= 1 }
        // Who has done nothing wrong may still be one too many; that has counters of its own.
        guard let refusal = fault ?? connectionRefusal(wsi) else { return 0 }
        return write(refusal.response, to: wsi, extraHeaders: refusal.headers, withBody: true, keepingAlive: false)
            ? 1 : -1
    }

    private func faultOfHandshake(_ wsi: OpaquePointer, to name: String) -> (response: HTTPResponse, headers: String)? {
        guard name.lowercased() == "websocket" else {
            return (.text(400, "The only upgrade here is to WebSocket, at \(settings.path)."), "")
        }
        guard header(WSI_TOKEN_GET_URI, of: wsi).map(withoutPrefix) == settings.path else {
            return (.text(404, "The WebSocket is at \(settings.path), nowhere else."), "")
        }
        guard header(WSI_TOKEN_VERSION, of: wsi) == "13" else {
            return (.text(426, "Use version 13 of WebSocket (RFC 6455)."), "Sec-WebSocket-Version: 13\r\n")
        }
        guard header(WSI_TOKEN_KEY, of: wsi)?.utf8.count == 24 else {
            return (.text(400, "Sec-WebSocket-Key must be 16 bytes in base64."), "")
        }
        guard let host = header(WSI_TOKEN_HOST, of: wsi) else {
            return (.text(400, "A request needs one Host header."), "")
        }
        if let origin = header(WSI_TOKEN_ORIGIN, of: wsi), let sentence = refusal(ofOrigin: origin, host: host, wsi) {
            return (.text(403, sentence), "")
        }
        if let offered = header(WSI_TOKEN_PROTOCOL, of: wsi), !offered.isEmpty,
            !offered.split(separator: ",").contains(where: { $0.trimmingSpaces == settings.subprotocol[...] })
        {
            return (.text(400, "The subprotocol here is \(settings.subprotocol); offer it, or none."), "")
        }
        return nil
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

    /// What the headers tell of a connection.
    ///
    /// - Parameter wsi: In its handshake.
    /// - Returns: For the handler.
    func connectionInfo(_ wsi: OpaquePointer) -> ConnectionInfo {
        let visitor = visitor(wsi)
        return ConnectionInfo(
            address: visitor?.connectedFor ?? visitor?.peer ?? .unspecified,
            origin: header(WSI_TOKEN_ORIGIN, of: wsi),
            userAgent: header(WSI_TOKEN_HTTP_USER_AGENT, of: wsi),
            query: header(WSI_TOKEN_HTTP_URI_ARGS, of: wsi) ?? ""
        )
    }

    /// A header's value.
    ///
    /// - Parameters:
    ///   - token: The library's name for it.
    ///   - wsi: Who asks.
    /// - Returns: Nil when it is absent, empty or longer than 4 KB.
    func header(_ token: lws_token_indexes, of wsi: OpaquePointer) -> String? {
        let length = Int(lws_hdr_total_length(wsi, token))
        guard length > 0, length < 4096 else { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + 1) { buffer in
            guard let base = buffer.baseAddress, lws_hdr_copy(wsi, base, Int32(length) + 1, token) > 0 else {
                return nil
            }
            return String(cString: base)
        }
    }

    /// The value of a header that the library has no name for.
    ///
    /// - Parameters:
    ///   - name: In lower case, with its colon.
    ///   - wsi: Who asks.
    /// - Returns: Nil when it is absent, empty or longer than 4 KB.
    func header(named name: String, of wsi: OpaquePointer) -> String? {
        let length = Int(lws_hdr_custom_length(wsi, name, Int32(name.utf8.count)))
        guard length > 0, length < 4096 else { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + 1) { buffer in
            guard let base = buffer.baseAddress,
                lws_hdr_custom_copy(wsi, base, Int32(length) + 1, name, Int32(name.utf8.count)) > 0
            else { return nil }
            return String(cString: base)
        }
    }
}
