import HubTestSupport
import Testing

@testable import HubServer

/// The ends of connections, and their close codes and events.
@Suite struct TransportCloseTests {
    @Test(
        arguments: [
            (UInt16?(1000), ConnectionEnd.normal), (1001, .lost), (nil, .lost), (4000, .lost), (3000, .lost),
        ]
    )
    func `only close code 1000 is a regular end`(end: (UInt16?, ConnectionEnd)) throws {
        let (code, how) = end
        let server = try TestServer()
        defer { server.stop() }
        let client = try RawWebSocket(port: server.port)
        try client.sendClose(code: code, reason: code == nil ? "" : "bye")
        #expect(try client.readCloseCode() == code ?? 1005)
        #expect(server.log.wait { $0.ends == [how] })
        #expect(try client.socket.waitForEnd() == .ended)
        #expect(server.waitForCounters { $0.sockets == 0 && $0.connections == 0 })
    }

    @Test func `a reset and a vanished peer are losses`() throws {
        let server = try TestServer()
        defer { server.stop() }
        let first = try RawWebSocket(port: server.port)
        #expect(server.log.wait { $0.opened.count == 1 })
        first.socket.reset()
        #expect(server.log.wait { $0.ends == [.lost] })
        let second = try RawWebSocket(port: server.port)
        #expect(server.log.wait { $0.opened.count == 2 })
        second.socket.close()
        #expect(server.log.wait { $0.ends == [.lost, .lost] })
        let third = try RawWebSocket(port: server.port)
        third.socket.halfClose()
        #expect(server.log.wait { $0.ends == [.lost, .lost, .lost] })
        #expect(server.waitForCounters { $0.sockets == 0 && $0.connections == 0 })
    }

    @Test func `a stopping loop does not reset a client that still sends, and waits for its close frame`() throws {
        let server = try TestServer(.receiveOnly) { $0.closeTimeout = .seconds(20) }
        let clients = try (0..<2).map { _ in try RawWebSocket(port: server.port) }
        try #require(server.log.wait { $0.opened.count == 2 })
        #expect(server.onLoop { $0.stopAfterClosing() } != nil)
        for client in clients {
            #expect(try client.readCloseCode() == 1001)
            for _ in 0..<50 { try client.send(opcode: 2, [UInt8](repeating: 0x80, count: 200)) }
        }
        #expect(server.log.wait { $0.ends == [.closedByHub, .closedByHub] })
        for client in clients {
            try client.sendClose(code: 1001)
            #expect(try client.socket.waitForEnd() == .ended)
        }
        server.loopGroup.join()
    }

    @Test func `a stopping loop resets a client that does not answer in time`() throws {
        let server = try TestServer { $0.closeTimeout = .milliseconds(100) }
        let client = try RawWebSocket(port: server.port)
        try #require(server.log.wait { $0.opened.count == 1 })
        #expect(server.onLoop { $0.stopAfterClosing() } != nil)
        #expect(try client.readCloseCode() == 1001)
        server.loopGroup.join()
        #expect(try client.socket.waitForEnd() == .reset)
    }

