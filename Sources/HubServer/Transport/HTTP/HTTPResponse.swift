/// A response to an HTTP GET of a path that is no file.
package struct HTTPResponse: Sendable, Equatable {
    /// The status code, 200 to 599.
    var status = 200

    /// The whole Content-Type value.
    var contentType: String

    /// The content, sent with its length; a HEAD gets only the length.
    var body: [UInt8]

    /// The ETag with its quotes; nil: the response is made anew for each request, and is not to be stored.
    var tag: String?

    /// The header lines in place of those of ``TransportSettings/httpHeaders`` with the same name.
    var headers: [HTTPHeader] = []
}

extension HTTPResponse {
    /// Indicates that a client has the content already.
    ///
    /// - Parameters:
    ///   - tag: The ETag of the content, with its quotes.
    ///   - known: The If-None-Match header of the request.
    /// - Returns: True if the response is to be 304.
    static func isKnown(_ tag: String, _ known: FieldValue) -> Bool {
        guard case .text(let known) = known else { return false }
        return known == "*" || known.contains(tag)
    }

    /// Creates a short response in plain text.
    ///
    /// - Parameters:
    ///   - status: The status code, 200 to 599.
    ///   - sentence: The content, to which a newline is added.
    /// - Returns: The response.
    static func text(_ status: Int, _ sentence: String) -> HTTPResponse {
        HTTPResponse(status: status, contentType: "text/plain; charset=utf-8", body: Array((sentence + "\n").utf8))
    }

    /// Looks up the reason phrase of a status code.
    ///
    /// - Parameter status: The status code.
    /// - Returns: The phrase of RFC 9110; empty for codes that the hub does not use.
    static func phrase(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 303: "See Other"
        case 304: "Not Modified"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 421: "Misdirected Request"
        case 426: "Upgrade Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 503: "Service Unavailable"
        default: ""
        }
    }
}
