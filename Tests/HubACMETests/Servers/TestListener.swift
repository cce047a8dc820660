import COpenSSL
import Foundation
import HubTestSupport

/// A server on a free port of 127.0.0.1, one connection at a time, plain or TLS.
final class TestListener: @unchecked Sendable {
    /// An accepted connection.
    struct Connection {
        let descriptor: Int32
        let session: OpaquePointer?

        /// Reads some bytes; none at the end.
        func read() -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = session.map { Int(SSL_read($0, &bytes, 65_536)) } ?? recv(descriptor, &bytes, 65_536, 0)
            return Array(bytes.prefix(max(0, count)))
        }

        func write(_ bytes: [UInt8]) {
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = Array(rest.prefix(16_384))
                let count =
                    session.map { Int(SSL_write($0, part, Int32(part.count))) }
                    ?? send(descriptor, part, part.count, Int32(MSG_NOSIGNAL))
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    let port: Int
    private let descriptor: Int32

    /// Listens.
    ///
    /// - Parameters:
    ///   - port: The port; 0: a free one.
    ///   - context: Returns the TLS context for a connection; nil: it is closed. Without it connections are plain.
    ///   - serve: Called for each connection on the listener's thread.
    /// - Throws: An error if the port is taken.
    init(
        port: Int = 0,
        context: (@Sendable () -> OpaquePointer?)? = nil,
        serve: @escaping @Sendable (Connection) -> Void
    ) throws {
        // OpenSSL writes to connections that clients have closed.
        signal(SIGPIPE, SIG_IGN)
        let descriptor = try Self.listening(on: port)
        self.descriptor = descriptor
        self.port = Self.port(of: descriptor)
        let thread = Thread {
            while true {
                let accepted = accept(descriptor, nil, nil)
                guard accepted >= 0 else { return }
                Self.serve(accepted, context, serve)
                close(accepted)
            }
        }
        thread.start()
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    private static func serve(
        _ accepted: Int32,
        _ context: (() -> OpaquePointer?)?,
        _ serve: (Connection) -> Void
    ) {
        guard let context else { return serve(Connection(descriptor: accepted, session: nil)) }
        guard let pair = context() else { return }
        defer { SSL_CTX_free(pair) }
        let session = SSL_new(pair)
        defer { SSL_free(session) }
        SSL_set_fd(session, accepted)
        guard SSL_accept(session) == 1 else { return }
        serve(Connection(descriptor: accepted, session: session))
        SSL_shutdown(session)
    }

    private static func listening(on port: Int) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, 16) == 0 }
        }
        guard isBound, listen(descriptor, 64) == 0 else { throw EventInbox<Int>.Missing(description: "no free port") }
        return descriptor
    }

    private static func port(of descriptor: Int32) -> Int {
        var address = sockaddr_in()
        var count = socklen_t(16)
        withUnsafeMutablePointer(to: &address) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &count) }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}

/// Events of other threads, which a test waits for.
final class EventInbox<Event: Sendable>: @unchecked Sendable {
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    private let condition = NSCondition()
    private var events: [Event] = []
    private var taken = 0

    func add(_ event: Event) {
        condition.withLock {
            events.append(event)
            condition.broadcast()
        }
    }

    /// All events so far.
    var all: [Event] { condition.withLock { events } }

    /// Waits at most 30 s for the next event that fits; those before it are skipped.
    @discardableResult
    func next(_ what: String, where fits: @escaping @Sendable (Event) -> Bool = { _ in true }) async throws -> Event {
        try await blocking { [self] in
            let limit = Date(timeIntervalSinceNow: 30)
            return try condition.withLock {
                while true {
                    while taken < events.count {
                        taken += 1
                        if fits(events[taken - 1]) { return events[taken - 1] }
                    }
                    guard condition.wait(until: limit) else { throw Missing(description: "no \(what): \(events)") }
                }
            }
        }
    }
}
