import HubTestSupport
import Testing

@testable import HubServer

/// The limits on connections and sockets, and the responses to those beyond the limits.
struct ConnectionLimitTests {
    private func answer(_ port: Int, _ headers: [String] = []) throws -> HTTPReply {
        let socket = try RawSocket(port: port)
        try RawWebSocket(socket).requestUpgrade(host: "127.0.0.1", headers: headers)
        let reply = try HTTPReply(from: socket)
        if reply.status != 101 { _ = try socket.waitForEnd() }
        return reply
    }

    @Test func `a full hub refuses with a retry time, and still serves its health check`() throws {
        let server = try TestServer { $0.maximumConnections = 5 }
        defer { server.stop() }
        var inside = try (0..<5).map { _ in try RawWebSocket(port: server.port) }
        let refusal = try answer(server.port)
        #expect(refusal.status == 503)
        #expect(refusal.headers["retry-after"] == "10")
        #expect(String(decoding: refusal.body, as: UTF8.self).contains("try again later"))
        #expect(try HTTPReply.fetch("/index.html", port: server.port).status == 503)
        #expect(try HTTPReply.fetch("/healthz", port: server.port).status == 200)
        #expect(server.onLoop { $0.counters.refusedFull } == 2)
        // Those inside notice nothing.
        for socket in inside { try socket.send(text: "still here") }
        for socket in inside { #expect(try socket.readFrame().text == "still here") }
        inside.removeLast().socket.close()
        #expect(server.waitForCounters { $0.sockets == 4 })
        #expect(throws: Never.self) { try RawWebSocket(port: server.port) }
    }

    @Test func `beyond its reserve a full hub closes connections without a response`() throws {
        let server = try TestServer { $0.maximumConnections = 2 }
        defer { server.stop() }
        let inside = try (0..<2).map { _ in try RawWebSocket(port: server.port) }
        let silent = try (0..<ConnectionLimiter.reserve).map { _ in try RawSocket(port: server.port) }
        #expect(server.waitForCounters { $0.sockets == 2 + ConnectionLimiter.reserve })
        let last = try RawSocket(port: server.port)
        _ = try last.waitForEnd()
        #expect(server.onLoop { $0.counters.refusedFull } == 1)
        for socket in silent { socket.close() }
        #expect(server.waitForCounters { $0.sockets == 2 })
        #expect(try answer(server.port).status == 503)
        for socket in inside { try socket.send(text: "x") }
        for socket in inside { #expect(try socket.readFrame().text == "x") }
    }

    @Test func `an address has a limited number of connections, and one more after one is closed`() throws {
        let server = try TestServer {
            $0.exemptAddresses = []
            $0.trustedProxies = AddressRange.loopback
            $0.maximumConnectionsPerAddress = 3
        }
        defer { server.stop() }
        let (office, other) = (["X-Forwarded-For: 203.0.113.9"], ["X-Forwarded-For: 203.0.113.10"])
        var inside = try (0..<3).map { _ in try RawWebSocket(port: server.port, headers: office) }
        let refusal = try answer(server.port, office)
        #expect(refusal.status == 429)
        #expect(refusal.headers["retry-after"] == "30")
        #expect(String(decoding: refusal.body, as: UTF8.self).hasPrefix("203.0.113.9 has 3 connections here"))
        #expect(try answer(server.port, other).status == 101)
        #expect(server.onLoop { $0.counters.refusedByAddress } == 1)
        inside.removeLast().socket.close()
        #expect(server.waitForCounters { $0.sockets == 2 })
        inside.append(try RawWebSocket(port: server.port, headers: office))
        #expect(try answer(server.port, office).status == 429)
    }

    @Test func `an exempt address has no limit of its own`() throws {
        let server = try TestServer {
            $0.maximumConnectionsPerAddress = 1
            $0.maximumHandshakesPerAddress = 1
        }
        defer { server.stop() }
        let sockets = try (0..<5).map { _ in try RawSocket(port: server.port) }
        let connections = try (0..<5).map { _ in try RawWebSocket(port: server.port) }
        #expect(server.onLoop { $0.counters.refusedByAddress + $0.counters.refusedSockets } == 0)
        withExtendedLifetime((sockets, connections)) {}
    }

    @Test func `an address has a limited number of sockets without a request, and a timeout for them`() throws {
        let server = try TestServer {
            $0.exemptAddresses = []
            $0.maximumHandshakesPerAddress = 4
            $0.handshakeTimeout = .seconds(7)
        }
        defer { server.stop() }
        // A connection is none of them any more.
        let inside = try (0..<6).map { _ in try RawWebSocket(port: server.port) }
        let slow = try (0..<4).map { _ in try RawSocket(port: server.port) }
        for socket in slow { try socket.send("GET /v1 HTTP/1.1\r\nHo") }
        #expect(server.waitForCounters { $0.sockets == 10 })
        _ = try RawSocket(port: server.port).waitForEnd()
        #expect(server.onLoop { $0.counters.refusedSockets } == 1)
        for socket in slow { _ = try socket.waitForEnd(timeout: 40) }
        #expect(server.waitForCounters { $0.handshakeTimeouts == 4 })
        #expect(try HTTPReply.fetch("/healthz", port: server.port).status == 200)
        #expect(server.onLoop { $0.counters.handshakeTimeouts } == 4)
        for socket in inside { try socket.send(text: "x") }
        for socket in inside { #expect(try socket.readFrame().text == "x") }
    }

    @Test func `connections without sign-in and messages that are too long are counted`() throws {
        let server = try TestServer(signsInAtOnce: false) {
            $0.signInTimeout = .seconds(2)
            $0.maximumMessageBytes = 5000
        }
        defer { server.stop() }
        let long = try RawWebSocket(port: server.port)
        try long.send(text: String(repeating: "x", count: 5001))
        #expect(try long.readCloseCode() == 1009)
        let stranger = try RawWebSocket(port: server.port)
        #expect(try stranger.readCloseCode() == 1008)
        let counters = try #require(server.onLoop { $0.counters })
        #expect(counters.messagesTooLong == 1)
        #expect(counters.signInTimeouts == 1)
    }

    @Test func `an address is remembered while it is connected, or has signed in recently`() throws {
        var settings = TransportSettings()
        settings.signInsPerMinute = 2
        let connectionLimiter = ConnectionLimiter(settings)
        let guests = (0..<10_000).compactMap { IPAddress("10.1.\($0 / 250).\($0 % 250)") }
        for guest in guests {
            #expect(connectionLimiter.accept(from: guest, at: 0) == .accepted)
            #expect(connectionLimiter.upgrade(guest, for: guest))
            #expect(connectionLimiter.allowsSignIn(from: guest, at: 0))
            connectionLimiter.release(guest, connectedFor: guest)
        }
        #expect(connectionLimiter.addressCount == 10_000)
        let first = try #require(guests.first)
        #expect(connectionLimiter.allowsSignIn(from: first, at: 1_000_000_000))
        #expect(!connectionLimiter.allowsSignIn(from: first, at: 2_000_000_000))
        #expect(connectionLimiter.allowsSignIn(from: first, at: 32_000_000_000))
        for number in 0..<12_000 {
            let guest = try #require(IPAddress("10.2.\(number / 250).\(number % 250)"))
            #expect(connectionLimiter.allowsSignIn(from: guest, at: 120_000_000_000))
        }
        #expect(connectionLimiter.addressCount < 13_000)
    }
}
