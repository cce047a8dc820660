import Foundation
import Glibc

/// A server on this machine that answers each request with one HTTP status and closes the connection.
///
/// Safe on any thread; it stops when it is released.
public final class HTTPResponder: Sendable {
    /// The TCP port on 127.0.0.1 that it listens on.
    public let port: Int
    private let descriptor: Int32

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - status: The status of all its answers.
    ///   - phrase: The words behind the status.
    /// - Throws: ``RawSocketError/connectFailed(code:)`` when the system has no socket left.
    public init(status: Int, _ phrase: String) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, address, &size) == 0
            }
        }
        guard isListening else {
            let code = errno
            close(listener)
            throw RawSocketError.connectFailed(code: code)
        }
        descriptor = listener
        port = Int(UInt16(bigEndian: address.sin_port))
        let answer = Array("HTTP/1.1 \(status) \(phrase)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
        let thread = Thread {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { break }
                Self.answer(answer, on: connection)
            }
            close(listener)
        }
        thread.name = "responder"
        thread.start()
    }

    deinit {
        // Ends the thread's `accept`; the thread closes the socket.
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Reads a request up to its empty line, and answers it.
    private static func answer(_ answer: [UInt8], on connection: Int32) {
        defer { close(connection) }
        var request: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while request.count < 65_536, !request.contains([0x0D, 0x0A, 0x0D, 0x0A]) {
            let count = recv(connection, &bytes, bytes.count, 0)
            guard count > 0 else { return }
            request += bytes[..<count]
        }
        _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
    }
}
