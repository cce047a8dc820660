import Foundation
import HubTestSupport
import HubWire
import Testing

@testable import HubServer

/// Statements of docs/protocol.md about packets, reports and frames, each seen over a socket.
struct AudioContractTests {
    /// A call of one phone to the echo, its audio session active.
    private static func echoed(_ hub: TestHub) throws -> (phone: RawPhone, call: String, ssrc: UInt32) {
        let phone = try RawPhone(port: hub.port, account: "alice")
        let call = UUID().uuidString.lowercased()
        try phone.request("start", call, ["handle": ["type": "generic", "value": "echo"]])
        return (phone, call, try phone.activation())
    }

    /// Sends packets and returns those that the echo has sent back.
    private static func echo(_ packets: [[UInt8]], _ phone: RawPhone) throws -> [[UInt8]] {
        let before = phone.relayedPackets.count
        for packet in packets { try phone.socket.send(binary: packet) }
        try phone.ask("session.ping")
        return Array(phone.relayedPackets.dropFirst(before))
    }

    /// Opus packets by their length in tenths of a millisecond: full-band CELT, narrow-band SILK, several frames.
    private static let opus: [(length: Int, packet: [UInt8])] = [
        (25, [28 << 3, 1]), (50, [29 << 3, 1]), (100, [30 << 3, 1]), (200, [31 << 3, 1]),
        (100, [0 << 3, 1]), (200, [1 << 3, 1]), (400, [2 << 3, 1]), (600, [3 << 3, 1]),
        (300, [0 << 3 | 3, 3, 1, 1, 1]), (600, [1 << 3 | 3, 3, 1, 1, 1]), (1_200, [1 << 3 | 3, 6, 1, 1, 1, 1, 1, 1]),
    ]

    @Test(arguments: [0, 4] as [UInt8])
    func `a packet has a duration of 10, 20, 40 or 60 ms, mono or stereo; any other is malformed`(_ stereo: UInt8)
        async throws
    {
        try await blocking {
            let hub = try TestHub()
            let (phone, _, ssrc) = try Self.echoed(hub)
            let packets = Self.opus.enumerated().map { number, opus in
                TestPhone.packet([opus.packet[0] | stereo] + opus.packet.dropFirst(), ssrc: ssrc, number: number * 3)
            }
            let taken = zip(packets, Self.opus).filter { [100, 200, 400, 600].contains($1.length) }.map(\.0)
            #expect(try Self.echo(packets, phone) == taken)
            #expect(try hub.dropped("malformed") == packets.count - taken.count)
        }
    }

    @Test func `a packet has at most 1,500 bytes, and a longer one is dropped without harm`() async throws {
        try await blocking {
            let hub = try TestHub()
            let (phone, _, ssrc) = try Self.echoed(hub)
            // Two frames of 20 ms and equal length, since one has 1,275 bytes at most.
            func packet(_ bytes: Int, _ number: Int) -> [UInt8] {
                TestPhone.packet([11, 2] + [UInt8](repeating: 7, count: bytes - 14), ssrc: ssrc, number: number)
            }
            let longest = packet(1_500, 2)
            #expect(try Self.echo([packet(1_501, 0), packet(60_000, 0), longest], phone) == [longest])
            #expect(try hub.dropped("tooLarge", reaching: 2) == 2)
        }
    }

    @Test func `a client's RTCP is not forwarded, a BYE has no effect, and the hub reports with its own SSRC`()
        async throws
    {
        try await blocking {
            let hub = try TestHub()
            let (phone, _, ssrc) = try Self.echoed(hub)
            let word = withUnsafeBytes(of: ssrc.bigEndian) { [UInt8]($0) }
            var report: [UInt8] = []
            RTCPReports.appendSenderReport(
                .init(ssrc: ssrc, ntpTimestamp: 1 << 32, rtpTimestamp: 0, packetCount: 1, octetCount: 2),
                to: &report
            )
            let bye = [0x81, 203, 0, 1] + word
            let description = [0x81, 202, 0, 3] + word + [1, 2, 0x61, 0x62, 0, 0, 0, 0]
            let packet = TestPhone.packet([8, 1], ssrc: ssrc, number: 0)
            #expect(try Self.echo([report, bye, description, bye + description, packet], phone) == [packet])
            #expect(try hub.metric("callhub_rtcp_packets_received_total") == 4)
            let deadline = Deadline(seconds: 20)
            while phone.packets.allSatisfy({ $0[1] != 201 }), !deadline.isOver { try phone.ask("session.ping") }
            let received = try #require(phone.packets.first { $0[1] == 201 })
            #expect(Array(received[4..<8]) != word, "the report's sender is the hub")
            #expect(Array(received[8..<12]) == word, "the report is about the client's stream")
            #expect(phone.packets.allSatisfy { $0[1] < 192 || $0[1] > 223 || $0[1] == 201 })
            #expect(!phone.methods.contains("provider.didDeactivateAudioSession"))
        }
    }

