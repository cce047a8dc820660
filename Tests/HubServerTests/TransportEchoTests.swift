import HubTestSupport
import Testing

@testable import HubServer

@Suite struct TransportEchoTests {
    @Test func `text and audio come back`() throws {
        let server = try TestServer()
        defer { server.stop() }
        let client = try RawWebSocket(port: server.port)
        try client.send(text: "hello")
        #expect(try client.readFrame() == .init(opcode: 1, payload: Array("hello".utf8)))
        let packet = (0..<160).map { UInt8($0) }
        try client.send(binary: packet)
        #expect(try client.readFrame() == .init(opcode: 2, payload: packet))
        try client.sendClose(code: 1000)
        #expect(try client.readCloseCode() == 1000)
        #expect(server.log.wait(for: { $0.ends == [.normal] }))
    }
}
