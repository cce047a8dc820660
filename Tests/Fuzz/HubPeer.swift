import HubServer
import HubTestSupport

/// A hub in this process, and connections to it that send what the fuzzer has made.
///
/// Under the address sanitizer memory that was never written holds ``fill`` in every byte (`malloc_fill_byte`), which
/// is in no UTF-8 text: one such byte in an answer is uninitialized memory.
enum HubPeer {
    /// The byte that memory is filled with.
    static let fill: UInt8 = 0xF5

    /// A hub whose clients are counted by nothing.
    static let plain = start { _ in }

    /// The same behind a proxy: all requests are a trusted one's.
    static let proxied = start { $0.transport.trustedProxies = AddressRange.loopback }

    private static func start(_ configure: (inout HubSettings) -> Void) -> HubServer {
        var settings = HubSettings()
        settings.transport.port = 0
        settings.messagesPerSecond = 1_000_000
        settings.log.level = .error
        configure(&settings)
        do {
            return try HubServer.start(settings)
        } catch {
            preconditionFailure("the hub does not start: \(error)")
        }
    }

    /// Sends bytes on a connection of their own and reads all that comes back.
    ///
    /// - Parameters:
    ///   - bytes: The bytes behind the handshake, or the first ones of the connection.
    ///   - server: The hub.
    ///   - handshake: A request whose answer is waited for first; empty for none.
    /// - Returns: The answer to the bytes; what was left unanswered for 5 ms is half-closed and read to its end.
    static func answer(to bytes: [UInt8], of server: HubServer, behind handshake: String = "") -> [UInt8] {
        guard let socket = try? RawSocket(port: server.port) else { preconditionFailure("the hub is gone") }
        if !handshake.isEmpty {
            try? socket.send(Array(handshake.utf8), timeout: 1)
            let head = try? socket.read(through: Array("\r\n\r\n".utf8), timeout: 60)
            precondition(head?.starts(with: "HTTP/1.1 101 ".utf8) == true, "the handshake was not answered")
        }
        try? socket.send(bytes, timeout: 1)
        var answer: [UInt8] = []
        if !read(socket, into: &answer, seconds: 0.005) {
            socket.halfClose()
            _ = read(socket, into: &answer, seconds: 1)
        }
        // A reset, so that no port waits: there are thousands a second.
        socket.reset()
        return answer
    }

    /// Reads to the end of the connection; false: it did not come in time.
    private static func read(_ socket: RawSocket, into answer: inout [UInt8], seconds: Double) -> Bool {
        while true {
            do {
                answer += try socket.read(1, timeout: seconds)
            } catch {
                return (error as? RawSocketError) != .timedOut
            }
        }
    }
}
