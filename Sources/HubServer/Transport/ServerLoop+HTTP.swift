import CLibWebSockets
import Glibc

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
        guard let refusal = upgradeRefusal(wsi, to: name) else { return 0 }
        counterMemory.pointee.refusedHandshakes &+= 1
        return write(refusal.response, to: wsi, extraHeaders: refusal.headers, withBody: true, keepingAlive: false)
            ? 1 : -1
    }

    private func upgradeRefusal(_ wsi: OpaquePointer, to name: String) -> (response: HTTPResponse, headers: String)? {
        guard name.lowercased() == "websocket" else {
            return (.text(400, "The only upgrade here is to WebSocket, at \(settings.path)."), "")
        }
        guard header(WSI_TOKEN_GET_URI, of: wsi) == settings.path else {
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
        if let origin = header(WSI_TOKEN_ORIGIN, of: wsi), !OriginRule.allows(origin, host: host, settings) {
            let quoted = origin.prefix(200)
            return (.text(403, "Pages of \"\(quoted)\" may not connect; see the hub's allowed origins."), "")
        }
        if let offered = header(WSI_TOKEN_PROTOCOL, of: wsi), !offered.isEmpty,
            !offered.split(separator: ",").contains(where: { $0.trimmingSpaces == settings.subprotocol[...] })
        {
            return (.text(400, "The subprotocol here is \(settings.subprotocol); offer it, or none."), "")
        }
        return nil
    }

    /// What the headers tell of a connection.
    ///
    /// - Parameter wsi: In its handshake.
    /// - Returns: For the handler.
    func connectionInfo(_ wsi: OpaquePointer) -> ConnectionInfo {
        let address = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            buffer.initialize(repeating: 0)
            guard let base = buffer.baseAddress else { return "" }
            lws_get_peer_simple(wsi, base, 63)
            return String(cString: base)
        }
        return ConnectionInfo(
            remoteAddress: address,
            origin: header(WSI_TOKEN_ORIGIN, of: wsi),
            userAgent: header(WSI_TOKEN_HTTP_USER_AGENT, of: wsi),
            query: header(WSI_TOKEN_HTTP_URI_ARGS, of: wsi) ?? ""
        )
    }

    /// Refuses all but GET and HEAD, and every request that announces a body.
    ///
    /// Not only for tidiness: on a body that stands behind another request in the same packet the library loops for
    /// ever (end of `lws_http_action` of 4.1.6), so that one client could stop the hub.
    ///
    /// - Parameter wsi: Who asks.
    /// - Returns: For the library: 0 goes on, 1 hangs up when all is written.
    func refuseBodies(_ wsi: OpaquePointer) -> Int32 {
        let isHead = lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0
        let length = header(WSI_TOKEN_HTTP_CONTENT_LENGTH, of: wsi)
        let refusal: HTTPResponse
        var headers = ""
        if !isHead, lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) <= 0 {
            refusal = .text(405, "Only GET and HEAD are answered here.")
            headers = "Allow: GET, HEAD\r\n"
        } else if lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0
            || (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH) > 0 && length != "0")
        {
            refusal = .text(400, "Requests here have no body.")
        } else {
            return 0
        }
        _ = write(refusal, to: wsi, extraHeaders: headers, withBody: !isHead, keepingAlive: false)
        lws_rx_flow_control(wsi, 0)
        return 1
    }

    /// Answers an HTTP request, a GET or HEAD without a body.
    ///
    /// - Parameters:
    ///   - wsi: Who asks.
    ///   - path: What for; decoded by the library, which has resolved dot segments too.
    /// - Returns: For the library: 0 goes on, -1 hangs up when all is written.
    func answer(_ wsi: OpaquePointer, path: UnsafeRawBufferPointer) -> Int32 {
        let isHead = lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0
        let path = String(decoding: path, as: UTF8.self)
        let query = header(WSI_TOKEN_HTTP_URI_ARGS, of: wsi) ?? ""
        let ticket = nextTicket()
        switch handler.httpGet(path: path, query: query, ticket: ticket) {
        case .now(let response):
            return finish(wsi, write(response, to: wsi, extraHeaders: "", withBody: !isHead, keepingAlive: true))
        case .later: return keepWaiting(wsi, ticket, isHead: isHead)
        case .notMine: break
        }
        guard path != settings.path else {
            let response = HTTPResponse.text(
                426,
                "This is the WebSocket; connect with subprotocol \(settings.subprotocol)."
            )
            let headers = "Upgrade: websocket\r\n"
            return finish(wsi, write(response, to: wsi, extraHeaders: headers, withBody: !isHead, keepingAlive: true))
        }
        if let file = staticFiles?.find(path) { return serve(file, to: wsi, isHead: isHead) }
        let response = HTTPResponse.text(
            404,
            "There is nothing at \(path.prefix(200)). The start page is at /, the WebSocket at \(settings.path), "
                + "the hub's state at /healthz, /readyz and /metrics."
        )
        return finish(wsi, write(response, to: wsi, extraHeaders: "", withBody: !isHead, keepingAlive: true))
    }

    private func serve(_ file: StaticFiles.File, to wsi: OpaquePointer, isHead: Bool) -> Int32 {
        let common = "etag: \(file.tag)\r\ncache-control: no-cache\r\n"
        if let known = header(WSI_TOKEN_HTTP_IF_NONE_MATCH, of: wsi), known == "*" || known.contains(file.tag) {
            let response = HTTPResponse(status: 304, contentType: file.contentType, body: [])
            return finish(wsi, write(response, to: wsi, extraHeaders: common, withBody: false, keepingAlive: true))
        }
        // Sends the file as the socket takes it; HTTP_FILE_COMPLETION ends the request.
        let result = lws_serve_http_file(wsi, file.path, file.contentType, common, Int32(common.utf8.count))
        return result < 0 || (result > 0 && lws_http_transaction_completed(wsi) != 0) ? -1 : 0
    }

    /// Ends a request; the connection lives on for the next one only when this answer has found room in the kernel.
    ///
    /// Until an answer is out the library does not read, and does not stop looking at the socket either: a client
    /// that asks on without reading would have the loop spin.
    ///
    /// - Parameters:
    ///   - wsi: Who has been answered.
    ///   - isWritten: False when the write has failed.
    /// - Returns: For the library: 0 goes on, -1 hangs up when all is written.
    func finish(_ wsi: OpaquePointer, _ isWritten: Bool = true) -> Int32 {
        guard isWritten else { return -1 }
        guard lws_send_pipe_choked(wsi) == 0 else {
            lws_rx_flow_control(wsi, 0)
            return -1
        }
        return lws_http_transaction_completed(wsi) == 0 ? 0 : -1
    }

    func write(
        _ response: HTTPResponse,
        to wsi: OpaquePointer,
        extraHeaders: String,
        withBody: Bool,
        keepingAlive: Bool
    ) -> Bool {
        var head = "HTTP/1.1 \(response.status) \(HTTPResponse.phrase(response.status))\r\n"
        if response.status != 304 {
            head += "Content-Type: \(response.contentType)\r\nContent-Length: \(response.body.count)\r\n"
        }
        for header in settings.httpHeaders { head += "\(header.name): \(header.value)\r\n" }
        if !extraHeaders.contains("cache-control") { head += "Cache-Control: no-store\r\n" }
        head += extraHeaders
        head += keepingAlive ? "\r\n" : "Connection: close\r\n\r\n"
        var bytes = [UInt8](repeating: 0, count: hub_lws_pre)
        bytes += head.utf8
        if withBody { bytes += response.body }
        let count = bytes.count - hub_lws_pre
        return bytes.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return false }
            return lws_write(wsi, base + hub_lws_pre, count, hub_lws_write_http) >= 0
        }
    }

    /// A header's value, or nil when it is absent, empty or longer than 4 KB.
    private func header(_ token: lws_token_indexes, of wsi: OpaquePointer) -> String? {
        let length = Int(lws_hdr_total_length(wsi, token))
        guard length > 0, length < 4096 else { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + 1) { buffer in
            guard let base = buffer.baseAddress, lws_hdr_copy(wsi, base, Int32(length) + 1, token) > 0 else {
                return nil
            }
            return String(cString: base)
        }
    }
}

extension HTTPResponse {
    /// A short answer in plain text.
    ///
    /// - Parameters:
    ///   - status: 200 to 599.
    ///   - sentence: Its body.
    /// - Returns: The answer.
    static func text(_ status: Int, _ sentence: String) -> HTTPResponse {
        HTTPResponse(status: status, contentType: "text/plain; charset=utf-8", body: Array((sentence + "\n").utf8))
    }

    /// The words behind a status code.
    ///
    /// - Parameter status: Any.
    /// - Returns: Those of RFC 9110, or the empty string.
    static func phrase(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 304: "Not Modified"
        case 400: "Bad Request"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 426: "Upgrade Required"
        case 500: "Internal Server Error"
        case 503: "Service Unavailable"
        default: ""
        }
    }
}

extension Substring {
    /// Itself without blanks at either end.
    fileprivate var trimmingSpaces: Substring {
        var rest = self
        while rest.first == " " || rest.first == "\t" { rest.removeFirst() }
        while rest.last == " " || rest.last == "\t" { rest.removeLast() }
        return rest
    }
}
