import HubTestSupport

@testable import HubServer

/// The transports to a test server.
enum WireTransport: CaseIterable, Sendable {
    case plain
    case tls

    /// The transports that the cases run over.
    static let tested: [WireTransport] = [.plain, .tls]

    /// The server for all cases over this transport.
    var server: Result<TestServer, any Error> {
        switch self {
        case .plain: Self.plainServer
        case .tls: Self.tlsServer
        }
    }

    private static let plainServer = Result { try plain.launch(.echo) { $0.closeTimeout = .milliseconds(500) } }

    private static let tlsServer = Result { try tls.launch(.echo) { $0.closeTimeout = .milliseconds(500) } }

    /// Starts a server that is reached over this transport.
    ///
    /// - Parameters:
    ///   - behaviour: The behaviour of the server's handler.
    ///   - change: A change of the settings.
    /// - Returns: The server.
    /// - Throws: The error of the server's start.
    func launch(
        _ behaviour: Behaviour,
        _ change: (inout TransportSettings) -> Void = { _ in }
    ) throws -> TestServer {
        // Its files are read while the server starts, and removed behind that.
        let certificate = self == .tls ? try TestCertificate("ec") : nil
        return try withExtendedLifetime(certificate) {
            try TestServer(behaviour) {
                $0.batch = .zero
                $0.certificateFile = certificate?.file
                $0.keyFile = certificate?.key
                change(&$0)
            }
        }
    }

    /// Connects to a server.
    ///
    /// - Parameter server: A server that is reached over this transport; nil: the one for all cases.
    /// - Returns: The socket, over TLS if this is ``tls``.
    /// - Throws: The error of the server's start; the errors of ``RawSocket``.
    func connect(to server: TestServer? = nil) throws -> RawSocket {
        let socket = try RawSocket(port: try server?.port ?? self.server.get().port)
        if self == .tls { try socket.startTLS() }
        return socket
    }
}

/// A client that performs a case's steps and observes the server's reaction.
final class WebSocketPeer {
    /// The text that finds out if a connection is open.
    private static let probe = "still there?"

    private let server: TestServer
    private let client: RawWebSocket
    private var observed = Verdict()
    private var hasClosed = false

    /// Connects and performs the opening handshake.
    ///
    /// - Parameter transport: The way to the server.
    /// - Throws: The errors of ``RawSocket`` and ``HTTPReply``.
    init(over transport: WireTransport) throws {
        server = try transport.server.get()
        client = RawWebSocket(try transport.connect())
        try client.requestUpgrade(host: "127.0.0.1")
        let reply = try HTTPReply(from: client.socket)
        guard reply.status == 101 else { throw RawSocketError.unexpectedReply("\(reply.status)") }
    }

    /// Performs the steps of a case.
    ///
    /// - Parameters:
    ///   - steps: The client's steps.
    ///   - expected: The verdict, which decides how long to read.
    /// - Returns: The verdict observed.
    /// - Throws: ``RawSocketError/timedOut`` if the server does neither what is expected nor end the connection.
    func verdict(of steps: [WebSocketCase.Step], expecting expected: Verdict) throws -> Verdict {
        do {
            for (index, step) in steps.enumerated() {
                try perform(step, isLast: index == steps.count - 1)
            }
            try readOn(expecting: expected)
        } catch let error as RawSocketError where error == .ended || error == .reset {
            if case .open = observed.end { observed.end = .ended }
        } catch RawSocketError.timedOut {
            throw Unexpected(observed: observed)
        }
        return observed
    }

    private func perform(_ step: WebSocketCase.Step, isLast: Bool) throws {
        switch step {
        case .send(let bytes):
            try client.socket.send(bytes)
            // Two iterations of the server's loop later it has read them.
            if !isLast { for _ in 0..<2 { _ = server.onLoop { _ in } } }
        case .halfClose: client.socket.halfClose()
        case .receive(let count): for _ in 0..<count { try take() }
        }
    }

    private func readOn(expecting expected: Verdict) throws {
        while observed.messages.count < expected.messages.count || observed.pongs.count < expected.pongs.count {
            guard !hasClosed else { return }
            try take()
        }
        switch expected.end {
        case .open:
            guard !hasClosed else { return }
            try client.send(text: Self.probe)
            while !hasClosed, observed.messages.last?.text != Self.probe { try take() }
            if observed.messages.last?.text == Self.probe { observed.messages.removeLast() }
        case .failed:
            while !hasClosed { try take() }
        case .answered:
            while !hasClosed { try take() }
            guard case .failed(let codes) = observed.end else { return }
            _ = try client.socket.waitForEnd(timeout: 5)
            observed.end = .answered(codes)
        case .ended:
            while true { try take() }
        }
    }

    /// Receives one frame.
    private func take() throws {
        let frame = try client.readFrame(timeout: 5)
        switch frame.opcode {
        case 8:
            hasClosed = true
            observed.end = .failed([frame.closeCode ?? (frame.payload.isEmpty ? 1005 : 0)])
        case 10: observed.pongs.append(frame.payload)
        default: observed.messages.append(frame)
        }
    }
}

/// The error that a server did not do what was expected in time.
struct Unexpected: Error, CustomStringConvertible {
    let observed: Verdict

    var description: String { "nothing more behind: \(observed)" }
}
