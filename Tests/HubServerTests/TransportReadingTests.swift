import HubTestSupport
import Testing

@testable import HubServer

/// The reading of messages: early, split and mixed ones, and a pause in reading.
@Suite struct TransportReadingTests {
    @Test func `a client that sends before the handshake's reply is read in order`() throws {
        let server = try TestServer()
        defer { server.stop() }
        let socket = try RawSocket(port: server.port)
        let request = [
            "GET /v1 HTTP/1.1", "Host: x", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13", "", "",
        ].joined(separator: "\r\n")
        // The beginning of a frame comes with the handshake.
        let frame = RawWebSocket.bytes(opcode: 1, Array("early".utf8))
        try socket.send(Array(request.utf8) + frame.prefix(7))
        #expect(try HTTPReply(from: socket).status == 101)
        try socket.send(Array(frame.dropFirst(7)))
        let client = RawWebSocket(socket)
        #expect(try client.readFrame().text == "early")
        for number in 0..<12 {
            try client.send(text: "\(number)")
            #expect(try client.readFrame().text == "\(number)")
        }
    }

    /// The library turns these into 1002, as it does with the ones that may not be sent: one answer for all of them.
    @Test(arguments: [999, 1002, 1004, 1005, 1006, 1012, 1013, 1014, 1015, 1016, 2999] as [UInt16])
    func `a close with 1012 to 1014, or with a reserved code, is answered with 1000`(code: UInt16) throws {
        let server = try TestServer()
        defer { server.stop() }
        let client = try RawWebSocket(port: server.port)
        try client.sendClose(code: code)
        #expect(try client.readCloseCode() == 1000)
        #expect(try client.socket.waitForEnd() == .ended)
        #expect(server.log.wait { $0.ends == [.lost] })
        #expect(server.waitForCounters { $0.sockets == 0 && $0.connections == 0 })
    }

    @Test func `of many pings at once some are answered, in order, and the next message is read`() throws {
        let server = try TestServer()
        defer { server.stop() }
        let client = try RawWebSocket(port: server.port)
        let pings = (0..<500).flatMap { RawWebSocket.bytes(opcode: 9, Array("\($0)".utf8)) }
        try client.socket.send(pings + RawWebSocket.bytes(opcode: 1, Array("there?".utf8)))
        var answers: [Int] = []
        var frame = try client.readFrame()
        while frame.opcode == 10 {
            answers.append(try #require(Int(String(decoding: frame.payload, as: UTF8.self))))
            frame = try client.readFrame()
        }
        #expect(frame.text == "there?")
        #expect(answers == answers.sorted())
        #expect(server.log.wait { $0.texts == ["there?"] })
        try client.send(opcode: 9, Array("the last".utf8))
        repeat { frame = try client.readFrame() } while frame.payload != Array("the last".utf8)
        #expect(frame.opcode == 10)
    }

    @Test func `messages received while reading is paused are processed afterwards, in order`() throws {
        let server = try TestServer()
        defer { server.stop() }
        let client = try RawWebSocket(port: server.port)
        let texts = (0..<400).map { "text \($0)" }
        for round in 1...3 {
            let frames = (["!pause"] + texts).flatMap { RawWebSocket.bytes(opcode: 1, Array($0.utf8)) }
            try client.socket.send(frames)
            #expect(server.log.wait { $0.texts.last == "!pause" })
            let id = try #require(server.log.now.opened.last)
            // One loop iteration later still no other message was processed.
            _ = server.onLoop { _ in }
            #expect(server.log.now.texts.count == (round - 1) * 401 + 1)
            _ = server.onLoop { $0.setReading(true, from: id) }
            for text in texts { #expect(try client.readFrame().text == text) }
        }
    }

    @Test func `bytes after a malformed frame are ignored, and the connection ends when its peer closes it`() throws {
        let server = try TestServer()
        defer { server.stop() }
        let client = try RawWebSocket(port: server.port)
        let broken = RawWebSocket.bytes(opcode: 3, [1]) + RawWebSocket.bytes(opcode: 1, Array("no".utf8))
        try client.socket.send(broken)
        #expect(try client.readCloseCode() == 1002)
        try client.send(text: "still no")
        client.socket.close()
        #expect(server.waitForCounters { $0.sockets == 0 && $0.connections == 0 })
        #expect(server.log.now.texts.isEmpty)
        #expect(server.log.now.ends == [.lost])
    }

    /// Legal frames in any order, cut anywhere.
    @Test(arguments: 0..<20)
    func `randomly split and mixed messages arrive complete and in order`(seed: UInt64) throws {
        var random = SeededGenerator(state: seed)
        var (stream, texts, packets, oversize): ([UInt8], [String], Int, [Int]) = ([], [], 0, [])
        for _ in 0..<60 {
            let isText = Bool.random(using: &random)
            let size = [0, 1, 5, 124, 125, 126, 300, 1500, 1501, 5000].randomElement(using: &random) ?? 0
            let payload = (0..<size).map { _ in UInt8.random(in: 32..<127, using: &random) }
            var rest = payload[...]
            var isFirst = true
            repeat {
                let count = Int.random(in: 0...3, using: &random) == 0 ? rest.count / 2 : rest.count
                let piece = Array(rest.prefix(count))
                rest = rest.dropFirst(count)
                let opcode: UInt8 = !isFirst ? 0 : isText ? 1 : 2
                stream += RawWebSocket.bytes(opcode: opcode, piece, isFinal: rest.isEmpty)
                isFirst = false
                if Int.random(in: 0...9, using: &random) == 0 { stream += RawWebSocket.bytes(opcode: 9, [1, 2, 3]) }
            } while !rest.isEmpty
            if isText {
                texts.append(String(decoding: payload, as: UTF8.self))
            } else if size > 1500 {
                oversize.append(size)
            } else {
                packets += 1
            }
        }
        let server = try TestServer(.receiveOnly)
        defer { server.stop() }
        let client = try RawWebSocket(port: server.port)
        random = SeededGenerator(state: seed)
        var rest = stream[...]
        while !rest.isEmpty {
            let count = Int.random(in: 1...1200, using: &random)
            try client.socket.send(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
            // The hub has read that by now.
            _ = server.onLoop { _ in }
        }
        // The last message may be any of the three.
        #expect(
            server.log.wait {
                $0.texts.count >= texts.count && $0.audioCount >= packets
                    && $0.oversize.suffix(oversize.count) == oversize[...]
            }
        )
        #expect(server.log.now.texts == texts)
        #expect(server.log.now.audioCount == packets)
        #expect(server.log.now.ends.isEmpty)
    }
}

/// A generator that gives the same numbers for the same seed.
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
