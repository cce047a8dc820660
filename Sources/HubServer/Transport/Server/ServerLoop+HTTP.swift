/// HTTP requests other than upgrades: one per connection.
extension ServerLoop {
    /// Refuses requests of an address beyond its rate, all but GET and HEAD, and those that announce a body.
    ///
    /// - Parameter request: The connection, whose request is received completely.
    /// - Returns: 0 to go on, -1 to close the connection behind the refusal.
    func refuseInvalidRequests(_ request: LWSRequest) -> Int32 {
        let isHead = request.isHead
        if let refusal = countRequest(request) {
            return answer(request, with: refusal.response, headers: refusal.headers, isHead: isHead)
        }
        if !isHead, !request.isGet {
            let refusal = HTTPResponse.text(405, "Only GET and HEAD are answered here.")
            return answer(request, with: refusal, headers: "Allow: GET, HEAD\r\n", isHead: false)
        }
        guard !announcesBody(request) else { return answer(request, with: Self.bodyRefused, isHead: isHead) }
        return 0
    }

    /// Checks if a request announces a body behind its head (RFC 9112 section 6.3).
    ///
    /// - Parameter request: The connection, whose request is received completely.
    /// - Returns: True also if the length cannot be parsed.
    func announcesBody(_ request: LWSRequest) -> Bool {
        guard !request.hasTransferEncoding else { return true }
        return switch request[.contentLength] {
        case .absent: false
        case .unreadable: true
        case .text(let length): length != "0"
        }
    }

    /// The response to a request that announces a body.
    static let bodyRefused = HTTPResponse.text(400, "Requests here have no body.")

    /// Answers a GET or HEAD without a body.
    ///
    /// - Parameter request: The connection, whose request is received completely.
    /// - Returns: 0 while the response is not written yet, -1 to close the connection behind it.
    func answer(_ request: LWSRequest) -> Int32 {
        let isHead = request.isHead
        guard let asked = request.path else { return answer(request, with: notFoundResponse, isHead: isHead) }
        if acceptedSocket(request)?.entrance == .redirect,
            let result = answerOnRedirectPort(request, path: asked, isHead: isHead)
        {
            return result
        }
        if let prefix = settings.pathPrefix, asked == prefix { return redirectToStartPage(request, isHead: isHead) }
        let path = withoutPrefix(asked)
        // Also if the hub is full: its health and metrics are useful then.
        let requestID = nextRequestID()
        switch handler.httpGet(httpRequest(request, path: path), requestID: requestID) {
        case .now(let response): return answer(request, with: response, isHead: isHead)
        case .deferred: return deferResponse(request, requestID, isHead: isHead)
        case .unhandled: break
        }
        guard acceptedSocket(request)?.isBeyondLimit != true else {
            let (response, headers) = Self.fullResponse
            counterMemory.pointee.refusedFull &+= 1
            return answer(request, with: response, headers: headers, isHead: isHead)
        }
        guard path != settings.path else {
            let sentence = "This is the WebSocket; connect with subprotocol \(settings.subprotocol)."
            return answer(request, with: .text(426, sentence), headers: "Upgrade: websocket\r\n", isHead: isHead)
        }
        guard path != TrustPage.path || library.certificate?.origin.authority != nil else {
            return answer(request, with: notFoundResponse, isHead: isHead)
        }
        let acceptsGzip = StaticFiles.acceptsGzip(request[.acceptEncoding])
        if let file = staticFiles?.find(TrustPage.file(for: path) ?? path, acceptsGzip: acceptsGzip) {
            return serve(file, to: request, isHead: isHead)
        }
        return answer(request, with: notFoundResponse, isHead: isHead)
    }

    private func strictTransportLine(_ request: LWSRequest) -> String {
        let certificate = isEncrypted(request) ? library.certificate?.origin : nil
        return StrictTransportSecurity.line(
            host: request[.host],
            certificate,
            seconds: settings.strictTransportSeconds
        )
    }

    private func httpRequest(_ request: LWSRequest, path: String) -> HTTPRequest {
        // An address that cannot be parsed was refused before (``countRequest(_:)``).
        let address = acceptedSocket(request).flatMap { source(of: request, $0) } ?? .unspecified
        var asked = HTTPRequest(path: path, address: address)
        if case .text(let value) = request[.authorization], value.prefix(7).lowercased() == "bearer " {
            asked.bearer = String(value.dropFirst(7))
        }
        if path.hasPrefix(settings.path + "/") { readForm(of: request, into: &asked) }
        if isFromHTTPSProxy(request), case .text(let host) = request[.host], Self.isHost(host) {
            asked.publicHost = host
        }
        return asked
    }

