import HubTestSupport
import Testing

@testable import HubServer

/// Pings, and the timeouts after which connections are closed.
@Suite struct TransportLivenessTests {
    @Test func `a silent peer is pinged, then lost`() throws {
        let server = try TestServer {
            $0.pingInterval = .milliseconds(60)
            $0.silenceTimeout = .seconds(2)
        }
        defer { server.stop() }
        let client = try RawWebSocket(port: server.port)
        let ping = try client.readFrame()
        #expect(ping.opcode == 9)
        #expect(!ping.payload.isEmpty)
        #expect(try client.socket.waitForEnd() == .reset)
        #expect(server.log.wait { $0.ends == [.lost] })
        #expect(server.onLoop { $0.counters.silent } == 1)
    }

    @Test func `a pong keeps a connection open`() throws {
        let server = try TestServer {
            $0.pingInterval = .milliseconds(60)
            $0.silenceTimeout = .seconds(4)
        }
        defer { server.stop() }
        let client = try RawWebSocket(port: server.port)
        // For longer than the timeout.
        let end = Deadline(seconds: 5)
        while !end.isOver {
            let ping = try client.readFrame()
            #expect(ping.opcode == 9)
            try client.send(opcode: 10, ping.payload)
        }
        try client.send(text: "still here")
        var frame = try client.readFrame()
        while frame.opcode == 9 { frame = try client.readFrame() }
        #expect(frame.text == "still here")
    }

    @Test func `a peer that only receives is lost although much is sent to it`() throws {
        let server = try TestServer {
            $0.pingInterval = .milliseconds(50)
            $0.silenceTimeout = .milliseconds(300)
        }
        defer { server.stop() }
        let client = try RawWebSocket(port: server.port)
        #expect(server.log.wait { $0.opened.count == 1 })
        let id = server.log.now.opened[0]
        while server.log.now.ends.isEmpty {
            _ = server.onLoop { $0.sendText(Array("news".utf8), to: id) }
        }
        #expect(server.log.now.ends == [.lost])
        _ = client
    }

    @Test func `a connection without a sign-in is closed with 1008`() throws {
        let server = try TestServer(signsInAtOnce: false) { $0.signInTimeout = .seconds(3) }
        defer { server.stop() }
        let stranger = try RawWebSocket(port: server.port)
        let guest = try RawWebSocket(port: server.port)
        try guest.send(text: "!sign")
        #expect(try stranger.readCloseCode() == 1008)
        try guest.send(text: "me")
        #expect(try guest.readFrame().text == "me")
    }

    @Test(.timeLimit(.minutes(1)))
    func `slow and silent handshakes are disconnected while others are served`() throws {
        let server = try TestServer { $0.handshakeTimeout = .seconds(2) }
        defer { server.stop() }
        let silent = try RawSocket(port: server.port)
        let half = try RawSocket(port: server.port)
        try half.send("GET /v1 HTTP/1.1\r\nHost: x\r\n")
        let idle = try RawSocket(port: server.port)
        try idle.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try HTTPReply(from: idle).status == 200)
        let dribbling = try RawSocket(port: server.port)
        let start = ContinuousClock.now
        // A header byte now and then must not buy time.
        while !dribbling.isReadable {
            guard ContinuousClock.now - start < .seconds(20) else { break }
            do { try dribbling.send("X") } catch { break }
            let good = try RawWebSocket(port: server.port)
            try good.send(text: "ok")
            #expect(try good.readFrame().text == "ok")
        }
        for socket in [dribbling, silent, half, idle] { _ = try socket.waitForEnd(timeout: 20) }
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    @Test func `the deadline fires once and not early`() throws {
        let server = try TestServer()
        defer { server.stop() }
        let client = try RawWebSocket(port: server.port)
        let before = try #require(server.onLoop { $0.now })
        try client.send(text: "!deadline 10000")
        try client.send(text: "!deadline 30")
        #expect(server.log.wait { $0.deadlines.count == 1 })
        #expect(server.log.now.deadlines[0] >= before + 30_000_000)
        _ = server.onLoop { loop in
            loop.armDeadline(at: loop.now)
            loop.armDeadline(at: nil)
        }
        _ = server.onLoop { $0.armDeadline(at: 0) }
        #expect(server.log.wait { $0.deadlines.count == 2 })
    }
}
