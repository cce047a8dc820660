import Glibc
import Synchronization

/// A TCP port that nothing listens on, for a program that cannot choose one by itself.
///
/// It lies below the range from which Linux gives ports to whoever asks for any (`net.ipv4.ip_local_port_range`, from
/// 32,768 on): a port of that range could be taken by another test before the program listens on it.
public enum FreePort {
    /// No port was free.
    public struct NoneLeft: Error, CustomStringConvertible {
        /// The sentence about it.
        public let description = "Of 100 TCP ports that were tried none is free."
    }

    /// Returns a port from 10,000 to 31,999, which no other caller in this process has been given.
    ///
    /// - Throws: ``NoneLeft``, after 100 ports that were taken.
    public static func find() throws(NoneLeft) -> Int {
        for _ in 0..<100 {
            // One after the other, and for each process from another one on: a port chosen by chance could be another
            // test's, which does not listen on it yet.
            let number = count.wrappingAdd(1, ordering: .relaxed).oldValue
            let port = UInt16(10_000 + (Int(getpid()) * 997 + number) % 22_000)
            if isFree(port) { return Int(port) }
        }
        throw NoneLeft()
    }

    private static let count = Atomic<Int>(0)

    /// Indicates that no socket of either family listens on a port.
    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var both: Int32 = 0
        setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &both, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
            }
        }
    }
}