    /// Adds what a page reads that changes something: the address as the client has it, the query and the cookies.
    private func readForm(of request: LWSRequest, into asked: inout HTTPRequest) {
        if case .text(let host) = request[.host], Self.isHost(host) {
            let name = OriginRule.name(host.lowercased()[...])
            let isFromProxy = isFromHTTPSProxy(request)
            if isFromProxy || origins.isOwn(name) {
                let scheme = isFromProxy || isEncrypted(request) ? "https" : "http"
                asked.ownURL = "\(scheme)://\(host.lowercased())\(settings.pathPrefix ?? "")/"
            }
        }
        asked.query = request.queryParameters.flatMap(HTTPRequest.query)
        guard case .text(let cookies) = request.cookieHeader else { return }
        asked.cookies = HTTPRequest.cookies(cookies)
    }

    /// Indicates that a Host header may be part of a URL.
    private static func isHost(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z0-9._\-\[\]:]{1,255}/) != nil
    }

    /// The response to an unknown path; it repeats nothing of the request.
    var notFoundResponse: HTTPResponse {
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
    /// - Parameter request: The connection, whose handshake is complete.
    /// - Returns: The properties of the connection.
    func connectionInfo(_ request: LWSRequest) -> ConnectionInfo {
        let acceptedSocket = acceptedSocket(request)
        let origin: String? = if case .text(let text) = request[.origin] { text } else { nil }
        return ConnectionInfo(
            address: acceptedSocket?.connectedFor ?? acceptedSocket?.source ?? .unspecified,
            origin: origin
        )
    }

    /// Redirects to the start page, as its relative links work under the prefix only if that ends with `/`.
    private func redirectToStartPage(_ request: LWSRequest, isHead: Bool) -> Int32 {
        let target = (settings.pathPrefix ?? "") + "/"
        let response = HTTPResponse.text(308, "The start page is at \(target).")
        return answer(request, with: response, headers: "Location: \(target)\r\n", isHead: isHead)
    }

    private func serve(_ file: StaticFiles.File, to request: LWSRequest, isHead: Bool) -> Int32 {
        let common = "etag: \(file.tag)\r\ncache-control: no-cache\r\n" + file.coding.headers
        if HTTPResponse.isKnown(file.tag, request[.ifNoneMatch]) {
            let response = HTTPResponse(status: 304, contentType: file.contentType, body: [])
            return answer(request, with: response, headers: common, isHead: isHead)
        }
        guard !isHead else {
            // The library would keep the connection for another request.
            let response = HTTPResponse(contentType: file.contentType, body: [])
            return answer(request, with: response, headers: common, isHead: true, length: file.byteCount)
        }
        let headers = common + strictTransportLine(request) + "connection: close\r\n"
        // The end of the file ends the request (``LWSEvent/fileSent(_:)``).
        let isSent = request.sendFile(file.path, contentType: file.contentType, headers: headers)
        return isSent ? 0 : close(request)
    }

    /// Closes an HTTP connection once all that was written to it is sent.
    ///
    /// One request per connection: the library parses some requests differently from RFC 9112, so behind one of them
    /// the start of the next is uncertain (request smuggling); and until a response is sent it neither reads input nor
    /// stops polling the socket.
    ///
    /// - Parameter request: The connection.
    /// - Returns: The result for the library, -1.
    func close(_ request: LWSRequest) -> Int32 {
        request.setReading(false)
        return -1
    }

    /// Writes a whole response and closes the connection behind it.
    ///
    /// - Parameters:
    ///   - request: The connection.
    ///   - response: The response.
    ///   - headers: Further header lines, each with its line end.
    ///   - isHead: True to leave the body out.
    ///   - length: The length of the body in bytes, if it is left out; nil for that of the response's.
    /// - Returns: The result for the library, -1.
    func answer(
        _ request: LWSRequest,
        with response: HTTPResponse,
        headers: String = "",
        isHead: Bool,
        length: Int? = nil
    ) -> Int32 {
        var (response, headers) = (response, headers)
        if let tag = response.tag {
            headers += "etag: \(tag)\r\ncache-control: no-cache\r\n"
            if HTTPResponse.isKnown(tag, request[.ifNoneMatch]) { response.status = 304 }
        }
        var head = "HTTP/1.1 \(response.status) \(HTTPResponse.phrase(response.status))\r\n"
        if response.status != 304 {
            head += "Content-Type: \(response.contentType)\r\nContent-Length: \(length ?? response.body.count)\r\n"
        }
        let replaced = Set(response.headers.map { $0.name.lowercased() })
        for header in settings.httpHeaders.filter({ !replaced.contains($0.name.lowercased()) }) + response.headers {
            head += "\(header.name): \(header.value)\r\n"
        }
        if !headers.contains("cache-control") { head += "Cache-Control: no-store\r\n" }
        head += headers + strictTransportLine(request) + "Connection: close\r\n\r\n"
        request.write(head: head, body: isHead || response.status == 304 ? [] : response.body)
        return close(request)
    }
}
