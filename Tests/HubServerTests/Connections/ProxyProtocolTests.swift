import HubTestSupport
import Testing

@testable import HubServer

/// The PROXY protocol of version 2, by which a proxy that forwards TCP names its clients.
struct ProxyProtocolTests {
    /// Bytes of a header, by default of a client at 203.0.113.9.
    private static func header(
        command: UInt8 = 0x21,
        family: UInt8 = 0x11,
        addresses: [UInt8] = [203, 0, 113, 9, 127, 0, 0, 1, 0x12, 0x34, 0x1F, 0x90],
        fields: [UInt8] = [],
        length: Int? = nil
    ) -> [UInt8] {
        let rest = addresses + fields
        let length = length ?? rest.count
        return [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A, command, family]
            + [UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)] + rest
    }

    private static let six: [UInt8] = [0x20, 0x01, 0x0D, 0xB8] + Array(repeating: 0, count: 11) + [7]
    private static let sixes = six + six + [0, 1, 0, 2]
    private static let overTLS: [UInt8] = [0x20, 0, 5, 1, 0, 0, 0, 0]
    private static let inClear: [UInt8] = [0x20, 0, 5, 0, 0, 0, 0, 0]

    @Test func `a header of each family gives the client's address and its own length`() {
        func parsed(_ bytes: [UInt8]) -> ProxyHeader? {
            guard case .complete(let header) = ProxyHeader.state(of: bytes + [1, 2, 3]) else { return nil }
            #expect(header.length == bytes.count)
            return header
        }
        #expect(parsed(Self.header())?.source?.text == "203.0.113.9")
        #expect(parsed(Self.header(family: 0x21, addresses: Self.sixes))?.source?.text == "2001:db8::7")
        #expect(parsed(Self.header(family: 0x31, addresses: Array(repeating: 65, count: 216)))?.source == nil)
        #expect(parsed(Self.header(family: 0, addresses: []))?.source == nil)
        // Of a health check everything behind the length is skipped.
        #expect(parsed(Self.header(command: 0x20, family: 0xFF))?.source == nil)
        #expect(parsed(Self.header())?.isEncrypted == nil)
        #expect(parsed(Self.header(fields: [4, 0, 2, 0, 0] + Self.overTLS))?.isEncrypted == true)
        #expect(parsed(Self.header(fields: Self.inClear))?.isEncrypted == false)
    }

    @Test func `each prefix of a header is incomplete`() {
        let whole = Self.header(family: 0x21, addresses: Self.sixes, fields: Self.overTLS)
        for count in whole.indices { #expect(ProxyHeader.state(of: whole.prefix(count)) == .incomplete, "\(count)") }
    }

    @Test(arguments: [
        Array("PROXY TCP4 203.0.113.9 127.0.0.1 1 2\r\n".utf8), Array("GET / HTTP/1.1\r\n".utf8), [0x16, 3, 1],
        header(command: 0x11), header(command: 0x22), header(command: 0x31), header(family: 0x12), header(family: 0x41),
        header(family: 0x11, addresses: []), header(addresses: [203, 0, 113, 9]), header(family: 0x21),
        header(fields: [4]), header(fields: [4, 0]), header(fields: [4, 0, 1]), header(fields: [4, 0xFF, 0xFF, 0]),
        header(fields: [0x20, 0, 0]), header(fields: [0x20, 0, 4, 1, 0, 0, 0]),
        header(length: 0), header(length: 1), header(length: 11),
    ])
    func `what is no header of version 2 is invalid`(bytes: [UInt8]) {
        #expect(ProxyHeader.state(of: bytes) == .invalid)
    }

    @Test func `random bytes behind a signature never do harm`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let rest = (0..<Int.random(in: 0...80)).map { _ in UInt8.random(in: 0...255, using: &random) }
            let bytes = Self.header(family: [0x11, 0x21].randomElement() ?? 0, addresses: rest)
            if case .complete(let header) = ProxyHeader.state(of: bytes) { #expect(header.length == bytes.count) }
        }
    }

    private static func server(_ change: (inout TransportSettings) -> Void = { _ in }) throws -> TestServer {
        try TestServer {
            $0.trustedProxies = AddressRange.loopback
            $0.usesProxyProtocol = true
            change(&$0)
        }
    }

    private static func open(
        _ server: TestServer,
        _ header: [UInt8],
        headers: [String] = []
    ) throws -> RawWebSocket {
        let socket = try RawSocket(port: server.port)
        try socket.send(header)
        let webSocket = RawWebSocket(socket)
        try webSocket.requestUpgrade(host: "127.0.0.1", headers: headers)
        #expect(try HTTPReply(from: socket).status == 101)
        return webSocket
    }

    @Test func `the announced address is the client's, and X-Forwarded-For of that client is not believed`() throws {
        let server = try Self.server()
        defer { server.stop() }
        _ = try Self.open(server, Self.header(), headers: ["X-Forwarded-For: 198.51.100.1"])
        _ = try Self.open(server, Self.header(family: 0x21, addresses: Self.sixes))
        // A health check is the proxy's own; so is a proxy behind the proxy, whose own field counts.
        _ = try Self.open(server, Self.header(command: 0x20))
        let local: [UInt8] = [127, 0, 0, 7, 127, 0, 0, 1, 0, 1, 0, 2]
        _ = try Self.open(server, Self.header(addresses: local), headers: ["X-Forwarded-For: 198.51.100.1"])
        #expect(server.log.wait { $0.infos.count == 4 })
        #expect(
            server.log.now.infos.map(\.address.text) == ["203.0.113.9", "2001:db8::7", "127.0.0.1", "198.51.100.1"]
        )
    }

    @Test func `the limits by address apply to the announced address`() throws {
        let server = try Self.server { $0.maximumConnectionsPerAddress = 1 }
        defer { server.stop() }
        let first = try Self.open(server, Self.header())
        let socket = try RawSocket(port: server.port)
        try socket.send(Self.header())
        try RawWebSocket(socket).requestUpgrade(host: "127.0.0.1")
        #expect(try HTTPReply(from: socket).status == 429)
        _ = try Self.open(server, Self.header(family: 0x21, addresses: Self.sixes))
        first.socket.close()
    }

    @Test func `a header may arrive byte by byte, with the request close behind it`() throws {
        let server = try Self.server()
        defer { server.stop() }
        let socket = try RawSocket(port: server.port)
        for byte in Self.header(fields: Self.inClear) { try socket.send([byte]) }
        try socket.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try HTTPReply(from: socket).status == 200)
        let whole = try RawSocket(port: server.port)
        try whole.send(Self.header() + Array("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        #expect(try HTTPReply(from: whole).status == 200)
    }

    @Test func `a connection without a header is answered with what is missing, a silent one is closed`() throws {
        let server = try Self.server { $0.handshakeTimeout = .seconds(1) }
        defer { server.stop() }
        let beginnings = [
            Array("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n".utf8), Array("PROXY TCP4 203.0.113.9 ".utf8),
            Self.header(length: 65_535) + Array(repeating: 0, count: 9000),
        ]
        for bytes in beginnings {
            let socket = try RawSocket(port: server.port)
            try socket.send(bytes)
            let reply = try HTTPReply(from: socket)
            #expect(reply.status == 400)
            #expect(String(decoding: reply.body, as: UTF8.self).contains("send-proxy-v2"))
        }
        let silent = try RawSocket(port: server.port)
        try silent.send(Array(Self.header().dropLast()))
        _ = try silent.waitForEnd()
        #expect(server.waitForCounters { $0.sockets == 0 && $0.refusedHandshakes == 3 && $0.handshakeTimeouts == 1 })
        #expect(server.onLoop { $0.connectionLimiter.socketCount } == 0)
    }

    @Test func `only trusted proxies announce clients`() throws {
        let server = try Self.server { $0.trustedProxies = [AddressRange("192.0.2.1")].compactMap(\.self) }
        defer { server.stop() }
        #expect(try HTTPReply.fetch("/healthz", port: server.port).status == 200)
        let socket = try RawSocket(port: server.port)
        try socket.send(Self.header() + Array("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        let reply = try? HTTPReply(from: socket)
        #expect(reply?.status != 200)
        #expect(server.log.now.infos.isEmpty)
    }

    @Test func `a header precedes TLS, and a connection without it is closed`() throws {
        let certificate = try TestCertificate()
        let server = try Self.server {
            $0.certificateFile = certificate.file
            $0.keyFile = certificate.key
        }
        defer { server.stop() }
        let socket = try RawSocket(port: server.port)
        try socket.send(Self.header())
        try socket.startTLS()
        let webSocket = RawWebSocket(socket)
        try webSocket.requestUpgrade(host: "localhost", headers: ["X-Forwarded-For: 198.51.100.1"])
        #expect(try HTTPReply(from: socket).status == 101)
        #expect(server.log.wait { $0.infos.map(\.address.text) == ["203.0.113.9"] })
        let bare = try RawSocket(port: server.port)
        try bare.send([0x16, 3, 1, 0, 5])
        _ = try bare.waitForEnd()
        #expect(server.waitForCounters { $0.refusedHandshakes == 1 })
    }

    @Test(arguments: [(overTLS, "https", 101), (overTLS, "http", 403), (inClear, "http", 101), (inClear, "https", 403)])
    func `the header says if the client's page came by https`(fields: [UInt8], scheme: String, status: Int) throws {
        let server = try Self.server()
        defer { server.stop() }
        let socket = try RawSocket(port: server.port)
        try socket.send(Self.header(fields: fields))
        let headers = ["X-Forwarded-Proto: ftp", "Origin: \(scheme)://localhost"]
        try RawWebSocket(socket).requestUpgrade(host: "localhost", headers: headers)
        #expect(try HTTPReply(from: socket).status == status)
    }
}
