/// The redirect port: plain HTTP beside a hub with TLS, which serves no phone and no WebSocket.
extension ServerLoop {
    /// Answers a GET or HEAD on the redirect port.
    ///
    /// - Parameters:
    ///   - request: The connection, whose request is received completely.
    ///   - path: The requested path.
    ///   - isHead: True to leave the body out.
    /// - Returns: -1 to close the connection behind the response; nil: it is to be answered as on the main port.
    func answerOnRedirectPort(_ request: LWSRequest, path: String, isHead: Bool) -> Int32? {
        if path.hasPrefix(Self.challengePath) {
            let token = String(path.dropFirst(Self.challengePath.count))
            guard Self.isToken(token), let content = settings.challenges?.httpAnswer(token) else {
                return answer(request, with: .text(404, "No such challenge is pending."), isHead: isHead)
            }
            let response = HTTPResponse(contentType: "application/octet-stream", body: Array(content.utf8))
            return answer(request, with: response, isHead: isHead)
        }
        let isTrustPage =
            library.certificate?.origin.authority != nil
            && TrustPage.isNeeded(withoutPrefix(path), settings)
        return isTrustPage ? nil : redirect(request, path: path, isHead: isHead)
    }

    private static let challengePath = "/.well-known/acme-challenge/"

    /// Checks the form of a token (RFC 8555 section 8.3): base64url, and no longer than any authority's.
    private static func isToken(_ text: String) -> Bool { text.wholeMatch(of: /[A-Za-z0-9_\-]{1,128}/) != nil }

    /// Redirects a request to the main port.
    ///
    /// - Parameters:
    ///   - request: The connection, whose request is received completely.
    ///   - path: The requested path; its query is left out, as no page here has one.
    ///   - isHead: True to leave the body out.
    /// - Returns: -1 to close the connection behind the response.
    func redirect(_ request: LWSRequest, path: String, isHead: Bool) -> Int32 {
        guard case .text(let host) = request[.host], !host.utf8.contains(UInt8(ascii: ",")) else {
            let refusal = HTTPResponse.text(400, "A request needs one Host header, \(FieldValue.rule).")
            return answer(request, with: refusal, isHead: isHead)
        }
        let url = SecureAddress.url(host: host, path: path, port: port, publicURL: settings.publicURL, origins)
        guard let url else {
            let refusal = "\"\(host.prefix(200))\" is not a name of this hub; if it should be, add it to http.hosts."
            return answer(request, with: .text(421, refusal), isHead: isHead)
        }
        return answer(request, with: .text(308, "This is at \(url)."), headers: "Location: \(url)\r\n", isHead: isHead)
    }
}
