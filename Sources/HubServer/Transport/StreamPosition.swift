import CUV
import Glibc

/// How far a TCP stream has been read, whoever reads it.
enum StreamPosition {
    /// `tcpi_bytes_received` in the kernel's `struct tcp_info` (linux/tcp.h), of which glibc's has the beginning only.
    private static let bytesReceived = 128

    /// Bytes that were taken from a socket since it was opened: those that came, without those that are still in it.
    ///
    /// - Parameter descriptor: A TCP socket.
    /// - Returns: Nil where the kernel does not say.
    static func bytesTaken(from descriptor: Int32) -> UInt64? {
        // What comes between the two looks makes the number too large, which no reader has read.
        var waiting: Int32 = 0
        guard ioctl(descriptor, UInt(FIONREAD), &waiting) == 0, waiting >= 0 else { return nil }
        return withUnsafeTemporaryAllocation(byteCount: bytesReceived + 8, alignment: 8) { memory in
            var length = socklen_t(memory.count)
            guard getsockopt(descriptor, hub_uv_level_tcp, TCP_INFO, memory.baseAddress, &length) == 0,
                Int(length) == memory.count
            else { return nil }
            return memory.load(fromByteOffset: bytesReceived, as: UInt64.self) &- UInt64(waiting)
        }
    }
}
