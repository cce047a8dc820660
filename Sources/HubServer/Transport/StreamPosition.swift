import CUV
import Glibc

/// The number of bytes that were read from a TCP stream, by any reader.
enum StreamPosition {
    /// `tcpi_bytes_received` in the kernel's `struct tcp_info` (linux/tcp.h), of which glibc's has the beginning only.
    private static let receivedOffset = 128
    /// The number of attempts, as bytes may arrive in between; after that the next message of the client is waited for.
    private static let tries = 8

    /// Computes the bytes read from a socket since it was opened: those received without those still in it.
    ///
    /// - Parameter descriptor: A TCP socket that nothing reads meanwhile.
    /// - Returns: The number of bytes; nil if the kernel does not report it, or more arrived at each attempt.
    static func bytesTaken(from descriptor: Int32) -> UInt64? {
        for _ in 0..<tries {
            // The kernel reports the two numbers one after the other: they match if nothing arrived in between.
            guard let before = bytesWaiting(in: descriptor), let received = bytesReceived(by: descriptor),
                let after = bytesWaiting(in: descriptor)
            else { return nil }
            if before == after { return received &- UInt64(before) }
        }
        return nil
    }

    private static func bytesWaiting(in descriptor: Int32) -> UInt32? {
        var count: Int32 = 0
        guard ioctl(descriptor, UInt(FIONREAD), &count) == 0 else { return nil }
        return UInt32(exactly: count)
    }

    private static func bytesReceived(by descriptor: Int32) -> UInt64? {
        withUnsafeTemporaryAllocation(byteCount: receivedOffset + 8, alignment: 8) { memory in
            var length = socklen_t(memory.count)
            guard getsockopt(descriptor, hub_uv_level_tcp, TCP_INFO, memory.baseAddress, &length) == 0,
                Int(length) == memory.count
            else { return nil }
            return memory.load(fromByteOffset: receivedOffset, as: UInt64.self)
        }
    }
}
