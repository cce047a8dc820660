import HubTestSupport
import Testing

@testable import HubServer

/// Packets for one listener that go out in one write.
@Suite struct AudioCoalescingTests {
    /// Sends packets of these kinds in one turn of the loop; packet n has n + 1 bytes of n.
    private static func send(
        _ packets: [(kind: PacketKind, mayCoalesce: Bool)],
        to id: ConnectionID,
        on server: TestServer
    ) {
        _ = server.onLoop { loop in
            let memory = UnsafeMutableRawPointer.allocate(byteCount: packets.count, alignment: 16)
            defer { memory.deallocate() }
            for (number, packet) in packets.enumerated() {
                let bytes = UnsafeMutableRawBufferPointer(start: memory, count: number + 1)
                bytes.initializeMemory(as: UInt8.self, repeating: UInt8(number))
                let whole = UnsafeRawBufferPointer(bytes)
                loop.connections.sendAudio(whole, to: id, kind: packet.kind, mayCoalesce: packet.mayCoalesce)
            }
        }
    }

    private static func packet(_ number: Int) -> [UInt8] { Array(repeating: UInt8(number), count: number + 1) }

    private func connect(_ server: TestServer) throws -> (RawWebSocket, ConnectionID) {
        let reader = try RawWebSocket(port: server.port)
        #expect(server.log.wait { $0.opened.count == 1 })
        return (reader, server.log.now.opened[0])
    }

    @Test func `packets for one receiver in one loop iteration are one write, in order`() throws {
        let server = try TestServer(.receiveOnly)
        defer { server.stop() }
        let (reader, id) = try connect(server)
        // The last one needs a head of four bytes.
        Self.send(Array(repeating: (.relayed, true), count: 130), to: id, on: server)
        for number in 130 - 32..<130 { #expect(try reader.readFrame().payload == Self.packet(number)) }
        let counters = try #require(server.onLoop { $0.counters })
        #expect(counters.audioRelayed == 32, "the ring holds 32")
        #expect(counters.audioWrites <= 2)
        #expect(counters.audioDroppedForRoom == 98)
    }

    @Test func `without batching each packet is written at once`() throws {
        let server = try TestServer(.receiveOnly) { $0.batch = .zero }
        defer { server.stop() }
        let (reader, id) = try connect(server)
        Self.send([(.relayed, true), (.relayed, true)], to: id, on: server)
        for number in 0..<2 { #expect(try reader.readFrame().payload == Self.packet(number)) }
        #expect(server.onLoop { $0.counters.audioWrites } == 2)
        #expect(server.onLoop { $0.counters.audioQueued } == 0)
    }

    @Test func `a report is combined with the receiver's next packet in one write`() throws {
        let server = try TestServer(.receiveOnly)
        defer { server.stop() }
        let (reader, id) = try connect(server)
        Self.send([(.report, false), (.relayed, false)], to: id, on: server)
        for number in 0..<2 { #expect(try reader.readFrame().payload == Self.packet(number)) }
        let counters = try #require(server.onLoop { $0.counters })
        #expect(counters.audioWrites == 1)
        #expect(counters.audioSent == 2)
        #expect(counters.audioRelayed == 1)
    }

    @Test func `a report without a packet is written when flushed`() throws {
        let server = try TestServer(.receiveOnly)
        defer { server.stop() }
        let (reader, id) = try connect(server)
        Self.send([(.report, false)], to: id, on: server)
        _ = server.onLoop { $0.connections.flushAudio(of: id) }
        #expect(try reader.readFrame().payload == Self.packet(0))
    }

    @Test func `queued audio is discarded when its call is no longer forwarded`() throws {
        let server = try TestServer(.receiveOnly)
        defer { server.stop() }
        let (reader, id) = try connect(server)
        _ = server.onLoop { loop in
            let memory = UnsafeMutableRawPointer.allocate(byteCount: 32, alignment: 16)
            defer { memory.deallocate() }
            let bytes = UnsafeMutableRawBufferPointer(start: memory, count: 3)
            bytes.initializeMemory(as: UInt8.self, repeating: 9)
            loop.connections.sendAudio(UnsafeRawBufferPointer(bytes), to: id, mayCoalesce: true)
            loop.connections.dropQueuedAudio(of: id, from: nil)
            loop.sendText(Array("held".utf8), to: id)
        }
        #expect(try reader.readFrame().text == "held")
        Self.send([(.relayed, false)], to: id, on: server)
        #expect(try reader.readFrame().payload == Self.packet(0), "and not the packet before")
        #expect(server.onLoop { $0.counters.audioDroppedUnrouted } == 1)
    }

    @Test func `when one source is removed, the queued packets of other sources are sent`() throws {
        let server = try TestServer(.receiveOnly)
        defer { server.stop() }
        let (reader, id) = try connect(server)
        _ = server.onLoop { loop in
            let memory = UnsafeMutableRawPointer.allocate(byteCount: 32, alignment: 16)
            defer { memory.deallocate() }
            let packet = UnsafeMutableRawBufferPointer(start: memory, count: 13)
            for (number, ssrc) in [1, 2, 1, 3, 2].enumerated() {
                packet.initializeMemory(as: UInt8.self, repeating: UInt8(number))
                packet.storeBytes(of: UInt32(ssrc).bigEndian, toByteOffset: 8, as: UInt32.self)
                loop.connections.sendAudio(UnsafeRawBufferPointer(packet), to: id, mayCoalesce: true)
            }
            // The hub's own, as music on hold: no client's packet is lost with it.
            packet.initializeMemory(as: UInt8.self, repeating: 5)
            packet.storeBytes(of: UInt32(1).bigEndian, toByteOffset: 8, as: UInt32.self)
            loop.connections.sendAudio(UnsafeRawBufferPointer(packet), to: id, kind: .played, mayCoalesce: true)
            loop.connections.dropQueuedAudio(of: id, from: 1)
            packet.initializeMemory(as: UInt8.self, repeating: 6)
            loop.connections.sendAudio(UnsafeRawBufferPointer(packet), to: id, mayCoalesce: true)
        }
        for number in [1, 3, 4, 6] { #expect(try reader.readFrame().payload.first == UInt8(number)) }
        let counters = try #require(server.onLoop { $0.counters })
        #expect(counters.audioDroppedUnrouted == 2)
        #expect(counters.audioRelayed == 4)
        #expect(server.onLoop { $0.connections.droppedFromQueue(.slowConsumer) } == 0)
        #expect(server.onLoop { $0.connections.droppedFromQueue(.staleSession) } == 2)
    }
}
