/// A WebSocket client on a plain socket that can send right and wrong frames, without a library in between.
public final class RawWebSocket {
    /// A frame as it was received.
    public struct Frame: Equatable, Sendable {
        /// The FIN bit.
        public var isFinal: Bool

        /// The opcode: 0 continuation, 1 text, 2 binary, 8 close, 9 ping, 10 pong.
        public var opcode: UInt8

        /// The unmasked payload.
        public var payload: [UInt8]

        /// A whole frame.
        ///
        /// - Parameters:
        ///   - opcode: The opcode, 0 to 15.
        ///   - payload: The unmasked payload.
        ///   - isFinal: The FIN bit.
        public init(opcode: UInt8, payload: [UInt8], isFinal: Bool = true) {
            self.opcode = opcode
            self.payload = payload
            self.isFinal = isFinal
        }

        /// The payload as text.
        public var text: String { String(decoding: payload, as: UTF8.self) }

        /// The code of a close frame; nil for other frames and for an empty one.
        public var closeCode: UInt16? {
            guard opcode == 8, payload.count >= 2 else { return nil }
            return UInt16(payload[0]) << 8 | UInt16(payload[1])
        }
    }

    /// The subprotocol of the hub.
    public static let subprotocol = "callhub.v1"

    /// The TCP connection.
    public let socket: RawSocket

    /// Connects and performs the opening handshake.
    ///
    /// - Parameters:
    ///   - host: The numeric address of the server.
    ///   - port: The TCP port of the server.
    ///   - path: The path of the request.
    ///   - subprotocol: The subprotocol to offer; nil for none.
    ///   - headers: Further header lines.
    ///   - receiveBufferBytes: SO_RCVBUF, for a slow reader; nil: the system's.
    /// - Throws: ``RawSocketError/unexpectedReply(_:)`` when the response is not 101; the errors of ``RawSocket``.
    public convenience init(
        host: String = "127.0.0.1",
        port: Int,
        path: String = "/v1",
        subprotocol: String? = RawWebSocket.subprotocol,
        headers: [String] = [],
        receiveBufferBytes: Int? = nil
    ) throws {
        self.init(try RawSocket(host: host, port: port, receiveBufferBytes: receiveBufferBytes))
        try requestUpgrade(host: "\(host):\(port)", path: path, subprotocol: subprotocol, headers: headers)
        let reply = try HTTPReply(from: socket)
        guard reply.status == 101 else {
            throw RawSocketError.unexpectedReply("\(reply.status) \(String(decoding: reply.body, as: UTF8.self))")
        }
    }

    /// A WebSocket on a connection whose handshake is done already, or is done by hand.
    ///
    /// - Parameter socket: The connected socket.
    public init(_ socket: RawSocket) {
        self.socket = socket
    }

    /// Sends the request of an opening handshake.
    ///
    /// - Parameters:
    ///   - host: The value of the Host header.
    ///   - path: The path of the request.
    ///   - subprotocol: The subprotocol to offer; nil for none.
    ///   - headers: Further header lines.
    /// - Throws: ``RawSocketError`` if it cannot be sent.
    public func requestUpgrade(
        host: String,
        path: String = "/v1",
        subprotocol: String? = RawWebSocket.subprotocol,
        headers: [String] = []
    ) throws {
        var lines = [
            "GET \(path) HTTP/1.1", "Host: \(host)", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
        ]
        if let subprotocol { lines.append("Sec-WebSocket-Protocol: \(subprotocol)") }
        try socket.send((lines + headers).joined(separator: "\r\n") + "\r\n\r\n")
    }

