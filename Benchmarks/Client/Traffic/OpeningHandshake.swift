package import BenchmarkSupport
import Glibc

/// The HTTP request that opens a WebSocket, and its answer (RFC 6455, 4).
package enum OpeningHandshake {
    /// The key and its answer from RFC 6455, 1.3: a generator has no need of chance here.
    private static let key = "dGhlIHNhbXBsZSBub25jZQ=="
    private static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

    /// The request for `path`.
    package static func request(path: String, subprotocol: String?) -> String {
        let offer = subprotocol.map { "Sec-WebSocket-Protocol: \($0)\r\n" } ?? ""
        return "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: \(key)\r\nSec-WebSocket-Version: 13\r\n\(offer)\r\n"
    }

    /// Whether the answer's head opens the WebSocket, without extensions.
    package static func isAccepted(_ head: String) -> Bool {
        head.hasPrefix("HTTP/1.1 101") && head.contains(accept)
            && !head.lowercased().contains("sec-websocket-extensions")
    }

    /// Connects, performs the handshake and returns the socket, non-blocking, without delay (TCP_NODELAY).
    package static func connect(
        to address: ListeningAddress,
        path: String,
        subprotocol: String?,
        receiveBuffer: Int? = nil,
        from source: String? = nil
    ) throws(BenchmarkError) -> CInt {
        let descriptor = try connect(to: address, receiveBuffer: receiveBuffer, from: source)
        do throws(BenchmarkError) {
            let request = Array(request(path: path, subprotocol: subprotocol).utf8)
            guard send(descriptor, request, request.count, CInt(MSG_NOSIGNAL)) == request.count else {
                throw .system("the opening handshake")
            }
            let head = try readHead(descriptor)
            guard isAccepted(head) else {
                throw BenchmarkError("the program under test refused \(path): \(head)")
            }
            guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else {
                throw .system("fcntl")
            }
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Connects and says nothing yet; sending and receiving block for ten seconds at most.
    ///
    /// - Parameters:
    ///   - address: Where to.
    ///   - receiveBuffer: SO_RCVBUF, from before the connection on, so that the window is small from the first; nil: the system's.
    ///   - source: The own address; nil: the system's choice.
    /// - Returns: The socket.
    /// - Throws: Where there is no connection.
    package static func connect(
        to address: ListeningAddress,
        receiveBuffer: Int? = nil,
        from source: String? = nil
    ) throws(BenchmarkError) -> CInt {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else {
            throw .system("socket")
        }
        do throws(BenchmarkError) {
            if let source { try bind(descriptor, to: source) }
            try connect(descriptor, to: address, receiveBuffer: receiveBuffer)
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    private static func connect(
        _ descriptor: CInt,
        to address: ListeningAddress,
        receiveBuffer: Int?
    ) throws(BenchmarkError) {
        var on: CInt = 1
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<CInt>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if let receiveBuffer {
            var size = CInt(clamping: receiveBuffer)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        }
        let result = with(address.host, port: address.port) { Glibc.connect(descriptor, $0, $1) }
        guard result == 0 else {
            throw .system("connecting to \(address.host):\(address.port)")
        }
    }

    private static func bind(_ descriptor: CInt, to host: String) throws(BenchmarkError) {
        guard with(host, port: 0, { Glibc.bind(descriptor, $0, $1) }) == 0 else {
            throw .system("connecting from \(host)")
        }
    }

    /// An address as the system calls want it.
    private static func with(
        _ host: String,
        port: UInt16,
        _ call: (UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) -> CInt {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = inet_addr(host)
        return withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }

    /// Reads the answer's head and not a byte more: a frame may follow at once.
    private static func readHead(_ descriptor: CInt) throws(BenchmarkError) -> String {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard head.count < 8192, recv(descriptor, &byte, 1, 0) == 1 else {
                throw BenchmarkError("the program under test closed or kept silent in the opening handshake")
            }
            head.append(byte)
        }
        return String(decoding: head, as: UTF8.self)
    }
}
