import BenchmarkClient
import BenchmarkSupport
import Glibc

/// Sockets, where a trial needs them bare.
enum TCP {
    /// Connects, and waits until that is done.
    ///
    /// - Parameters:
    ///   - address: Where to.
    ///   - receiveBuffer: SO_RCVBUF, set before the connection so that the window is small from the first; nil: the system's.
    /// - Returns: The socket, blocking, with time limits of ten seconds.
    /// - Throws: Where there is no connection.
    static func connect(to address: ListeningAddress, receiveBuffer: Int? = nil) throws(BenchmarkError) -> CInt {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .system("socket") }
        var on: CInt = 1
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<CInt>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if let receiveBuffer {
            var size = CInt(clamping: receiveBuffer)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        }
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = address.port.bigEndian
        name.sin_addr.s_addr = inet_addr(address.host)
        let result = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let error = BenchmarkError.system("connecting to \(address.host):\(address.port)")
            close(descriptor)
            throw error
        }
        return descriptor
    }
}
