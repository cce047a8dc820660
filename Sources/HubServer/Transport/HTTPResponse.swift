/// An answer to an HTTP GET of a path that is no file.
struct HTTPResponse: Sendable, Equatable {
    /// 200 to 599.
    var status = 200

    /// The whole Content-Type value.
    var contentType: String

    /// Sent with its length; a HEAD gets only the length.
    var body: [UInt8]
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
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 426: "Upgrade Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 503: "Service Unavailable"
        default: ""
        }
    }
}
