package import BenchmarkSupport

/// The HTTP request that opens a WebSocket, and its response (RFC 6455, 4).
package enum OpeningHandshake {
    /// The key and its accept value from RFC 6455, 1.3: a generator needs no random key.
    private static let key = "dGhlIHNhbXBsZSBub25jZQ=="
    private static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

    /// The request for `path`.
    package static func request(path: String, subprotocol: String?) -> String {
        let offer = subprotocol.map { "Sec-WebSocket-Protocol: \($0)\r\n" } ?? ""
        return "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: \(key)\r\nSec-WebSocket-Version: 13\r\n\(offer)\r\n"
    }

    /// Indicates that the response's head accepts the WebSocket, without extensions.
    package static func isAccepted(_ head: String) -> Bool {
        head.hasPrefix("HTTP/1.1 101") && head.contains(accept)
            && !head.lowercased().contains("sec-websocket-extensions")
    }

    /// Opens a WebSocket on a blocking connection.
    package static func open(_ stream: ByteStream, path: String, subprotocol: String?) throws(BenchmarkError) {
        let request = Array(request(path: path, subprotocol: subprotocol).utf8)
        guard try stream.send(request) == request.count else {
            throw .system("the opening handshake")
        }
        let head = try readHead(stream)
        guard isAccepted(head) else {
            throw BenchmarkError("the program under test refused \(path): \(head)")
        }
    }

    /// Reads the response's head and not a byte more: a frame may follow at once.
    private static func readHead(_ stream: ByteStream) throws(BenchmarkError) -> String {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            let read = try withUnsafeMutableBytes(of: &byte) { place throws(BenchmarkError) in
                try stream.receive(into: place)
            }
            guard head.count < 8192, read == 1 else {
                throw BenchmarkError("the program under test did not answer the opening handshake")
            }
            head.append(byte)
        }
        return String(decoding: head, as: UTF8.self)
    }
}
