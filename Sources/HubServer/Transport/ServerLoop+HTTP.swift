import CLibWebSockets

/// HTTP requests other than upgrades: one per connection.
extension ServerLoop {
    /// Refuses requests of an address beyond its rate, all but GET and HEAD, and those that announce a body.
    ///
    /// - Parameter wsi: The connection, whose request is received completely.
    /// - Returns: 0 to go on, -1 to close the connection behind the refusal.
    func refuseWrongRequests(_ wsi: OpaquePointer) -> Int32 {
        let isHead = lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0
        if let refusal = countRequest(wsi) {
            return answer(wsi, with: refusal.response, headers: refusal.headers, isHead: isHead)
        }
        if !isHead, lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) <= 0 {
            let refusal = HTTPResponse.text(405, "Only GET and HEAD are answered here.")
            return answer(wsi, with: refusal, headers: "Allow: GET, HEAD\r\n", isHead: false)
        }
        guard !announcesBody(wsi) else { return answer(wsi, with: Self.noBodies, isHead: isHead) }
        return 0
    }

    /// Checks if a request announces a body behind its head (RFC 9112 section 6.3).
    ///
    /// - Parameter wsi: The connection, whose request is received completely.
    /// - Returns: True also if the length cannot be parsed.
    func announcesBody(_ wsi: OpaquePointer) -> Bool {
        guard lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) <= 0 else { return true }
        return switch field(WSI_TOKEN_HTTP_CONTENT_LENGTH, of: wsi) {
        case .absent: false
        case .unreadable: true
        case .text(let length): length != "0"
        }
    }

    /// The response to a request that announces a body.
    static let noBodies = HTTPResponse.text(400, "Requests here have no body.")

    /// Answers a GET or HEAD without a body.
    ///
    /// - Parameter wsi: The connection, whose request is received completely.
    /// - Returns: 0 while the response is not written yet, -1 to close the connection behind it.
    func answer(_ wsi: OpaquePointer) -> Int32 {
        let isHead = lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0
        guard let asked = path(of: wsi) else { return answer(wsi, with: nothingThere, isHead: isHead) }
        if let prefix = settings.pathPrefix, asked == prefix { return sendToStartPage(wsi, isHead: isHead) }
        let path = withoutPrefix(asked)
        // Also if the hub is full: its health and metrics are useful then.
        let ticket = nextTicket()
        switch handler.httpGet(request(wsi, path: path), ticket: ticket) {
        case .now(let response): return answer(wsi, with: response, isHead: isHead)
        case .later: return keepWaiting(wsi, ticket, isHead: isHead)
        case .notMine: break
        }
        guard visitor(wsi)?.isTold != true else {
            let (response, headers) = Self.fullHouse
            counterMemory.pointee.refusedFull &+= 1
            return answer(wsi, with: response, headers: headers, isHead: isHead)
        }
        guard path != settings.path else {
            let sentence = "This is the WebSocket; connect with subprotocol \(settings.subprotocol)."
            return answer(wsi, with: .text(426, sentence), headers: "Upgrade: websocket\r\n", isHead: isHead)
        }
        if let file = staticFiles?.find(path) { return serve(file, to: wsi, isHead: isHead) }
        return answer(wsi, with: nothingThere, isHead: isHead)
    }

    private func request(_ wsi: OpaquePointer, path: String) -> HTTPRequest {
        // An address that cannot be parsed was refused before (``countRequest(_:)``).
        let address = visitor(wsi).flatMap { source(of: wsi, $0) } ?? .unspecified
        var request = HTTPRequest(path: path, address: address)
        if case .text(let value) = field(WSI_TOKEN_HTTP_AUTHORIZATION, of: wsi),
            value.prefix(7).lowercased() == "bearer "
        {
            request.bearer = String(value.dropFirst(7))
        }
        return request
    }

    /// The response to an unknown path; it repeats nothing of the request.
    private var nothingThere: HTTPResponse {
        .text(
            404,
            "There is nothing at this path. The start page is at /, the WebSocket at \(settings.path), "
                + "the hub's state at /healthz, /readyz and /metrics."
        )
    }

    /// Removes the prefix of a path; one without it is kept as it is, since many proxies remove it.
    ///
    /// - Parameter path: The requested path.
    /// - Returns: The path from its `/` on.
    func withoutPrefix(_ path: String) -> String {
        guard let prefix = settings.pathPrefix, path.hasPrefix(prefix + "/") else { return path }
        return String(path.dropFirst(prefix.count))
    }

    /// Describes a connection to the handler.
    ///
    /// - Parameter wsi: The connection, whose handshake is complete.
    /// - Returns: The properties of the connection.
    func connectionInfo(_ wsi: OpaquePointer) -> ConnectionInfo {
        let visitor = visitor(wsi)
        return ConnectionInfo(address: visitor?.connectedFor ?? visitor?.peer ?? .unspecified)
    }

    /// Redirects to the start page, as its relative links work under the prefix only if that ends with `/`.
    private func sendToStartPage(_ wsi: OpaquePointer, isHead: Bool) -> Int32 {
        let target = (settings.pathPrefix ?? "") + "/"
        let response = HTTPResponse.text(308, "The start page is at \(target).")
        return answer(wsi, with: response, headers: "Location: \(target)\r\n", isHead: isHead)
    }

    private func serve(_ file: StaticFiles.File, to wsi: OpaquePointer, isHead: Bool) -> Int32 {
        let common = "etag: \(file.tag)\r\ncache-control: no-cache\r\n"
        if case .text(let known) = field(WSI_TOKEN_HTTP_IF_NONE_MATCH, of: wsi),
            known == "*" || known.contains(file.tag)
        {
            let response = HTTPResponse(status: 304, contentType: file.contentType, body: [])
            return answer(wsi, with: response, headers: common, isHead: isHead)
        }
        guard !isHead else {
            // The library would keep the connection for another request.
            let response = HTTPResponse(contentType: file.contentType, body: [])
            return answer(wsi, with: response, headers: common, isHead: true, length: file.byteCount)
        }
        let headers = common + strictTransport(wsi) + "connection: close\r\n"
        // Sends the file as the socket takes it; HTTP_FILE_COMPLETION ends the request.
        let result = lws_serve_http_file(wsi, file.path, file.contentType, headers, Int32(headers.utf8.count))
        return result == 0 ? 0 : close(wsi)
    }

    /// Closes an HTTP connection once all that was written to it is sent.
    ///
    /// One request per connection: the library parses some requests differently from RFC 9112, so behind one of them
    /// the start of the next is uncertain (request smuggling); and until a response is sent it neither reads input nor
    /// stops polling the socket.
    ///
    /// - Parameter wsi: The connection.
    /// - Returns: The result for the library, -1.
    func close(_ wsi: OpaquePointer) -> Int32 {
        lws_rx_flow_control(wsi, 0)
        return -1
    }

    /// Writes a whole response and closes the connection behind it.
    ///
    /// - Parameters:
    ///   - wsi: The connection.
    ///   - response: The response.
    ///   - headers: Further header lines, each with its line end.
    ///   - isHead: True to leave the body out.
    ///   - length: The length of the body in bytes, if it is left out; nil for that of the response's.
    /// - Returns: The result for the library, -1.
    func answer(
        _ wsi: OpaquePointer,
        with response: HTTPResponse,
        headers: String = "",
        isHead: Bool,
        length: Int? = nil
    ) -> Int32 {
        var head = "HTTP/1.1 \(response.status) \(HTTPResponse.phrase(response.status))\r\n"
        if response.status != 304 {
            head += "Content-Type: \(response.contentType)\r\nContent-Length: \(length ?? response.body.count)\r\n"
        }
        for header in settings.httpHeaders { head += "\(header.name): \(header.value)\r\n" }
        if !headers.contains("cache-control") { head += "Cache-Control: no-store\r\n" }
        head += headers + strictTransport(wsi) + "Connection: close\r\n\r\n"
        var bytes = [UInt8](repeating: 0, count: hub_lws_pre)
        bytes += head.utf8
        if !isHead, response.status != 304 { bytes += response.body }
        let count = bytes.count - hub_lws_pre
        bytes.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            // A failure needs no handling: the connection is closed in either case.
            _ = lws_write(wsi, base + hub_lws_pre, count, hub_lws_write_http)
        }
        return close(wsi)
    }
}
