import Foundation
import HubTestSupport
import Testing

@testable import HubServer

/// Files, dynamic answers and refused handshakes.
@Suite struct TransportHTTPTests {
    /// A folder with a page, a large file, a hidden one and links, removed with the test.
    private struct Folder {
        private let base: TemporaryFolder
        let path: String
        static let large = String(repeating: "0123456789abcdef", count: 20_000)

        init() throws {
            let base = try TemporaryFolder()
            func write(_ name: String, _ text: String) throws { _ = try base.write(text, to: "files/" + name) }
            try write("index.html", "<p>phone</p>")
            try write("phone.js", "let a = 1")
            try write("large.json", Self.large)
            try write("sub/index.html", "sub")
            try write(".secret", "secret")
            try write("hold.ogg", "OggS")
            try write("empty.txt", "")
            path = base.path + "/files"
            let outside = try base.write("outside", to: "outside.txt")
            try FileManager.default.createSymbolicLink(atPath: path + "/link.txt", withDestinationPath: outside)
            self.base = base
        }
    }

    @Test func `files are served with type, length, tag and security headers`() throws {
        let folder = try Folder()
        let server = try TestServer { $0.staticFilesDirectory = folder.path }
        defer { server.stop() }
        let index = try HTTPReply.fetch("/", port: server.port)
        #expect(index.status == 200)
        #expect(String(decoding: index.body, as: UTF8.self) == "<p>phone</p>")
        #expect(index.headers["content-type"] == "text/html; charset=utf-8")
        let policy = try #require(index.headers["content-security-policy"])
        #expect(policy.hasPrefix("default-src 'self'; connect-src 'self'"))
        #expect(policy.hasSuffix("; script-src 'self' 'wasm-unsafe-eval'"))
        #expect(index.headers["x-content-type-options"] == "nosniff")
        #expect(index.headers["cache-control"] == "no-cache")
        // Whatever answers: no page of another site frames it, or learns where its links lead.
        for path in ["/", "/phone.js", "/nothing", "/healthz", "/v1", "/v1/info", "/%00"] {
            let headers = try HTTPReply.fetch(path, port: server.port).headers
            #expect(headers["content-security-policy"]?.contains("frame-ancestors 'none'; script-src") == true)
            #expect(headers["content-security-policy"]?.contains("base-uri 'none'; form-action 'none'") == true)
            #expect(headers["referrer-policy"] == "no-referrer")
            #expect(headers["cross-origin-opener-policy"] == "same-origin")
        }
        #expect(
            try HTTPReply.fetch("/phone.js?v=1", port: server.port).headers["content-type"]?.hasPrefix(
                "text/javascript"
            ) == true
        )
        #expect(try HTTPReply.fetch("/hold.ogg", port: server.port).headers["content-type"] == "audio/ogg")
        #expect(try HTTPReply.fetch("/sub/", port: server.port).body == Array("sub".utf8))
        #expect(try HTTPReply.fetch("/empty.txt", port: server.port).status == 200)
        let large = try HTTPReply.fetch("/large.json", port: server.port)
        #expect(large.body == Array(Folder.large.utf8))

