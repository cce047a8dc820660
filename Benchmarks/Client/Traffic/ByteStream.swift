package import BenchmarkSupport
import COpenSSL
import Glibc

/// A TCP connection to a program under test, in clear or under TLS.
package final class ByteStream {
    /// The socket's file descriptor.
    package let descriptor: CInt
    private let tls: OpaquePointer?

    /// Connects, without delay (TCP_NODELAY), and performs the TLS handshake where there is one; both may block.
    ///
    /// - Parameters:
    /// - address: The address and port to connect to.
    ///   - tls: The client's side of TLS; nil for a connection in clear.
    ///   - source: The address to connect from, such as 127.0.0.2: each has 28,000 ports of its own.
    ///   - receiveBuffer: SO_RCVBUF in bytes, set before the connection so that the window is small from the first;
    ///     nil: the system's.
    /// - Throws: `BenchmarkError` if a system call fails or the TLS handshake is refused.
    package init(
        to address: ListeningAddress,
        tls: TLSClient?,
        from source: String? = nil,
        receiveBuffer: Int? = nil
    ) throws(BenchmarkError) {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else {
            throw .system("socket")
        }
        do throws(BenchmarkError) {
            if let receiveBuffer {
                var size = CInt(clamping: receiveBuffer)
                setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<CInt>.size))
            }
            try Self.connect(descriptor, to: address, from: source)
            self.tls = if let tls { try tls.connect(descriptor) } else { nil }
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    deinit {
        SSL_free(tls)
        close(descriptor)
    }

    /// True for a connection under TLS.
    package var isSecure: Bool { tls != nil }

    /// The version of TLS and the cipher, as in `TLSv1.3 TLS_AES_256_GCM_SHA384`; nil in clear.
    package var encryption: String? {
        guard let tls, let version = SSL_get_version(tls),
            let cipher = SSL_CIPHER_get_name(SSL_get_current_cipher(tls))
        else { return nil }
        return "\(String(cString: version)) \(String(cString: cipher))"
    }

    /// True while bytes of the socket wait in the TLS library, where epoll does not see them.
    package var hasPending: Bool { tls.map { SSL_has_pending($0) == 1 } ?? false }

    /// Makes the socket non-blocking.
    package func stopBlocking() throws(BenchmarkError) {
        guard fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else {
            throw .system("fcntl")
        }
    }

    /// Makes the connection end with an RST when it is closed, so that its port is free again at once.
    package func abort() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    }

    /// Sends as many bytes as the socket takes, and returns their number.
    ///
    /// Under TLS, 0 means that OpenSSL has begun the bytes: the same must be sent again before any others.
    package func send(_ bytes: UnsafeRawBufferPointer) throws(BenchmarkError) -> Int {
        guard let tls else {
            let sent = Glibc.send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
            guard sent >= 0 || errno == EAGAIN else { throw .system("sending") }
            return max(0, sent)
        }
        let sent = SSL_write(tls, bytes.baseAddress, CInt(clamping: bytes.count))
        guard sent <= 0 else { return Int(sent) }
        let reason = SSL_get_error(tls, sent)
        ERR_clear_error()
        guard reason == SSL_ERROR_WANT_WRITE || reason == SSL_ERROR_WANT_READ else {
            throw BenchmarkError("the program under test closed a connection")
        }
        return 0
    }

    /// Sends as many bytes of an array as the socket takes, and returns their number.
    package func send(_ bytes: [UInt8]) throws(BenchmarkError) -> Int {
        try bytes.withUnsafeBufferPointer { bytes throws(BenchmarkError) in try send(UnsafeRawBufferPointer(bytes)) }
    }

    /// Receives the bytes that are there, and returns their number, 0 if there are none.
    package func receive(into buffer: UnsafeMutableRawBufferPointer) throws(BenchmarkError) -> Int {
        guard let tls else {
            let length = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            guard length > 0 || (length < 0 && errno == EAGAIN) else {
                throw BenchmarkError("the program under test closed a connection")
            }
            return max(0, length)
        }
        let length = SSL_read(tls, buffer.baseAddress, CInt(clamping: buffer.count))
        guard length <= 0 else { return Int(length) }
        let reason = SSL_get_error(tls, length)
        ERR_clear_error()
        guard reason == SSL_ERROR_WANT_READ || reason == SSL_ERROR_WANT_WRITE else {
            throw BenchmarkError("the program under test closed a connection")
        }
        return 0
    }

    private static func connect(
        _ descriptor: CInt,
        to address: ListeningAddress,
        from source: String?
    ) throws(BenchmarkError) {
        var on: CInt = 1
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<CInt>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if let source {
            // The port is chosen by `connect`, so that one may be used to several servers.
            setsockopt(descriptor, CInt(IPPROTO_IP), IP_BIND_ADDRESS_NO_PORT, &on, socklen_t(MemoryLayout<CInt>.size))
            let bound = withAddress(source, port: 0) { bind(descriptor, $0, $1) }
            guard bound == 0 else { throw .system("binding to \(source)") }
        }
        let result = withAddress(address.host, port: address.port) { Glibc.connect(descriptor, $0, $1) }
        guard result == 0 else {
            throw .system("connecting to \(address.host):\(address.port)")
        }
    }

    private static func withAddress(
        _ host: String,
        port: UInt16,
        _ use: (UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) -> CInt {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = inet_addr(host)
        return withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                use($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
