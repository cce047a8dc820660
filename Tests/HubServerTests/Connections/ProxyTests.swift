import Foundation
import HubTestSupport
import Testing

@testable import HubServer

/// A hub behind a proxy: the addresses of its clients, and its path prefix.
struct ProxyTests {
    private let loopback = AddressRange.loopback

    @Test func `a trusted proxy's X-Forwarded-For gives the client's address, over several header lines`() throws {
        let server = try TestServer { $0.trustedProxies = loopback }
        defer { server.stop() }
        _ = try RawWebSocket(port: server.port, headers: ["X-Forwarded-For: 127.0.0.9, 203.0.113.9"])
        _ = try RawWebSocket(
            port: server.port,
            headers: ["x-forwarded-for: 203.0.113.1", "X-Forwarded-For: 203.0.113.2"]
        )
        _ = try RawWebSocket(port: server.port)
        #expect(server.log.wait { $0.infos.count == 3 })
        #expect(server.log.now.infos.map(\.address.text) == ["203.0.113.9", "203.0.113.2", "127.0.0.1"])
    }

    @Test(arguments: [
        // The line behind a name that the library takes for the beginning of another one is swallowed.
        ["X-Forwarded-For: 127.0.0.1", "X-A: 1", "X-Forwarded-For: 203.0.113.9"],
        ["X-Forwarded-For: 127.0.0.1", "X-Forwarded: x", "X-Forwarded-For: 203.0.113.9"],
        ["X-Forwarded-For: 127.0.0.1", "ge: x", "X-Forwarded-For: 203.0.113.9"],
        ["X-A: 1"],
        // Neither is a name with a space, nor a line that goes on (RFC 9112 sections 5.1 and 5.2).
        ["X-Forwarded-For : 203.0.113.9"], ["X-Forwarded-For: 127.0.0.1", " , 203.0.113.9"],
        ["X-Forwarded-For: 127.0.0.1", "nothing", "X-Forwarded-For: 203.0.113.9"],
        ["X-Forwarded-For: 127.0.0.1\nX-A: 1"], ["X-Forwarded-For: 127.0.0.1\0"],
        ["X-Forwarded-For: " + (0..<400).map { "10.0.0.\($0 % 250)" }.joined(separator: ",") + ",203.0.113.9"],
        ["X-Forwarded-For: 203.0.113.9, unknown"], ["X-Forwarded-For: 203.0.113.9,"],
        ["X-Forwarded-Proto: https", "X-Forwarded-Proto: http"], ["Host: a"],
    ])
    func `an ambiguous request of a trusted proxy is refused`(
        headers: [String]
    ) throws {
        let server = try TestServer { $0.trustedProxies = loopback }
        defer { server.stop() }
        let socket = try RawSocket(port: server.port)
        try RawWebSocket(socket).requestUpgrade(host: "127.0.0.1", headers: headers)
        #expect(try HTTPReply(from: socket).status == 400)
        #expect(throws: RawSocketError.ended) { try socket.read(1) }
        #expect(server.log.now.infos.isEmpty)
        #expect(server.waitForCounters { $0.sockets == 0 && $0.refusedHandshakes == 1 })
    }

    @Test(arguments: [
        "X-Forwarded-For: " + String(repeating: "10.0.0.1,", count: 120) + "203.0.113.9",
        "X-Forwarded-For: 203.0.113.9, unknown", "X-Forwarded-For: 203.0.113.9,",
    ])
    func `a page request with an unreadable forwarded address is refused, not served as the proxy's`(
        field: String
    ) throws {
        let server = try TestServer { $0.trustedProxies = loopback }
        defer { server.stop() }
        for path in ["/healthz", "/metrics", "/", "/nothing-here"] {
            let reply = try HTTPReply.fetch(path, port: server.port, headers: [field])
            #expect(reply.status == 400)
            #expect(String(decoding: reply.body, as: UTF8.self).contains("X-Forwarded-For"))
        }
    }

    @Test func `a handshake that announces a body is refused`() throws {
        let server = try TestServer()
        defer { server.stop() }
        for header in ["Content-Length: 5", "Transfer-Encoding: chunked"] {
            let socket = try RawSocket(port: server.port)
            try RawWebSocket(socket).requestUpgrade(host: "127.0.0.1", headers: [header])
            #expect(try HTTPReply(from: socket).status == 400)
        }
    }

    @Test func `a trusted proxy's request may arrive byte by byte, within the normal timeout`()
        throws
    {
        let server = try TestServer {
            $0.trustedProxies = loopback
            $0.handshakeTimeout = .seconds(3)
        }
        defer { server.stop() }
        let slow = try RawSocket(port: server.port)
        for byte in Array("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n".utf8) { try slow.send([byte]) }
        #expect(try HTTPReply(from: slow).status == 200)
        let silent = try RawSocket(port: server.port)
        try silent.send("GET /healthz HTTP/1.1\r\n")
        #expect(try silent.waitForEnd() == .reset)
        let gone = try RawSocket(port: server.port)
        try gone.send("GET /healthz HTTP/1.1\r\n")
        gone.halfClose()
        _ = try gone.waitForEnd()
        let long = try RawSocket(port: server.port)
        let name = String(repeating: "y", count: 100)
        let lines = (0..<90).map { "\(name)\($0): z" }
        try long.send((["GET / HTTP/1.1"] + lines).joined(separator: "\r\n"))
        #expect(try HTTPReply(from: long).status == 431)
        #expect(server.waitForCounters { $0.sockets == 0 && $0.handshakeTimeouts == 1 })
        // None of them is still counted.
        #expect(server.onLoop { $0.connectionLimiter.socketCount } == 0)
    }