    /// Returns the bytes of a frame.
    ///
    /// - Parameters:
    ///   - opcode: The opcode, 0 to 15.
    ///   - payload: The unmasked payload.
    ///   - isFinal: The FIN bit.
    ///   - isMasked: The MASK bit, which a client must set.
    ///   - reserved: The three RSV bits, 0 to 7.
    ///   - announcedLength: A wrong payload length; nil for the right one.
    /// - Returns: The bytes that go on the wire.
    public static func bytes(
        opcode: UInt8,
        _ payload: [UInt8],
        isFinal: Bool = true,
        isMasked: Bool = true,
        reserved: UInt8 = 0,
        announcedLength: UInt64? = nil
    ) -> [UInt8] {
        let length = announcedLength ?? UInt64(payload.count)
        let maskBit: UInt8 = isMasked ? 0x80 : 0
        var bytes = [(isFinal ? 0x80 : 0) | (reserved & 7) << 4 | opcode & 15]
        if length < 126 {
            bytes.append(maskBit | UInt8(length))
        } else if length < 65_536 {
            bytes += [maskBit | 126, UInt8(length >> 8), UInt8(length & 255)]
        } else {
            bytes.append(maskBit | 127)
            bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) }
        }
        guard isMasked else { return bytes + payload }
        let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
        bytes += mask
        bytes += payload.indices.map { payload[$0] ^ mask[$0 & 3] }
        return bytes
    }

    /// Sends one frame; for wrong ones use ``bytes(opcode:_:isFinal:isMasked:reserved:announcedLength:)``.
    ///
    /// - Parameters:
    ///   - opcode: The opcode, 0 to 15.
    ///   - payload: The unmasked payload.
    ///   - isFinal: The FIN bit.
    /// - Throws: ``RawSocketError`` if it cannot be sent.
    public func send(opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true) throws {
        try socket.send(Self.bytes(opcode: opcode, payload, isFinal: isFinal))
    }

    /// Sends a text message.
    ///
    /// - Parameter text: The whole message.
    /// - Throws: ``RawSocketError`` if it cannot be sent.
    public func send(text: String) throws {
        try send(opcode: 1, Array(text.utf8))
    }

    /// Sends a binary message.
    ///
    /// - Parameter payload: The whole message.
    /// - Throws: ``RawSocketError`` if it cannot be sent.
    public func send(binary payload: [UInt8]) throws {
        try send(opcode: 2, payload)
    }

    /// Sends a close frame, and leaves the connection open.
    ///
    /// - Parameters:
    ///   - code: The close code; nil for an empty frame.
    ///   - reason: The reason, sent as UTF-8.
    /// - Throws: ``RawSocketError`` if it cannot be sent.
    public func sendClose(code: UInt16?, reason: String = "") throws {
        let bytes = code.map { [UInt8($0 >> 8), UInt8($0 & 255)] } ?? []
        try send(opcode: 8, bytes + Array(reason.utf8))
    }

    /// Reads the next frame of any kind.
    ///
    /// - Parameter timeout: The longest time to wait for each part, in seconds.
    /// - Returns: The frame, unmasked.
    /// - Throws: ``RawSocketError/timedOut``, ``RawSocketError/ended`` or ``RawSocketError/reset``.
    public func readFrame(timeout: Double = 20) throws -> Frame {
        let head = try socket.read(2, timeout: timeout)
        var length = Int(head[1] & 0x7F)
        if length == 126 {
            length = try socket.read(2, timeout: timeout).reduce(0) { $0 << 8 | Int($1) }
        } else if length == 127 {
            length = try socket.read(8, timeout: timeout).reduce(0) { $0 << 8 | Int($1) }
        }
        let mask = head[1] & 0x80 != 0 ? try socket.read(4, timeout: timeout) : nil
        var payload = try socket.read(length, timeout: timeout)
        if let mask { for index in payload.indices { payload[index] ^= mask[index & 3] } }
        return Frame(opcode: head[0] & 15, payload: payload, isFinal: head[0] & 0x80 != 0)
    }

    /// Reads until a close frame or the end; other frames are discarded.
    ///
    /// - Parameter timeout: The longest time to wait, in seconds.
    /// - Returns: The code of the close frame; 1005 for an empty one, 1006 for an end without.
    /// - Throws: ``RawSocketError/timedOut`` if neither comes in time.
    public func readCloseCode(timeout: Double = 20) throws -> UInt16 {
        let deadline = Deadline(seconds: timeout)
        while true {
            do {
                let frame = try readFrame(timeout: Double(deadline.millisecondsLeft) / 1000)
                if frame.opcode == 8 { return frame.closeCode ?? 1005 }
            } catch let error as RawSocketError {
                guard error == .ended || error == .reset else { throw error }
                return 1006
            }
        }
    }
}

/// An HTTP response, read to its end by Content-Length.
public struct HTTPReply: Sendable {
    /// The status code, 100 to 599.
    public var status: Int

    /// The header fields by lower-case name.
    public var headers: [String: String]

    /// The body; empty for 101, 304 and responses to HEAD.
    public var body: [UInt8]

    /// Reads a response.
    ///
    /// - Parameters:
    ///   - socket: The socket on which a request was sent.
    ///   - hasBody: False after HEAD.
    ///   - timeout: The longest time to wait for the head and for the body, in seconds each.
    /// - Throws: ``RawSocketError/unexpectedReply(_:)`` if it is not HTTP; the errors of reading.
    public init(from socket: RawSocket, hasBody: Bool = true, timeout: Double = 20) throws {
        let head = String(decoding: try socket.read(through: Array("\r\n\r\n".utf8), timeout: timeout), as: UTF8.self)
        let lines = head.split(separator: "\r\n")
        guard let first = lines.first?.split(separator: " "), first.count > 1, let status = Int(first[1]) else {
            throw RawSocketError.unexpectedReply(head)
        }
        self.status = status
        headers = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        let length = hasBody && status != 101 && status != 304 ? Int(headers["content-length"] ?? "0") ?? 0 : 0
        body = try socket.read(length, timeout: timeout)
    }

    /// Connects, sends a request and reads the response.
    ///
    /// - Parameters:
    ///   - method: GET, HEAD or a wrong method.
    ///   - target: Path and query, as they go on the wire.
    ///   - port: The TCP port of the server.
    ///   - headers: Further header lines.
    /// - Returns: The whole response.
    /// - Throws: ``RawSocketError`` if it cannot connect, send, or read a response within 5 s.
    public static func fetch(
        _ method: String,
        _ target: String,
        port: Int,
        headers: [String] = []
    ) throws -> HTTPReply {
        let socket = try RawSocket(port: port)
        let lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1:\(port)"] + headers
        try socket.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
        return try HTTPReply(from: socket, hasBody: method != "HEAD")
    }

    /// Connects, sends a GET request and reads the response.
    ///
    /// - Parameters:
    ///   - target: Path and query, as they go on the wire.
    ///   - port: The TCP port of the server.
    ///   - headers: Further header lines.
    /// - Returns: The whole response.
    /// - Throws: ``RawSocketError`` if it cannot connect, send, or read a response within 5 s.
    public static func fetch(_ target: String, port: Int, headers: [String] = []) throws -> HTTPReply {
        try fetch("GET", target, port: port, headers: headers)
    }
}
