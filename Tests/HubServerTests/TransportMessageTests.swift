import HubTestSupport
import Testing

@testable import HubServer

/// Messages, complete and fragmented, in both directions.
@Suite struct TransportMessageTests {
    @Test func `text and audio are echoed`() throws {
        let server = try TestServer()
        defer { server.stop() }
        let client = try RawWebSocket(port: server.port)
        try client.send(text: "hello")
        #expect(try client.readFrame() == .init(opcode: 1, payload: Array("hello".utf8)))
        let packet = (0..<160).map { UInt8($0) }
        try client.send(binary: packet)
        #expect(try client.readFrame() == .init(opcode: 2, payload: packet))
    }

    @Test(arguments: [0, 1, 2, 125, 126, 127, 1000, 1499, 1500])
    func `an audio packet of any size is forwarded byte by byte`(size: Int) throws {
        let server = try TestServer(.relay)
        defer { server.stop() }
        let talker = try RawWebSocket(port: server.port)
        let listeners = try (0..<3).map { _ in try RawWebSocket(port: server.port) }
        #expect(server.log.wait { $0.opened.count == 4 })
        let packets = (0..<20).map { number in (0..<size).map { UInt8(truncatingIfNeeded: $0 &+ number) } }
        for packet in packets { try talker.send(binary: packet) }
        for listener in listeners {
            for packet in packets { #expect(try listener.readFrame() == .init(opcode: 2, payload: packet)) }
        }
    }

    @Test func `a packet split at any byte is forwarded complete`() throws {
        let server = try TestServer(.relay)
        defer { server.stop() }
        let talker = try RawWebSocket(port: server.port)
        let listener = try RawWebSocket(port: server.port)
        #expect(server.log.wait { $0.opened.count == 2 })
        let packet = (0..<130).map { UInt8($0) }
        let frame = RawWebSocket.bytes(opcode: 2, packet)
        for cut in 1..<frame.count {
            try talker.socket.send(Array(frame[..<cut]))
            // Something answered from the other connection: the first part has been read by then.
            try listener.send(text: "x")
            #expect(try listener.readFrame().text == "x")
            try talker.socket.send(Array(frame[cut...]))
            #expect(try listener.readFrame() == .init(opcode: 2, payload: packet))
        }
    }

    @Test func `a burst of packets arrives in order`() throws {
        let server = try TestServer(.relay)
        defer { server.stop() }
        let talker = try RawWebSocket(port: server.port)
        let listener = try RawWebSocket(port: server.port)
        #expect(server.log.wait { $0.opened.count == 2 })
        let packets = (0..<100).map { [UInt8](repeating: UInt8($0), count: 60 + $0) }
        try talker.socket.send(packets.flatMap { RawWebSocket.bytes(opcode: 2, $0) })
        for packet in packets { #expect(try listener.readFrame().payload == packet) }
    }

    @Test func `fragments are joined into one message, and pings in between are answered`() throws {
        let server = try TestServer()
        defer { server.stop() }
        let client = try RawWebSocket(port: server.port)
        for opcode: UInt8 in [1, 2] {
            try client.send(opcode: opcode, Array("one ".utf8), isFinal: false)
            try client.send(opcode: 9, Array("are you there".utf8))
            try client.send(opcode: 0, Array("two ".utf8), isFinal: false)
            try client.send(opcode: 0, Array("three".utf8))
            let frames = [try client.readFrame(), try client.readFrame()]
            #expect(frames.contains(.init(opcode: 10, payload: Array("are you there".utf8))))
            #expect(frames.contains(.init(opcode: opcode, payload: Array("one two three".utf8))))
        }
    }

    @Test func `empty messages and empty fragments are messages`() throws {
        let server = try TestServer()
        defer { server.stop() }
        let client = try RawWebSocket(port: server.port)
        try client.send(text: "")
        #expect(try client.readFrame() == .init(opcode: 1, payload: []))
        try client.send(opcode: 1, [], isFinal: false)
        try client.send(opcode: 0, [0x41], isFinal: false)
        try client.send(opcode: 0, [])
        #expect(try client.readFrame() == .init(opcode: 1, payload: [0x41]))
    }

    @Test(arguments: [4096, 20_000, 65_536])
    func `long texts arrive complete`(size: Int) throws {
        let server = try TestServer()
        defer { server.stop() }
        let client = try RawWebSocket(port: server.port)
        let text = String(repeating: "abcdefg√", count: size / 10)
        for _ in 0..<3 {
            try client.send(text: text)
            #expect(try client.readFrame().text == text)
        }
    }

    @Test func `audio that is too large is reported and the connection stays open`() throws {
        let server = try TestServer()
        defer { server.stop() }
        let client = try RawWebSocket(port: server.port)
        for size in [1501, 3000, 60_000] { try client.send(binary: [UInt8](repeating: 1, count: size)) }
        try client.send(opcode: 2, [UInt8](repeating: 1, count: 1000), isFinal: false)
        try client.send(opcode: 0, [UInt8](repeating: 1, count: 1000))
        try client.send(binary: [7])
        #expect(try client.readFrame() == .init(opcode: 2, payload: [7]))
        #expect(server.log.now.oversize.suffix(4) == [1501, 3000, 60_000, 2000])
    }

    @Test func `messages sent together with the handshake are not lost`() throws {
        let server = try TestServer()
        defer { server.stop() }
        let socket = try RawSocket(port: server.port)
        let request = [
            "GET /v1 HTTP/1.1", "Host: x", "Upgrade: websocket", "Connection: keep-alive, Upgrade",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13", "", "",
        ].joined(separator: "\r\n")
        let frames = RawWebSocket.bytes(opcode: 1, Array("early".utf8)) + RawWebSocket.bytes(opcode: 2, [1, 2, 3])
        try socket.send(Array(request.utf8) + frames)
        let reply = try HTTPReply(from: socket)
        #expect(reply.status == 101)
        #expect(reply.headers["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(reply.headers["sec-websocket-extensions"] == nil)
        let client = RawWebSocket(socket)
        #expect(try client.readFrame().text == "early")
        #expect(try client.readFrame() == .init(opcode: 2, payload: [1, 2, 3]))
    }

    @Test func `the identifier of a closed connection is no longer valid`() throws {
        let server = try TestServer()
        defer { server.stop() }
        let first = try RawWebSocket(port: server.port)
        try first.sendClose(code: 1000)
        #expect(try first.readCloseCode() == 1000)
        #expect(server.log.wait { $0.ends.count == 1 })
        #expect(server.waitForCounters { $0.connections == 0 })
        let second = try RawWebSocket(port: server.port)
        #expect(server.log.wait { $0.opened.count == 2 })
        let names = server.log.now.opened
        #expect(names[0].slot == names[1].slot)
        #expect(names[0].generation != names[1].generation)
        _ = server.onLoop { loop in
            loop.sendText(Array("wrong".utf8), to: names[0])
            loop.close(names[0], code: 1000, reason: "wrong")
            loop.abort(names[0])
            loop.sendText(Array("right".utf8), to: names[1])
        }
        #expect(try second.readFrame().text == "right")
    }
}