    /// A malformed frame, and its fault.
    struct Fault: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var bytes: [UInt8]
        var code: UInt16 = 1002
    }

    static let faults = [
        Fault(testDescription: "opcode 3", bytes: RawWebSocket.bytes(opcode: 3, [1])),
        Fault(testDescription: "opcode 11", bytes: RawWebSocket.bytes(opcode: 11, [])),
        Fault(testDescription: "reserved bit", bytes: RawWebSocket.bytes(opcode: 1, [0x41], reserved: 4)),
        Fault(testDescription: "continuation of nothing", bytes: RawWebSocket.bytes(opcode: 0, [1])),
        Fault(testDescription: "ping in pieces", bytes: RawWebSocket.bytes(opcode: 9, [1], isFinal: false)),
        Fault(
            testDescription: "message inside a message",
            bytes: RawWebSocket.bytes(opcode: 1, [0x41], isFinal: false) + RawWebSocket.bytes(opcode: 1, [0x41])
        ),
        Fault(testDescription: "bad UTF-8", bytes: RawWebSocket.bytes(opcode: 1, [0x41, 0xFF, 0x41]), code: 1007),
        Fault(testDescription: "cut off UTF-8", bytes: RawWebSocket.bytes(opcode: 1, [0xE2, 0x88]), code: 1007),
        Fault(
            testDescription: "UTF-8 cut off by an empty fragment",
            bytes: RawWebSocket.bytes(opcode: 1, [0xE2, 0x88], isFinal: false) + RawWebSocket.bytes(opcode: 0, []),
            code: 1007
        ),
        Fault(
            testDescription: "announced too large",
            bytes: RawWebSocket.bytes(opcode: 1, [0x41], announcedLength: 65_537),
            code: 1009
        ),
        Fault(
            testDescription: "announced absurdly large",
            bytes: RawWebSocket.bytes(opcode: 2, [0x41], announcedLength: 1 << 62),
            code: 1009
        ),
        Fault(
            testDescription: "too large in pieces",
            bytes: RawWebSocket.bytes(opcode: 1, [UInt8](repeating: 0x41, count: 65_000), isFinal: false)
                + RawWebSocket.bytes(opcode: 0, [UInt8](repeating: 0x41, count: 1000)),
            code: 1009
        ),
    ]

    @Test(arguments: faults)
    func `a malformed frame closes the connection with its code and is a loss`(fault: Fault) throws {
        let server = try TestServer()
        defer { server.stop() }
        let client = try RawWebSocket(port: server.port)
        try client.socket.send(fault.bytes)
        #expect(try client.readCloseCode() == fault.code)
        #expect(server.log.wait { $0.ends == [.lost] })
        client.socket.close()
        #expect(server.waitForCounters { $0.sockets == 0 && $0.connections == 0 })
    }

    @Test func `masked messages of many lengths are never mistaken for unmasked ones`() throws {
        let server = try TestServer(.receiveOnly)
        defer { server.stop() }
        let client = try RawWebSocket(port: server.port)
        var generator = SystemRandomNumberGenerator()
        var count = 0
        for length in [0, 1, 2, 5, 124, 125, 126, 127, 128, 254, 255, 256, 400, 3000] {
            for _ in 0..<30 {
                let text = (0..<length).map { _ in UInt8.random(in: 32..<127, using: &generator) }
                try client.send(opcode: 1, text)
                try client.send(opcode: 2, text)
                count += 1
            }
        }
        #expect(server.log.wait { $0.texts.count == count && $0.audioCount + $0.oversize.count == count })
        #expect(server.log.now.ends.isEmpty)
    }

    @Test func `a close by the hub follows the texts before it`() throws {
        let server = try TestServer()
        defer { server.stop() }
        let client = try RawWebSocket(port: server.port)
        try client.send(text: "!close 4321 because")
        #expect(try client.readFrame().text == "last words")
        let close = try client.readFrame()
        #expect(close.closeCode == 4321)
        #expect(close.payload.dropFirst(2) == Array("because".utf8)[...])
        try client.sendClose(code: 4321)
        #expect(try client.socket.waitForEnd() == .ended)
        #expect(server.log.wait { $0.ends == [.closedByHub] })
        #expect(server.waitForCounters { $0.sockets == 0 && $0.connections == 0 })
    }

    @Test func `a long close reason is truncated between characters`() throws {
        let server = try TestServer()
        defer { server.stop() }
        let client = try RawWebSocket(port: server.port)
        try client.send(text: "!close 4000 " + String(repeating: "ä", count: 100))
        _ = try client.readFrame()
        #expect(try client.readFrame().payload.dropFirst(2).count == 122)
    }

    @Test func `a peer that does not answer a close is disconnected`() throws {
        let server = try TestServer { $0.closeTimeout = .milliseconds(100) }
        defer { server.stop() }
        let client = try RawWebSocket(port: server.port)
        try client.send(text: "!close 1000 go")
        #expect(try client.readCloseCode() == 1000)
        #expect(try client.socket.waitForEnd() == .reset)
        #expect(server.waitForCounters { $0.sockets == 0 && $0.connections == 0 })
    }

    @Test func `an abort resets the connection`() throws {
        let server = try TestServer()
        defer { server.stop() }
        let client = try RawWebSocket(port: server.port)
        try client.send(text: "!abort")
        #expect(try client.socket.waitForEnd() == .reset)
        #expect(server.log.wait { $0.ends == [.closedByHub] })
    }

    @Test func `a connection may be sent a text, closed and aborted while it opens`() throws {
        let polite = try TestServer(.greetAndClose)
        defer { polite.stop() }
        let client = try RawWebSocket(port: polite.port)
        #expect(try client.readFrame().text == "welcome")
        #expect(try client.readCloseCode() == 4001)
        #expect(polite.log.wait { $0.ends == [.closedByHub] })
        let rude = try TestServer(.abortAtOnce)
        defer { rude.stop() }
        let socket = try RawSocket(port: rude.port)
        try RawWebSocket(socket).requestUpgrade(host: "x")
        _ = try socket.waitForEnd()
        #expect(rude.log.wait { $0.ends == [.closedByHub] })
        #expect(rude.waitForCounters { $0.sockets == 0 && $0.connections == 0 })
    }

    @Test func `other connections may be closed and aborted while one is processed`() throws {
        let server = try TestServer()
        defer { server.stop() }
        for order in ["!closeOthers", "!abortOthers"] {
            let clients = try (0..<20).map { _ in try RawWebSocket(port: server.port) }
            // All have something waiting to be read when the first is served.
            try clients[0].send(text: order)
            for client in clients.dropFirst() { try? client.send(text: "me too") }
            for client in clients.dropFirst() {
                let code = try client.readCloseCode()
                #expect(code == (order == "!closeOthers" ? 4002 : 1006))
                client.socket.close()
            }
            try clients[0].send(text: "alone")
            #expect(try clients[0].readFrame().text == "alone")
            try clients[0].sendClose(code: 1000)
            _ = try clients[0].readCloseCode()
            #expect(server.waitForCounters { $0.sockets == 0 && $0.connections == 0 })
        }
    }

    @Test func `a stopped hub closes with 1001`() throws {
        let server = try TestServer()
        let clients = try (0..<5).map { _ in try RawWebSocket(port: server.port) }
        #expect(server.log.wait { $0.opened.count == 5 })
        server.stop()
        for client in clients { #expect(try client.readCloseCode() == 1001) }
        #expect(server.log.now.ends == [ConnectionEnd](repeating: .closedByHub, count: 5))
    }
}
