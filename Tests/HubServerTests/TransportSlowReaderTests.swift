import HubTestSupport
import Testing

@testable import HubServer

/// Sending to a client whose connection stalls.
@Suite struct TransportSlowReaderTests {
    /// Sends numbered packets of that size from the loop; the result counts what was dropped.
    private static func sendAudio(
        _ numbers: Range<UInt32>,
        size: Int,
        to id: ConnectionID,
        on server: TestServer
    ) -> Int {
        server.onLoop { loop in
            let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
            defer { memory.deallocate() }
            let droppedBefore = loop.counters.audioDropped
            for number in numbers {
                let packet = UnsafeMutableRawBufferPointer(start: memory, count: size)
                packet.storeBytes(of: number.bigEndian, as: UInt32.self)
                loop.connections.sendAudio(UnsafeRawBufferPointer(packet), to: id)
            }
            return loop.counters.audioDropped - droppedBefore
        } ?? -1
    }

    private static func number(_ frame: RawWebSocket.Frame) -> UInt32 {
        frame.payload.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    @Test func `a stalled receiver loses the oldest audio and no text, and memory stays bounded`() throws {
        let server = try TestServer(.receiveOnly) {
            $0.sendBufferBytes = 8192
            $0.staleAfter = .seconds(60)
        }
        defer { server.stop() }
        let reader = try RawWebSocket(port: server.port, receiveBufferBytes: 4096)
        #expect(server.log.wait { $0.opened.count == 1 })
        let id = server.log.now.opened[0]
        var dropped = 0
        for round in 0..<20 {
            let first = UInt32(round * 200)
            dropped += Self.sendAudio(first..<first + 200, size: 500, to: id, on: server)
            _ = server.onLoop { $0.sendText(Array("text \(round)".utf8), to: id) }
        }
        let waiting = try #require(server.onLoop { $0.connections.slab.used })
        #expect(waiting == 32)
        var texts: [String] = []
        var numbers: [UInt32] = []
        while numbers.last != 3999 || texts.count < 20 {
            let frame = try reader.readFrame()
            if frame.opcode == 1 { texts.append(frame.text) } else { numbers.append(Self.number(frame)) }
        }
        #expect(texts == (0..<20).map { "text \($0)" })
        #expect(numbers == numbers.sorted())
        #expect(numbers.suffix(32) == (3968..<4000).map { UInt32($0) }[...])
        #expect(numbers.count + dropped == 4000)
        #expect(server.onLoop { $0.connections.slab.used } == 0)
        let counters = try #require(server.onLoop { $0.counters })
        #expect(counters.audioDroppedForRoom == dropped)
    }

    @Test func `control frames precede queued audio`() throws {
        let server = try TestServer(.receiveOnly) {
            $0.sendBufferBytes = 8192
            $0.staleAfter = .seconds(60)
        }
        defer { server.stop() }
        let reader = try RawWebSocket(port: server.port, receiveBufferBytes: 4096)
        #expect(server.log.wait { $0.opened.count == 1 })
        let id = server.log.now.opened[0]
        let dropped = Self.sendAudio(0..<300, size: 500, to: id, on: server)
        #expect(dropped > 0)
        _ = server.onLoop { $0.sendText(Array("first".utf8), to: id) }
        _ = Self.sendAudio(300..<301, size: 500, to: id, on: server)
        _ = server.onLoop { $0.sendText(Array("second".utf8), to: id) }
        var order: [String] = []
        var last: UInt32 = 0
        while last != 300 {
            let frame = try reader.readFrame()
            if frame.opcode == 1 {
                order.append(frame.text)
            } else {
                last = Self.number(frame)
                if last >= 269 { order.append("audio") }
            }
        }
        // Both texts come before the 32 packets that waited.
        #expect(order == ["first", "second"] + [String](repeating: "audio", count: 32))
    }

    @Test func `stale queued audio is not sent`() throws {
        let server = try TestServer(.receiveOnly) {
            $0.sendBufferBytes = 8192
            $0.staleAfter = .milliseconds(500)
        }
        defer { server.stop() }
        let reader = try RawWebSocket(port: server.port, receiveBufferBytes: 4096)
        #expect(server.log.wait { $0.opened.count == 1 })
        let id = server.log.now.opened[0]
        _ = Self.sendAudio(0..<300, size: 500, to: id, on: server)
        let start = try #require(server.onLoop { $0.now })
        while try #require(server.onLoop { $0.now }) < start + 1_000_000_000 {}
        _ = server.onLoop { $0.sendText(Array("now".utf8), to: id) }
        var numbers: [UInt32] = []
        while true {
            let frame = try reader.readFrame()
            if frame.opcode == 1 { break }
            numbers.append(Self.number(frame))
        }
        #expect(numbers == (0..<UInt32(numbers.count)).map { $0 })
        _ = Self.sendAudio(900..<901, size: 500, to: id, on: server)
        #expect(Self.number(try reader.readFrame()) == 900)
        let counters = try #require(server.onLoop { $0.counters })
        #expect(counters.audioDroppedStale >= 32)
        #expect(server.onLoop { $0.connections.slab.used } == 0)
    }

    @Test func `one stalled receiver does not delay another`() throws {
        let server = try TestServer(.relay) { $0.sendBufferBytes = 8192 }
        defer { server.stop() }
        let talker = try RawWebSocket(port: server.port)
        let stalled = try RawWebSocket(port: server.port, receiveBufferBytes: 4096)
        let listener = try RawWebSocket(port: server.port)
        #expect(server.log.wait { $0.opened.count == 3 })
        for number in 0..<500 {
            let packet = [UInt8(number >> 8), UInt8(number & 255)] + [UInt8](repeating: 0, count: 400)
            try talker.send(binary: packet)
            #expect(try listener.readFrame().payload == packet)
        }
        #expect(server.waitForCounters { $0.audioDropped > 0 })
        _ = stalled
    }

    @Test func `too much queued text for a stalled client is reported once`() throws {
        let server = try TestServer(.receiveOnly) {
            $0.sendBufferBytes = 8192
            $0.maximumQueuedTextBytes = 100_000
            $0.closeTimeout = .milliseconds(200)
        }
        defer { server.stop() }
        let reader = try RawWebSocket(port: server.port, receiveBufferBytes: 4096)
        #expect(server.log.wait { $0.opened.count == 1 })
        let id = server.log.now.opened[0]
        let text = [UInt8](repeating: 0x61, count: 1000)
        _ = server.onLoop { loop in for _ in 0..<1000 { loop.sendText(text, to: id) } }
        #expect(server.log.wait { $0.slowConsumers == 1 && $0.ends == [.closedByHub] })
        #expect(server.waitForCounters { $0.sockets == 0 && $0.connections == 0 })
        #expect(try reader.readCloseCode() == 1006)
        #expect(server.log.now.slowConsumers == 1)
    }

    @Test func `a long text to a slow reader arrives complete with its close frame`() throws {
        let server = try TestServer(.receiveOnly) { $0.sendBufferBytes = 8192 }
        defer { server.stop() }
        let reader = try RawWebSocket(port: server.port, receiveBufferBytes: 4096)
        #expect(server.log.wait { $0.opened.count == 1 })
        let id = server.log.now.opened[0]
        let texts = (0..<5).map { [UInt8](repeating: 0x61 + UInt8($0), count: 60_000) }
        _ = server.onLoop { loop in
            for text in texts { loop.sendText(text, to: id) }
            loop.close(id, code: 4000, reason: "done")
        }
        for text in texts { #expect(try reader.readFrame() == .init(opcode: 1, payload: text)) }
        #expect(try reader.readFrame().closeCode == 4000)
    }
}
