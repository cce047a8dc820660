import Foundation
import HubTestSupport
import LoopMailbox
import Testing

@testable import HubServer

/// Starting and stopping, with many loops, posts and connections.
@Suite struct TransportLifecycleTests {
    @Test func `fifty loops start, serve and stop side by side`() async throws {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    let server = try TestServer()
                    let client = try RawWebSocket(port: server.port)
                    try client.send(text: "hello")
                    let frame = try client.readFrame()
                    guard frame.text == "hello" else { throw RawSocketError.unexpectedReply(frame.text) }
                    server.stop()
                    #expect(server.log.now.ends == [.closedByHub])
                    return server.port
                }
            }
            for try await port in group { #expect(port > 0) }
        }
    }

    @Test func `a loop that never ran releases everything`() throws {
        var settings = TransportSettings()
        settings.port = 0
        for _ in 0..<3 {
            let handler = TestHandler(log: HandlerEvents(), behaviour: .echo, signsInAtOnce: true)
            let loop = try ServerLoop(settings: settings, handler: handler)
            #expect(loop.port > 0)
            #expect(loop.mailbox.post { _ in })
        }
    }

    @Test func `a loop can run on the caller's thread`() throws {
        var settings = TransportSettings()
        settings.port = 0
        let handler = TestHandler(log: HandlerEvents(), behaviour: .echo, signsInAtOnce: true)
        let loop = try ServerLoop(settings: settings, handler: handler)
        loop.mailbox.post { $0.stop() }
        loop.run()
        #expect(!loop.mailbox.post { _ in })
        #expect(loop.counters == TransportCounters())
    }

    @Test func `a port in use is reported as such`() throws {
        let server = try TestServer()
        defer { server.stop() }
        let port = server.port
        #expect(throws: TransportError.addressInUse(host: "127.0.0.1", port: port)) {
            _ = try TestServer { $0.port = port }
        }
        let sentence = TransportError.addressInUse(host: "127.0.0.1", port: port).description
        #expect(sentence.contains("127.0.0.1:\(port) is taken"))
    }

    @Test func `an unknown host is reported as such`() throws {
        #expect(throws: TransportError.unknownHost("no such host")) {
            _ = try TestServer { $0.host = "no such host" }
        }
        #expect(throws: TransportError.self) { _ = try TestServer { $0.host = "192.0.2.1" } }
        #expect(throws: TransportError.self) { _ = try TestServer { $0.port = 65_536 } }
    }

    @Test func `a port is free again at once after a stop`() throws {
        let first = try TestServer()
        let client = try RawWebSocket(port: first.port)
        try client.send(text: "!close 1000 bye")
        _ = try client.readCloseCode()
        first.stop()
        let port = first.port
        let second = try TestServer { $0.port = port }
        second.stop()
    }

    @Test(arguments: ["127.0.0.1", "localhost", "*", "::1", "[::1]"])
    func `the server listens on the configured address`(host: String) throws {
        guard host != "::1" && host != "[::1]" || Self.hasIPv6 else { return }
        let server = try TestServer { $0.host = host }
        defer { server.stop() }
        var addresses = host.contains(":") ? [] : ["127.0.0.1"]
        if host != "127.0.0.1", Self.hasIPv6 { addresses.append("::1") }
        for address in addresses {
            let client = try RawWebSocket(host: address, port: server.port)
            try client.send(text: "hello")
            #expect(try client.readFrame().text == "hello")
        }
        #expect(server.log.now.infos.map(\.address.text) == addresses)
    }

    private static let hasIPv6 = (try? TestServer { $0.host = "::1" }).map { $0.stop() } != nil

    @Test func `after stopListening existing connections stay and new ones are refused`() throws {
        let server = try TestServer()
        defer { server.stop() }
        let client = try RawWebSocket(port: server.port)
        _ = server.onLoop { $0.stopListening() }
        #expect(throws: RawSocketError.self) { _ = try RawWebSocket(port: server.port) }
        try client.send(text: "still")
        #expect(try client.readFrame().text == "still")
    }

    @Test func `options of the listener apply to every connection`() throws {
        let server = try TestServer { $0.sendBufferBytes = 20_000 }
        defer { server.stop() }
        let client = try RawWebSocket(port: server.port)
        #expect(server.log.wait { $0.opened.count == 1 })
        let id = server.log.now.opened[0]
        let values = try #require(server.onLoop { SocketOptions(of: id, on: $0) } ?? nil)
        #expect(values.noDelay == 1)
        #expect(values.notSentLowWater == 4096)
        #expect(values.userTimeout == 10_000)
        #expect(values.sendBuffer == 40_000)
        #expect(values.keepAlive == 0)
        _ = client
    }
}

/// Memory and descriptors of many connections; runs alone, since it measures the process.
@Suite(.serialized) struct TransportScaleTests {
    private static func residentBytes() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * 4096
    }

    @Test(.timeLimit(.minutes(1)))
    func `ten thousand opened and dropped connections leak no resources`() throws {
        let server = try TestServer { $0.maximumConnections = 2500 }
        defer { server.stop() }
        func wave(_ number: Int) throws {
            let clients = try (0..<2000).map { _ in try RawSocket(port: server.port) }
            for client in clients { try RawWebSocket(client).requestUpgrade(host: "x") }
            for client in clients { _ = try HTTPReply(from: client) }
            for (index, client) in clients.enumerated() {
                try client.send(RawWebSocket.bytes(opcode: 2, [1, 2, 3]))
                // Half a message, so that memory is held.
                try client.send(RawWebSocket.bytes(opcode: 1, [0x41], isFinal: false))
                if index % 2 == 0 { client.reset() } else { client.close() }
            }
            #expect(server.waitForCounters(seconds: 30) { $0.sockets == 0 && $0.connections == 0 })
            #expect(server.log.wait { $0.ends.count == (number + 1) * 2000 })
        }
        // Two, until the allocator has had about all that it ever needs at once; on a busy machine a later one may need
        // more, but what is left behind is left by each.
        for number in 0...1 { try wave(number) }
        var growths: [Int] = []
        for number in 2...6 {
            let before = Self.residentBytes()
            try wave(number)
            growths.append(Self.residentBytes() - before)
        }
        // The address sanitizer keeps freed memory for a while.
        #expect(growths.min() ?? 0 < 1 << 20 || dlsym(nil, "__asan_init") != nil, "grew by \(growths) bytes")
        #expect(server.onLoop { $0.connections.slab.used } == 0)
    }
}