        let tag = try #require(index.headers["etag"])
        let again = try HTTPReply.fetch("/", port: server.port, headers: ["If-None-Match: \(tag)"])
        #expect(again.status == 304)
        #expect(again.headers["etag"] == tag)
    }

    @Test func `a file is sent in its compressed form to a client that accepts gzip`() throws {
        let folder = try Folder()
        // No gzip file, as the hub does not look into it.
        try "packed".write(toFile: folder.path + "/phone.js.gz", atomically: true, encoding: .utf8)
        let server = try TestServer { $0.staticFilesDirectory = folder.path }
        defer { server.stop() }
        func fetch(_ accepted: String?, _ more: [String] = []) throws -> HTTPReply {
            let headers = accepted.map { ["Accept-Encoding: \($0)"] } ?? []
            return try .fetch("/phone.js", port: server.port, headers: headers + more)
        }
        for accepted in ["gzip", "deflate, gzip;q=0.5, br", "GZIP", "*", "x-gzip ; q=1", "*;q=0, gzip"] {
            let reply = try fetch(accepted)
            #expect(reply.body == Array("packed".utf8), "\(accepted)")
            #expect(reply.headers["content-encoding"] == "gzip")
            #expect(reply.headers["content-type"] == "text/javascript; charset=utf-8")
            #expect(reply.headers["vary"] == "accept-encoding")
        }
        for accepted in [nil, "", "identity", "br", "gzip;q=0", "gzip; q=0.000, *", "*;q=0", "gzipped", ";;,"] {
            let reply = try fetch(accepted)
            #expect(reply.body == Array("let a = 1".utf8), "\(accepted ?? "-")")
            #expect(reply.headers["content-encoding"] == nil)
            #expect(reply.headers["vary"] == "accept-encoding", "caches keep both forms")
        }
        let (plain, packed) = (try fetch(nil).headers["etag"], try fetch("gzip").headers["etag"])
        #expect(plain != packed)
        let known = ["If-None-Match: \(packed ?? "")"]
        #expect(try fetch("gzip", known).status == 304)
        #expect(try fetch(nil, known).status == 200)
        #expect(try HTTPReply.fetch("/large.json", port: server.port).headers["vary"] == nil)
    }

    @Test func `a compressed form from before the file's last change is not sent`() throws {
        let folder = try Folder()
        let path = folder.path + "/phone.js.gz"
        try "packed".write(toFile: path, atomically: true, encoding: .utf8)
        let server = try TestServer { $0.staticFilesDirectory = folder.path }
        defer { server.stop() }
        for (age, isSent) in [(30.0, true), (120.0, false)] {
            let date = Date(timeIntervalSinceNow: -age)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
            let reply = try HTTPReply.fetch("/phone.js", port: server.port, headers: ["Accept-Encoding: gzip"])
            #expect((reply.headers["content-encoding"] == "gzip") == isSent)
        }
    }

    @Test func `HEAD has the headers of GET and no body`() throws {
        let folder = try Folder()
        let server = try TestServer { $0.staticFilesDirectory = folder.path }
        defer { server.stop() }
        for target in ["/large.json", "/healthz", "/nothing"] {
            let socket = try RawSocket(port: server.port)
            try socket.send("HEAD \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
            let reply = try HTTPReply(from: socket, hasBody: false)
            #expect(reply.status == (target == "/nothing" ? 404 : 200))
            #expect(Int(reply.headers["content-length"] ?? "") ?? 0 > 0)
            #expect(throws: RawSocketError.ended) { try socket.read(1) }
        }
    }

    @Test(arguments: ["/healthz", "/phone.js", "/nothing", "/v1", "/pre"])
    func `a response ends its connection, whatever follows the request`(target: String) throws {
        let folder = try Folder()
        let server = try TestServer {
            $0.staticFilesDirectory = folder.path
            $0.pathPrefix = "/pre"
        }
        defer { server.stop() }
        let request = "GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n"
        for behind in ["", request, "GET /v1 HTTP/1.1\r\nX", "\r\n\r\n"] {
            let socket = try RawSocket(port: server.port)
            try socket.send(request + behind)
            let reply = try HTTPReply(from: socket)
            #expect(reply.headers["connection"] == "close")
            // A reset where something was left unread.
            #expect(throws: RawSocketError.self) { try socket.read(1) }
        }
    }

    @Test(arguments: [
        "/../outside.txt", "/%2e%2e/outside.txt", "/sub/../../outside.txt", "/..%2foutside.txt", "/link.txt",
        "/.secret",
        "/sub/%2e%2e/%2e%2e/outside.txt", "//outside.txt", "/sub", "/nothing", "/phone.js/", "/phone.js%00.html",
    ])
    func `only the folder's files are found`(target: String) throws {
        let folder = try Folder()
        let server = try TestServer { $0.staticFilesDirectory = folder.path }
        defer { server.stop() }
        let socket = try RawSocket(port: server.port)
        try socket.send("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
        do {
            let reply = try HTTPReply(from: socket)
            #expect(reply.status == 404 || reply.status == 403 || reply.status == 400)
            let body = String(decoding: reply.body, as: UTF8.self)
            #expect(!body.contains("outside\n") && !body.hasPrefix("outside") && !body.contains("secret\n"))
        } catch let error as RawSocketError {
            #expect(error == .ended || error == .reset)  // refused without a word
        }
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
    func `other methods are refused`(method: String) throws {
        let server = try TestServer()
        defer { server.stop() }
        let reply = try HTTPReply.fetch(method, "/healthz", port: server.port, headers: ["Content-Length: 0"])
        #expect(reply.status == 405)
        #expect(reply.headers["allow"] == "GET, HEAD")
    }

    @Test(arguments: [
        "CONNECT x:1 HTTP/1.1", "FOO / HTTP/1.1", "GET healthz HTTP/1.1", "\u{16}\u{03}\u{01}", "PRI * HTTP/2.0",
    ])
    func `an invalid request is disconnected and the hub continues`(line: String) throws {
        let server = try TestServer { $0.handshakeTimeout = .seconds(1) }
        defer { server.stop() }
        let socket = try RawSocket(port: server.port)
        try socket.send("\(line)\r\nHost: x\r\n\r\nSM\r\n\r\n")
        _ = try socket.waitForEnd()
        #expect(try HTTPReply.fetch("/healthz", port: server.port).status == 200)
    }

    @Test func `the WebSocket is available on its path only, with its version and subprotocol`() throws {
        let server = try TestServer()
        defer { server.stop() }
        func status(_ path: String, _ subprotocol: String?, _ headers: [String] = [], version: Int = 13) throws -> Int {
            let socket = try RawSocket(port: server.port)
            var lines = [
                "GET \(path) HTTP/1.1", "Host: h:1", "Upgrade: websocket", "Connection: Upgrade",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: \(version)",
            ]
            if let subprotocol { lines.append("Sec-WebSocket-Protocol: \(subprotocol)") }
            try socket.send((lines + headers).joined(separator: "\r\n") + "\r\n\r\n")
            return try HTTPReply(from: socket).status
        }
        #expect(try status("/v1", "callhub.v1") == 101)
        #expect(try status("/v1?token=x", "callhub.v1") == 101)
        #expect(try status("/v1", nil) == 101)
        #expect(try status("/v1", "chat, callhub.v1") == 101)
        #expect(try status("/v1", "chat") == 400)
        #expect(try status("/v2", "callhub.v1") == 404)
        #expect(try status("/", "callhub.v1") == 404)
        #expect(try status("/v1", "callhub.v1", version: 8) == 426)
        #expect(try HTTPReply.fetch("/v1", port: server.port).status == 426)
        #expect(server.log.now.infos.count == 4)
        #expect(server.log.now.infos.allSatisfy { $0.address.text == "127.0.0.1" })
    }

    @Test func `a client that sends requests without reading is disconnected`() throws {
        let server = try TestServer { $0.sendBufferBytes = 8192 }
        defer { server.stop() }
        let socket = try RawSocket(port: server.port, receiveBufferBytes: 4096)
        let request = "GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n"
        // The hub stops reading at some point, so that not all of it can be sent.
        try? socket.send(Array(String(repeating: request, count: 2000).utf8), timeout: 0.3)
        #expect(server.waitForCounters(seconds: 8) { $0.sockets == 0 })
        #expect(try HTTPReply.fetch("/healthz", port: server.port).status == 200)
    }

    @Test func `a request with a body is refused, and one behind another request is ignored`() throws {
        let server = try TestServer()
        defer { server.stop() }
        let plain = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
        let empty = "GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"
        for fault in ["Content-Length: 5", "Content-Length: -1", "Content-Length: x", "Transfer-Encoding: chunked"] {
            let faulty = "GET /healthz HTTP/1.1\r\nHost: x\r\n\(fault)\r\n\r\nhello"
            for (request, status) in [(plain + faulty, 200), (empty + faulty, 200), (faulty + plain, 400)] {
                let socket = try RawSocket(port: server.port)
                try socket.send(request)
                #expect(try HTTPReply(from: socket).status == status)
                #expect(throws: RawSocketError.self) { try socket.read(1) }
            }
        }
        #expect(try HTTPReply.fetch("/healthz", port: server.port).status == 200)
    }

    @Test func `an upgrade to another protocol is refused`() throws {
        let server = try TestServer()
        defer { server.stop() }
        // The library answers by itself, and frees the headers before it asks.
        let unknown = try RawSocket(port: server.port)
        try unknown.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: tea\r\n\r\n")
        #expect(try HTTPReply(from: unknown).status == 403)
        #expect(throws: RawSocketError.self) { try unknown.read(1) }
        let socket = try RawSocket(port: server.port)
        let settings = "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA"
        try socket.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\(settings)\r\n\r\n")
        #expect(try HTTPReply(from: socket).status == 400)
    }
}
