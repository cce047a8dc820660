import HubTestSupport
import Testing

@testable import HubServer

/// Paths and header fields chosen by an attacker: the response contains only the hub's own text.
@Suite struct RequestTextTests {
    private static let notFoundResponse =
        "There is nothing at this path. The start page is at /, the WebSocket at /v1, the hub's state at /healthz, "
        + "/readyz and /metrics.\n"

    @Test(arguments: [
        "/" + String(repeating: ";", count: 200), "/" + String(repeating: "&", count: 60), "/a;b&c", "/healthz;", "/;",
        "/healthz&x", "/%00", "/a%0d%0aX:%20y", "/%ff%fe", "/caf%C3%A9", "/" + String(repeating: "a", count: 1024),
        "/" + String(repeating: "a", count: 8_000),
    ])
    func `a path whose length libwebsockets overstates exposes no memory`(target: String) throws {
        let server = try TestServer()
        defer { server.stop() }
        // Reused memory of other requests is what a response would leak.
        for _ in 0..<20 { _ = try HTTPReply.fetch("/secret", port: server.port, headers: ["Cookie: SECRET=1"]) }
        let socket = try RawSocket(port: server.port)
        try socket.send("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
        do {
            let reply = try HTTPReply(from: socket)
            #expect(reply.status == 404)
            #expect(String(decoding: reply.body, as: UTF8.self) == Self.notFoundResponse)
        } catch let error as RawSocketError {
            #expect(error == .ended || error == .reset)  // refused without a word by the library
        }
    }

    /// Comparing such texts under normalisation takes milliseconds: the abuse trial measures what they cost.
    @Test(arguments: ["Host", "Origin", "Sec-WebSocket-Protocol"])
    func `a header field of combining marks is refused without a comparison`(name: String) throws {
        let server = try TestServer()
        defer { server.stop() }
        let marks = String(repeating: "\u{301}\u{323}", count: 240)
        let socket = try RawSocket(port: server.port)
        let host = name == "Host" ? marks : "127.0.0.1"
        try RawWebSocket(socket).requestUpgrade(
            host: host,
            subprotocol: nil,
            headers: name == "Host" ? [] : ["\(name): \(marks)"]
        )
        let reply = try HTTPReply(from: socket)
        #expect(reply.status == 400)
        #expect(String(decoding: reply.body, as: UTF8.self).contains("1024 bytes of ASCII"))
    }

    @Test(arguments: ["Origin", "Sec-WebSocket-Protocol"], [1_025, 4_000, 4_096, 5_000])
    func `a header field that is too long is refused`(name: String, count: Int) throws {
        let server = try TestServer()
        defer { server.stop() }
        let socket = try RawSocket(port: server.port)
        let value = String(repeating: "a", count: count)
        try RawWebSocket(socket).requestUpgrade(host: "127.0.0.1", headers: ["\(name): \(value)"])
        #expect(try HTTPReply(from: socket).status == 400)
    }

    @Test func `a zero byte in a header field is refused and does not truncate it`() throws {
        let server = try TestServer()
        defer { server.stop() }
        let socket = try RawSocket(port: server.port)
        let origin = "http://127.0.0.1:\(server.port)"
        try RawWebSocket(socket).requestUpgrade(
            host: "127.0.0.1:\(server.port)",
            headers: ["Origin: \(origin)\0.evil.example"]
        )
        #expect(try HTTPReply(from: socket).status == 400)
    }
}
