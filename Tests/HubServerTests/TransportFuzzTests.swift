import HubTestSupport
import Testing

@testable import HubServer

/// Random bytes and damaged requests, which must not crash the hub; the library's assertions are enabled.
@Suite struct TransportFuzzTests {
    /// A generator that can be restarted from the state that a failure printed.
    private struct Random: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    private static let requests = [
        "GET /v1 HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
        "GET /healthz?a=b&c=%41 HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbodyGET / HTTP/1.1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n0123456789",
        "HEAD /../..//%2e%2e/ HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    ]

    private static func damaged(_ bytes: [UInt8], _ random: inout Random) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 0...4, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
            case 3: bytes.removeSubrange(place...)
            default: bytes.insert(contentsOf: bytes[place...].prefix(40), at: place)
            }
        }
        return bytes
    }

    private static func attack(port: Int, _ random: inout Random) throws {
        let socket = try RawSocket(port: port)
        if Bool.random(using: &random) {
            // Several in a row, in packets that do not end where they do.
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes += damaged(Array((requests.randomElement(using: &random) ?? "").utf8), &random)
            }
            while !bytes.isEmpty {
                let count = Int.random(in: 1...bytes.count, using: &random)
                try? socket.send(Array(bytes.prefix(count)), timeout: 1)
                bytes.removeFirst(count)
            }
        } else {
            let client = RawWebSocket(socket)
            try client.requestUpgrade(host: "x")
            // Behind a first message the hub reads by itself, before it the library does.
            if Bool.random(using: &random) {
                _ = try HTTPReply(from: socket)
                try client.send(binary: [1])
            }
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let payload = (0..<Int.random(in: 0...300, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                let opcode = ([0, 1, 2, 2, 8, 9, 10] as [UInt8]).randomElement(using: &random) ?? 2
                let frame = RawWebSocket.bytes(
                    opcode: opcode,
                    payload,
                    isFinal: Int.random(in: 0..<4, using: &random) > 0
                )
                try? socket.send(damaged(frame, &random), timeout: 1)
            }
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: socket.reset()
        case 1: socket.halfClose()
        default: break
        }
    }

    @Test(arguments: [UInt64.random(in: 0...UInt64.max)])
    func `the hub survives damaged requests and frames`(seed: UInt64) throws {
        let server = try TestServer(.relay) {
            $0.handshakeTimeout = .seconds(1)
            $0.closeTimeout = .milliseconds(200)
        }
        defer { server.stop() }
        var random = Random(state: seed)
        for _ in 0..<400 { try Self.attack(port: server.port, &random) }
        #expect(server.waitForCounters { $0.sockets == 0 && $0.connections == 0 })
        #expect(server.log.wait { $0.opened.count == $0.ends.count })
        let client = try RawWebSocket(port: server.port)
        try client.send(text: "alive")
        #expect(try client.readFrame().text == "alive")
    }
}
