import Foundation
import HubTestSupport
import Testing

@testable import HubServer

/// A hub behind a proxy: who its clients are, and under which path it is.
struct ProxyTests {
    private let loopback = AddressRange.loopback

    @Test func `a trusted proxy says for whom it asks, several lines of it together`() throws {
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

    @Test func `what anybody else says is not believed`() throws {
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
    func `a page goes on as its proxy has it`(forwarded: String, scheme: String, status: Int) throws {
        let server = try TestServer { $0.trustedProxies = loopback }
        defer { server.stop() }
        let socket = try RawSocket(port: server.port)
        let headers = ["X-Forwarded-Proto: \(forwarded)", "Origin: \(scheme)://localhost"]
        try RawWebSocket(socket).requestUpgrade(host: "localhost", headers: headers)
        #expect(try HTTPReply(from: socket).status == status)
    }

    @Test func `everything is under the prefix, and without it`() throws {
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