    @Test func `a proxy's own address is never exempt from the limits`() throws {
        let server = try TestServer {
            $0.trustedProxies = loopback
            $0.exemptAddresses = loopback
            $0.maximumConnectionsPerAddress = 1
        }
        defer { server.stop() }
        let first = try RawWebSocket(port: server.port)
        #expect(throws: RawSocketError.self) { try RawWebSocket(port: server.port) }
        #expect(throws: RawSocketError.self) {
            try RawWebSocket(port: server.port, headers: ["X-Forwarded-For: 127.0.0.1"])
        }
        first.socket.close()
    }

    @Test func `a forwarding header of a trusted proxy over TLS is refused`() throws {
        let certificate = try TestCertificate()
        let server = try TestServer {
            $0.trustedProxies = loopback
            $0.certificateFile = certificate.file
            $0.keyFile = certificate.key
        }
        defer { server.stop() }
        func status(_ headers: [String]) throws -> String {
            let request = [
                "GET /v1 HTTP/1.1", "Host: localhost", "Upgrade: websocket", "Connection: Upgrade",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
            ]
            // Behind an accepted handshake a broken frame, which ends the connection.
            let input = (request + headers + ["", "\u{7F}\u{7F}"]).joined(separator: "\r\n")
            let answer = try OpenSSLTool.output(
                ["s_client", "-quiet", "-connect", "127.0.0.1:\(server.port)"],
                input: input
            )
            return String(answer.prefix(12))
        }
        #expect(try status(["X-Forwarded-For: 203.0.113.9"]) == "HTTP/1.1 400")
        #expect(try status([]) == "HTTP/1.1 101")
    }

    @Test func `header names that libwebsockets knows are readable, and prefixes of them are misread`() {
        let names = RequestHead.misreadNames
        for name in ["x-a", "x-forwarded", "x-forwarded-fo", "get", "c", "content-", "sec-websocket"] {
            #expect(names.contains(name), "\(name)")
        }
        for name in ["x-forwarded-for", "host", "accept", "te", "cookie", "content-length", "x-real-ip", "dnt"] {
            #expect(!names.contains(name), "\(name)")
        }
    }

    @Test func `forwarding headers from other addresses are ignored`() throws {
        let server = try TestServer()
        defer { server.stop() }
        let headers = [
            "X-Forwarded-For: 203.0.113.9", "X-Forwarded-Proto: https", "Origin: http://127.0.0.1:\(server.port)",
        ]
        _ = try RawWebSocket(port: server.port, headers: headers)
        #expect(server.log.wait { $0.infos.count == 1 })
        #expect(server.log.now.infos.map(\.address.text) == ["127.0.0.1"])
    }

    @Test(arguments: [("https", "https", 101), ("https", "http", 403), ("http", "http", 101), ("HTTPS", "https", 101)])
    func `a page's scheme is the one that its proxy forwards`(forwarded: String, scheme: String, status: Int) throws {
        let server = try TestServer { $0.trustedProxies = loopback }
        defer { server.stop() }
        let socket = try RawSocket(port: server.port)
        let headers = ["X-Forwarded-Proto: \(forwarded)", "Origin: \(scheme)://localhost"]
        try RawWebSocket(socket).requestUpgrade(host: "localhost", headers: headers)
        #expect(try HTTPReply(from: socket).status == status)
    }

    @Test func `every path works with the prefix and without it`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("<p>phone</p>", to: "index.html")
        let server = try TestServer {
            $0.staticFilesDirectory = folder.path
            $0.pathPrefix = "/call/hub"
        }
        defer { server.stop() }
        for prefix in ["", "/call/hub"] {
            #expect(try HTTPReply.fetch(prefix + "/", port: server.port).body == Array("<p>phone</p>".utf8))
            #expect(try HTTPReply.fetch(prefix + "/healthz", port: server.port).status == 200)
            #expect(try HTTPReply.fetch(prefix + "/v1", port: server.port).status == 426)
            #expect(throws: Never.self) { try RawWebSocket(port: server.port, path: prefix + "/v1") }
        }
        let bare = try HTTPReply.fetch("/call/hub", port: server.port)
        #expect(bare.status == 308)
        #expect(bare.headers["location"] == "/call/hub/")
        for path in ["/call/hubv1", "/call/v1", "/call/hub/call/hub/v1"] {
            #expect(throws: RawSocketError.self) { try RawWebSocket(port: server.port, path: path) }
        }
    }
}
