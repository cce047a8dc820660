import HubTestSupport
import Testing

@testable import HubServer

/// Frame heads that announce more, or less, than a hub takes (RFC 6455 section 5.2): one payload byte follows each.
@Suite struct AnnouncedLengthTests {
    /// The first byte of a frame head: FIN and the opcode.
    enum Opcode: UInt8, CaseIterable, Sendable {
        case continuation = 0
        case text = 1
        case binary = 2
        case close = 8
        case ping = 9
    }

    /// Both sides of each border: a message's limit, the 32- and 64-bit integers, signed and unsigned.
    static let lengths: [UInt64] = [
        65_536, 65_537, (1 << 31) - 1, 1 << 31, 1 << 32, (1 << 63) - 65_536, (1 << 63) - 15, (1 << 63) - 14,
        (1 << 63) - 13, (1 << 63) - 2, (1 << 63) - 1, 1 << 63, .max - 13, .max,
    ]

    @Test(arguments: Opcode.allCases)
    func `no announced frame length crashes the hub`(opcode: Opcode) throws {
        let server = try TestServer()
        defer { server.stop() }
        for length in Self.lengths {
            for isMasked in [true, false] {
                let client = try RawWebSocket(port: server.port)
                let frame = RawWebSocket.bytes(
                    opcode: opcode.rawValue,
                    [0x41],
                    isMasked: isMasked,
                    announcedLength: length
                )
                try client.socket.send(frame)
                // Of a frame that may still come whole no end can be waited for.
                if length <= 65_536, opcode == .text || opcode == .binary { continue }
                let code = try client.readCloseCode()
                #expect([1002, 1006, 1009].contains(code), "\(length), masked: \(isMasked)")
            }
        }
        #expect(try HTTPReply.fetch("/healthz", port: server.port).status == 200)
    }
}
