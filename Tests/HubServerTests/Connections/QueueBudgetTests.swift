import HubAccountData
import HubEngine
import HubTestSupport
import HubWire
import Testing

@testable import HubServer

/// The common limit of all queues' memory.
struct QueueBudgetTests {
    @Test func `reserved bytes are released, and never exceed the limit`() {
        let memory = QueueBudget(limit: 1000)
        #expect(memory.view.reserve(600))
        #expect(!memory.view.reserve(500))
        #expect(memory.view.used == 600)
        #expect(memory.view.reserve(400))
        #expect(memory.usedShare == 1)
        memory.view.release(1000)
        #expect(memory.view.used == 0)
    }

    @Test func `a replay log does not grow if the queue memory is exhausted`() {
        let memory = QueueBudget(limit: 1000)
        let now = Instant(nanoseconds: 0)
        var log = ReplayLog(HubSettings(), budget: memory)
        for _ in 0..<10 { log.append(.changed(.recents), byteCount: 80, at: now) }
        #expect(log.canReplay(after: 0))
        #expect(memory.view.reserve(200))
        for _ in 0..<5 { log.append(.changed(.recents), byteCount: 80, at: now) }
        #expect(memory.view.used == 1000)
        #expect(log.canReplay(after: 5), "as much is kept as before")
        #expect(!log.canReplay(after: 4))
        memory.view.release(200)
        log.append(.changed(.recents), byteCount: 80, at: now)
        #expect(log.canReplay(after: 5), "it grows again")
        log.end()
        #expect(memory.view.used == 0)
    }

    @Test func `a client that reads nothing while the queue memory is exhausted is a slow consumer, others are not`()
        throws
    {
        let server = try TestServer {
            $0.maximumQueuedMegabytes = 1
            $0.maximumQueuedTextBytes = 16 << 20
            $0.sendBufferBytes = 8192
        }
        defer { server.stop() }
        let deaf = try RawWebSocket(port: server.port, receiveBufferBytes: 2048)
        let other = try RawWebSocket(port: server.port)
        #expect(server.log.wait { $0.opened.count == 2 })
        let id = server.log.now.opened[0]
        let text = [UInt8](repeating: 0x20, count: 60_000)
        let most = server.onLoop { loop in
            var most = 0
            for _ in 0..<40 {
                loop.sendText(text, to: id)
                most = max(most, loop.connectionLimiter.queues.view.used)
            }
            return most
        }
        #expect((900_000...1 << 20).contains(most ?? 0))
        #expect(server.log.wait { $0.slowConsumers == 1 })
        try other.send(text: "still here")
        #expect(try other.readFrame().text == "still here")
        deaf.socket.close()
        #expect(server.waitForCounters { $0.connections == 1 })
        #expect(server.onLoop { $0.connectionLimiter.queues.view.used } == 0)
    }

    @Test func `a fragmented message is abandoned if the queue memory is exhausted`() throws {
        let server = try TestServer { $0.maximumQueuedMegabytes = 1 }
        defer { server.stop() }
        let half = [UInt8](repeating: 0x61, count: 40_000)
        let sockets = try (0..<16).map { _ in try RawWebSocket(port: server.port) }
        for socket in sockets { try socket.send(opcode: 1, half, isFinal: false) }
        let deadline = Deadline(seconds: 30)
        while server.onLoop({ $0.connectionLimiter.queues.view.used }) != 1 << 20 { try #require(!deadline.isOver) }
        let late = try RawWebSocket(port: server.port)
        try late.send(opcode: 1, half, isFinal: false)
        #expect(try late.readCloseCode() == 1013)
        // What was begun in time is taken.
        try sockets[0].send(opcode: 0, half.suffix(20_000), isFinal: true)
        #expect(try sockets[0].readFrame().payload.count == 60_000)
        for socket in sockets { socket.socket.close() }
        #expect(server.waitForCounters { $0.connections == 0 })
        #expect(server.onLoop { $0.connectionLimiter.queues.view.used } == 0)
    }
}
