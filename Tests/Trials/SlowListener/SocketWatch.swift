import BenchmarkSupport
import Foundation
import Synchronization

/// The bytes that the kernel holds of one connection, read ten times a second by a thread.
///
/// `/proc/net/tcp` has both ends: the bytes that the hub has written and the listener's kernel has not acknowledged,
/// and those that the listener's kernel holds unread.
final class SocketWatch: Sendable {
    /// Numbers of bytes in the kernel's queues.
    struct Held: Codable {
        var byHub = 0
        var byListener = 0
        /// The sum of both, at one moment.
        var together = 0
    }

    private struct State {
        var most = Held()
        var isOver = false
    }

    private let state = Mutex(State())
    private let hub: String
    private let listener: String

    /// Watches the connection between two ports of this machine.
    init(hubPort: UInt16, listenerPort: UInt16) {
        (hub, listener) = (Self.hexadecimal(hubPort), Self.hexadecimal(listenerPort))
        let thread = Thread { [self] in
            while !state.withLock({ state in state.isOver }) {
                look()
                usleep(100_000)
            }
        }
        thread.name = "socket-watch"
        thread.start()
    }

    /// Returns the largest numbers since the last call.
    func take() -> Held {
        state.withLock {
            let most = $0.most
            $0.most = Held()
            return most
        }
    }

    /// Ends the thread.
    func end() { state.withLock { $0.isOver = true } }

    private func look() {
        guard let file = fopen("/proc/net/tcp", "r") else { return }
        defer { fclose(file) }
        var now = Held()
        var line = [CChar](repeating: 0, count: 512)
        while fgets(&line, CInt(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let words = text.split(separator: " ", maxSplits: 5)
            guard words.count > 4 else { continue }
            let queues = words[4].split(separator: ":").compactMap { Int($0, radix: 16) }
            guard queues.count == 2 else { continue }
            if words[1].hasSuffix(hub), words[2].hasSuffix(listener) { now.byHub = queues[0] }
            if words[1].hasSuffix(listener), words[2].hasSuffix(hub) { now.byListener = queues[1] }
        }
        now.together = now.byHub + now.byListener
        let seen = now
        state.withLock {
            $0.most.byHub = max($0.most.byHub, seen.byHub)
            $0.most.byListener = max($0.most.byListener, seen.byListener)
            $0.most.together = max($0.most.together, seen.together)
        }
    }

    private static func hexadecimal(_ port: UInt16) -> String {
        let digits = String(port, radix: 16, uppercase: true)
        return ":" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}
