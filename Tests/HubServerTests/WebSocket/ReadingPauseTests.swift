import HubTestSupport
import Testing

@testable import HubServer

/// Reading that is paused: messages received behind the pause are delivered when it ends, over every transport.
@Suite struct ReadingPauseTests {
    /// The number of bytes of a whole TLS record.
    ///
    /// If a pause begins while OpenSSL holds the rest of a record, libwebsockets 4.1.6 loops forever in
    /// `rops_handle_POLLIN_ws`; so these servers read whole records.
    private static let wholeRecord = 16_384

    private func launch(_ transport: WireTransport) throws -> (server: TestServer, client: RawWebSocket) {
        let server = try transport.launch(.echo) { $0.receiveBufferBytes = Self.wholeRecord }
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

    @Test(arguments: WireTransport.tested, [2, 100, 400, 3000])
    func `a pause takes effect behind the message being handled, and nothing is lost`(
        transport: WireTransport,
        count: Int
    ) throws {
        let (server, client) = try launch(transport)
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

    @Test(arguments: WireTransport.tested)
    func `of several pauses in one segment each takes effect`(transport: WireTransport) throws {
        let (server, client) = try launch(transport)
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
}
