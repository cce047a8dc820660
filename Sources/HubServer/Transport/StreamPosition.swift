import CUV
import Glibc

/// How far a TCP stream has been read, whoever reads it.
enum StreamPosition {
    /// `tcpi_bytes_received` in the kernel's `struct tcp_info` (linux/tcp.h), of which glibc's has the beginning only.
    private static let receivedOffset = 128
    /// A client that sends so fast that bytes come between two looks each time is looked at again with its next message.
    private static let tries = 8

    /// Bytes that were taken from a socket since it was opened: those that came, without those that are still in it.
    ///
    /// - Parameter descriptor: A TCP socket that nobody reads meanwhile.
    /// - Returns: Nil where the kernel does not say, or more came with each look.
    static func bytesTaken(from descriptor: Int32) -> UInt64? {
        for _ in 0..<tries {
            // The kernel gives the two numbers one after the other: they belong together where nothing came between.
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
