import CLibWebSockets
import Glibc

extension ServerLoop {
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
        let asked = String(decoding: path, as: UTF8.self)
        if let prefix = settings.pathPrefix, asked == prefix { return sendToStartPage(wsi, isHead: isHead) }
        let path = withoutPrefix(asked)
        let query = header(WSI_TOKEN_HTTP_URI_ARGS, of: wsi) ?? ""
        // Also where the hub is full: what it says of itself is then of use.
        let ticket = nextTicket()
        switch handler.httpGet(path: path, query: query, ticket: ticket) {
        case .now(let response): return write(ofTheHub: response, to: wsi, isHead: isHead)
        case .later: return keepWaiting(wsi, ticket, isHead: isHead)
        case .notMine: break
        }
        guard visitor(wsi)?.isTold != true else {
            let (response, headers) = Self.fullHouse
            counterMemory.pointee.refusedFull &+= 1
            _ = write(response, to: wsi, extraHeaders: headers, withBody: !isHead, keepingAlive: false)
            return hangUp(wsi)
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

    /// Writes an answer that the handler has given; who was let in to be told that the hub is full leaves then.
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - wsi: Who asks.
    ///   - isHead: Whether only the head is wanted.
    /// - Returns: For the library: 0 goes on, -1 hangs up when all is written.
    func write(ofTheHub response: HTTPResponse, to wsi: OpaquePointer, isHead: Bool) -> Int32 {
        let isTold = visitor(wsi)?.isTold ?? false
        let isWritten = write(response, to: wsi, extraHeaders: "", withBody: !isHead, keepingAlive: !isTold)
        return isTold ? hangUp(wsi) : finish(wsi, isWritten)
    }

    /// The path behind the prefix; one without it is taken as it is, since many proxies take it away.
    ///
    /// - Parameter path: As it was asked for.
    /// - Returns: From its `/` on.
    func withoutPrefix(_ path: String) -> String {
        guard let prefix = settings.pathPrefix, path.hasPrefix(prefix + "/") else { return path }
        return String(path.dropFirst(prefix.count))
    }

    /// Relative names in the page lead under the prefix only from behind its `/`.
    private func sendToStartPage(_ wsi: OpaquePointer, isHead: Bool) -> Int32 {
        let target = (settings.pathPrefix ?? "") + "/"
        let response = HTTPResponse.text(308, "The start page is at \(target).")
        let headers = "Location: \(target)\r\n"
        return finish(wsi, write(response, to: wsi, extraHeaders: headers, withBody: !isHead, keepingAlive: true))
    }

    /// Ends a connection when what was written is out.
    private func hangUp(_ wsi: OpaquePointer) -> Int32 {
        lws_rx_flow_control(wsi, 0)
        return -1
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

    /// Writes a whole answer.
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
}
