import HubTestSupport
import Testing

/// A case of the opening handshake: the lines of a request, and the verdict that RFC 6455 section 4.2 demands.
struct HandshakeCase: Sendable, CustomTestStringConvertible {
    /// The server's reaction to a request.
    enum Verdict: Equatable, Sendable, CustomStringConvertible {
        /// The connection is open; the value is that of Sec-WebSocket-Protocol.
        case opened(subprotocol: String?)
        /// An HTTP response with this status.
        case refused(Int)
        /// The socket ended without a response.
        case ended

        var description: String {
            switch self {
            case .opened(let subprotocol): "101" + (subprotocol.map { " with " + $0 } ?? "")
            case .refused(let status): "\(status)"
            case .ended: "socket ends"
            }
        }
    }

    /// The section of the RFC.
    let section: String

    /// The request, in words.
    let sent: String

    /// The bytes of the request.
    let request: [UInt8]

    /// The verdict that the RFC demands; its status is the hub's choice.
    let demand: Verdict

    /// The deviation of libwebsockets with its verdict; nil: it does as the RFC demands.
    private(set) var deviation: (mark: Deviation, verdict: Verdict)?

    /// The verdict that the server is held to.
    var expected: Verdict { deviation?.verdict ?? demand }

    var testDescription: String { "\(section) \(sent): \(demand)" }

    /// A case with a right request in which some lines are replaced.
    ///
    /// - Parameters:
    ///   - section: The section of the RFC.
    ///   - sent: The request, in words.
    ///   - changes: The lines by the beginning of those that they replace; empty: the line is left out.
    ///   - added: Further lines.
    ///   - demand: The verdict that the RFC demands.
    init(
        _ section: String,
        _ sent: String,
        _ changes: [String: String] = [:],
        adding added: [String] = [],
        demands demand: Verdict
    ) {
        (self.section, self.sent, self.demand) = (section, sent, demand)
        let lines = Self.rightLines.map { line in
            changes.first { line.hasPrefix($0.key) }?.value ?? line
        }
        request = Array(((lines + added).filter { !$0.isEmpty } + ["", ""]).joined(separator: "\r\n").utf8)
    }

    /// Marks the case as one in which libwebsockets deviates from the RFC.
    ///
    /// - Parameters:
    ///   - mark: The deviation.
    ///   - verdict: The verdict of libwebsockets.
    /// - Returns: The marked case.
    func deviates(_ mark: Deviation, _ verdict: Verdict) -> HandshakeCase {
        var marked = self
        marked.deviation = (mark, verdict)
        return marked
    }

    private static let rightLines = [
        "GET /v1 HTTP/1.1", "Host: 127.0.0.1", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
    ]

    /// The value of Sec-WebSocket-Accept for the key of the right lines (RFC 6455 section 1.3).
    private static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

    /// Sends the request, and observes the server's reaction.
    ///
    /// - Parameters:
    ///   - transport: The way to the server.
    ///   - cut: The number of bytes in the first TCP segment; nil: all are sent in one.
    /// - Returns: The verdict observed.
    /// - Throws: ``RawSocketError`` if the response is not right, or does not come in time.
    func verdict(over transport: WireTransport, cutAt cut: Int? = nil) throws -> Verdict {
        let socket = try transport.connect()
        let server = try transport.server.get()
        try socket.send(Array(request.prefix(cut ?? request.count)))
        if let cut {
            for _ in 0..<2 { _ = server.onLoop { _ in } }
            try socket.send(Array(request.dropFirst(cut)))
        }
        let reply: HTTPReply
        do { reply = try HTTPReply(from: socket) } catch let error as RawSocketError {
            guard error == .ended || error == .reset else { throw error }
            return .ended
        }
        guard reply.status == 101 else { return .refused(reply.status) }
        guard reply.headers["sec-websocket-accept"] == Self.accept, reply.headers["sec-websocket-extensions"] == nil,
            reply.headers["upgrade"]?.lowercased() == "websocket",
            reply.headers["connection"]?.lowercased() == "upgrade"
        else { throw RawSocketError.unexpectedReply("\(reply.headers)") }
        let client = RawWebSocket(socket)
        try client.send(text: "hello")
        guard try client.readFrame().text == "hello" else { throw RawSocketError.unexpectedReply("no echo") }
        return .opened(subprotocol: reply.headers["sec-websocket-protocol"])
    }
}
