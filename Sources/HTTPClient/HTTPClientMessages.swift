/// A request to another server.
package struct HTTPClientRequest: Sendable {
    /// The method, with the body where there is one.
    package enum Method: Sendable, Hashable {
        case get
        case head
        case post([UInt8])
    }

    /// The method.
    package var method: Method
    /// The absolute URL.
    package var url: String
    /// The header lines without their ends.
    package var headers: [String]
    /// The names of the headers that are read from the response.
    package var wantedHeaders: [String]
    /// The longest body that is read, in bytes.
    package var maximumBodyBytes: Int
    /// The longest headers that are read, in bytes.
    package var maximumHeaderBytes = 1 << 16
    /// Milliseconds for all of the request.
    package var milliseconds: Int
    /// A PEM file of certificates that are trusted beside the system's; nil: none.
    package var authorityFile: String?
    /// True to send the request without TLS if its URL says so.
    package var allowsPlainHTTP = false

    /// Creates a request.
    package init(
        _ method: Method,
        _ url: String,
        headers: [String],
        wantedHeaders: [String] = [],
        maximumBodyBytes: Int,
        milliseconds: Int
    ) {
        (self.method, self.url, self.headers, self.wantedHeaders) = (method, url, headers, wantedHeaders)
        (self.maximumBodyBytes, self.milliseconds) = (maximumBodyBytes, milliseconds)
    }
}

/// The response of another server, untrusted; its size was limited when it was read.
package struct HTTPClientResponse: Sendable {
    /// The HTTP status.
    package let status: Int
    /// The wanted headers that it has, by their names as they were asked for.
    package let headers: [String: String]
    /// The header `Retry-After`, in seconds from now.
    package let retryAfter: Int?
    /// The content.
    package let body: [UInt8]
}

/// A reason that there is no response.
package enum HTTPClientError: Error, Hashable, Sendable {
    /// libcurl has no memory, or does not accept the URL.
    case notSent
    /// The response is longer than it may be.
    case tooLong
    /// The host name is unknown.
    case hostNotFound
    /// The server's certificate is not yet or no longer valid.
    case certificateExpired
    /// The server's certificate is not trusted, with libcurl's reason.
    case untrusted(String)
    /// The server was not reached, or has not answered in time, with libcurl's reason.
    case unreachable(String)
}
