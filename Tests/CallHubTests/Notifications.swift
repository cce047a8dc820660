import Foundation
import Glibc
import Testing

/// The socket that a service manager listens on (sd_notify(3)): a datagram socket of the test's own.
///
/// Only one thread at a time may use it.
final class Notifications: @unchecked Sendable {
    /// For `NOTIFY_SOCKET`.
    let path: String
    private let descriptor: Int32
    private(set) var all: [String] = []

    init(in folder: URL) throws {
        path = folder.appending(path: "notify").path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        try #require(bytes.count < MemoryLayout.size(ofValue: address.sun_path))
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
    }

    deinit {
        close(descriptor)
    }

    /// Waits for a message with this line; nil: none came in time.
    func next(_ line: String, seconds: Double = 20) -> String? {
        let limit = Date(timeIntervalSinceNow: seconds)
        while limit.timeIntervalSinceNow > 0 {
            var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, Int32(max(1, limit.timeIntervalSinceNow * 1000))) > 0 else { continue }
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { continue }
            let message = String(decoding: buffer.prefix(count), as: UTF8.self)
            all.append(message)
            if message.split(separator: "\n").contains(where: { $0 == line }) { return message }
        }
        return nil
    }
}
