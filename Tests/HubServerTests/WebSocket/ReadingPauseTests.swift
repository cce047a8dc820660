import HubTestSupport
import Testing

@testable import HubServer

/// Reading that is paused: messages received behind the pause are delivered when it ends, over every transport.
@Suite struct ReadingPauseTests {
    /// The maximum number of bytes of a TLS record.
    private static let wholeRecord = 16_384

    private func launch(
        _ transport: WireTransport,
        receiveBufferBytes: Int = 2048
    ) throws -> (server: TestServer, client: RawWebSocket) {
        let server = try transport.launch(.echo) { $0.receiveBufferBytes = receiveBufferBytes }
        let client = RawWebSocket(try transport.connect(to: server))
        try client.requestUpgrade(host: "127.0.0.1")
        #expect(try HTTPReply(from: client.socket).status == 101)
        return (server, client)
    }

    /// Ends the pause of the only connection.
    private func resume(_ server: TestServer) throws {
        let id = try #require(server.log.now.opened.last)
        _ = server.onLoop { $0.setReading(true, from: id) }
    }

    @Test(arguments: [2, 100, 400, 3000])
    func `a pause over plain TCP takes effect after the current message, and nothing is lost`(count: Int) throws {
        let (server, client) = try launch(.plain)
        defer { server.stop() }
        let texts = (0..<count).map { "text \($0)" }
        for round in 1...3 {
            try client.socket.send((["!pause"] + texts).flatMap(Bytes.text))
            try #require(server.log.wait { $0.texts.last == "!pause" })
            // Some iterations of the loop later still nothing more was delivered.
            for _ in 0..<3 { _ = server.onLoop { _ in } }
            try #require(server.log.now.texts.count == (round - 1) * (count + 1) + 1)
            try resume(server)
            for text in texts { try #require(try client.readFrame().text == text) }
        }
    }

    @Test func `each of several pauses in one segment takes effect`() throws {
        let (server, client) = try launch(.plain)
        defer { server.stop() }
        let rounds = 50
        try client.socket.send((0..<rounds).flatMap { Bytes.text("!pause") + Bytes.text("text \($0)") })
        for round in 0..<rounds {
            try #require(server.log.wait { $0.texts.count == round * 2 + 1 })
            for _ in 0..<3 { _ = server.onLoop { _ in } }
            try #require(server.log.now.texts.count == round * 2 + 1)
            try resume(server)
            try #require(try client.readFrame().text == "text \(round)")
        }
    }

    @Test(arguments: WireTransport.tested, [256, 2048, wholeRecord])
    func `a pause between messages takes effect at once, with any read size`(
        transport: WireTransport,
        receiveBufferBytes: Int
    ) throws {
        let (server, client) = try launch(transport, receiveBufferBytes: receiveBufferBytes)
        defer { server.stop() }
        try client.send(text: "first")
        try #require(try client.readFrame().text == "first")
        let texts = (0..<3000).map { "text \($0)" }
        for round in 1...3 {
            let id = try #require(server.log.now.opened.last)
            _ = server.onLoop { $0.setReading(false, from: id) }
            // Over TLS it begins in the next iteration.
            _ = server.onLoop { _ in }
            try client.socket.send(texts.flatMap(Bytes.text))
            for _ in 0..<3 { _ = server.onLoop { _ in } }
            try #require(server.log.now.texts.count == (round - 1) * texts.count + 1)
            try resume(server)
            for text in texts { try #require(try client.readFrame().text == text) }
        }
    }

    @Test(arguments: [256, 2048, wholeRecord])
    func `a pause over TLS lets at most one record pass, and the loop continues`(receiveBufferBytes: Int) throws {
        let (server, client) = try launch(.tls, receiveBufferBytes: receiveBufferBytes)
        defer { server.stop() }
        let texts = (0..<3000).map { "text \($0)" }
        try client.socket.send((["!pause"] + texts).flatMap(Bytes.text))
        try #require(server.log.wait { !$0.texts.isEmpty })
        for _ in 0..<3 { _ = server.onLoop { _ in } }
        let delivered = server.log.now.texts.count
        #expect(delivered < 2 * Self.wholeRecord / Bytes.text("text 0").count)
        for _ in 0..<3 { _ = server.onLoop { _ in } }
        try #require(server.log.now.texts.count == delivered)
        try resume(server)
        for text in texts { try #require(try client.readFrame().text == text) }
    }
}