    @Test func `a report counts packets dropped by the gate as received, and malformed ones as lost`() async throws {
        try await blocking {
            let hub = try TestHub()
            let (phone, call, ssrc) = try Self.echoed(hub)
            try phone.request("setMuted", call, ["isMuted": true])
            let packets = [[8, 1], [28 << 3, 1], [8, 1]].enumerated()
                .map { number, opus in
                    TestPhone.packet(opus.map { UInt8($0) }, ssrc: ssrc, number: number)
                }
            #expect(try Self.echo(packets, phone) == [])
            #expect(try hub.dropped("muted", reaching: 2) == 2)
            let deadline = Deadline(seconds: 20)
            func reports() -> [[UInt8]] { phone.packets.filter { $0[1] == 201 && $0[19] == 2 } }
            while reports().isEmpty, !deadline.isOver { try phone.ask("session.ping") }
            let report = try #require(reports().first)
            #expect(Array(report[13..<16]) == [0, 0, 1], "cumulative lost")
        }
    }

    @Test func `packets between two activations are dropped, and the former SSRC stays invalid afterwards`()
        async throws
    {
        try await blocking {
            let hub = try TestHub()
            let (phone, call, former) = try Self.echoed(hub)
            try phone.request("setHeld", call, ["isOnHold": true])
            try phone.next("provider.didDeactivateAudioSession")
            let late = TestPhone.packet([8, 1], ssrc: former, number: 0)
            #expect(try Self.echo([late], phone) == [])
            #expect(try hub.dropped("noSession", reaching: 1) == 1)
            try phone.request("setHeld", call, ["isOnHold": false])
            let present = try phone.activation()
            #expect(present != former)
            let next = TestPhone.packet([8, 1], ssrc: present, number: 1)
            #expect(try Self.echo([late, next], phone) == [next])
            #expect(try hub.dropped("staleSession", reaching: 1) == 1)
        }
    }

    @Test func `no WebSocket extension is negotiated, and a frame that uses one is refused`() async throws {
        try await blocking {
            let hub = try TestHub()
            let socket = try RawSocket(port: hub.port)
            let client = RawWebSocket(socket)
            let offer = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"
            try client.requestUpgrade(host: "127.0.0.1:\(hub.port)", headers: [offer])
            let reply = try HTTPReply(from: socket)
            #expect(reply.status == 101)
            #expect(reply.headers["sec-websocket-extensions"] == nil)
            try socket.send(RawWebSocket.bytes(opcode: 1, Array("{}".utf8), reserved: 4))
            #expect(try client.readCloseCode() == 1002)
        }
    }

    @Test func `a packet or a text may come in fragments, with a ping between them`() async throws {
        try await blocking {
            let hub = try TestHub()
            let (phone, _, ssrc) = try Self.echoed(hub)
            let packet = TestPhone.packet([8, 1, 2, 3], ssrc: ssrc, number: 0)
            let before = phone.relayedPackets.count
            try phone.socket.send(opcode: 2, Array(packet.prefix(5)), isFinal: false)
            try phone.socket.send(opcode: 9, [1])
            try phone.socket.send(opcode: 0, Array(packet.dropFirst(5)))
            let text = Array(#"{"jsonrpc":"2.0","id":"x","method":"session.ping"}"#.utf8)
            try phone.socket.send(opcode: 1, Array(text.prefix(9)), isFinal: false)
            try phone.socket.send(opcode: 0, Array(text.dropFirst(9)))
            #expect(try phone.reply()["id"] as? String == "x")
            #expect(Array(phone.relayedPackets.dropFirst(before)) == [packet])
        }
    }

    @Test func `the reply to session.open contains four limits and the audio format`() async throws {
        try await blocking {
            let hub = try TestHub()
            let phone = try RawPhone(port: hub.port, account: "alice")
            let limits = phone.session["limits"] as? RawPhone.Object ?? [:]
            #expect(
                Set(limits.keys) == [
                    "maximumMessageBytes", "resumeGraceSeconds", "ringTimeoutSeconds", "maximumDirectoryEntries",
                ]
            )
            let audio = phone.session["audio"] as? RawPhone.Object ?? [:]
            #expect(
                Set(audio.keys) == [
                    "payloadType", "clockRate", "channels", "frameDurations", "staleAfterMilliseconds", "delivery",
                ]
            )
        }
    }
}
