import Foundation
import HubSimulation
import HubTestSupport
import Testing

@testable import HubServer

extension DisturbanceTests {
    /// Random text and random binary of every length up to the limit and beyond, during another call.
    struct RandomMessageTests {
        private let hub: TestHub
        private let background: UndisturbedCall

        init() async throws {
            // Their number is not tested here.
            hub = try TestHub { $0.messagesPerSecond = 1_000_000 }
            background = try await UndisturbedCall(hub)
        }

        private static let limit = 65_536

        /// Every length to 300, those around the limits of the frame's header and of the hub, and some between.
        private static func lengths(_ random: inout SeededRandom) -> [Int] {
            Array(0...300) + [1_499, 1_500, 1_501, 4_095, 4_096, 16_384, 65_534, 65_535, 65_536]
                + (0..<20).map { _ in Int.random(in: 301..<limit, using: &random) }
        }

        /// Returns the number of packets received that were neither relayed nor dropped nor reports.
        private static func unaccounted(_ page: [String: Int]) -> Int {
            let dropped = page.filter { $0.key.hasPrefix("callhub_audio_packets_dropped_total") }.values.reduce(0, +)
            let relayed = page["callhub_audio_packets_relayed_total"] ?? 0
            let reports = page["callhub_rtcp_packets_received_total"] ?? 0
            return (page["callhub_audio_packets_received_total"] ?? 0) - dropped - relayed - reports
        }

        /// Returns the metrics at a moment when no packet is on its way from one loop to another, or the last ones.
        private static func balancedMetrics(of hub: TestHub) throws -> [String: Int] {
            let deadline = Deadline(seconds: 20)
            while true {
                let page = try hub.metrics()
                if unaccounted(page) == 0 || deadline.isOver { return page }
            }
        }

        /// The kind of content of a random text.
        enum TextKind: CaseIterable {
            case printable, unicode, bytes, json

            func bytes(_ count: Int, _ random: inout SeededRandom) -> [UInt8] {
                switch self {
                case .printable:
                    return (0..<count).map { _ in UInt8.random(in: 0x20..<0x7F, using: &random) }
                case .unicode:
                    var text: [UInt8] = []
                    while text.count < count {
                        let scalar = Unicode.Scalar(UInt32.random(in: 0..<0x11_0000, using: &random)) ?? "x"
                        let more = Array(String(Character(scalar)).utf8)
                        text += text.count + more.count <= count ? more : [0x20]
                    }
                    return text
                case .bytes:
                    return random.bytes(count)
                case .json:
                    // What JSON is made of, in any order.
                    let pieces = [
                        "{", "}", "[", "]", ":", ",", "\"id\"", "\"method\"", "1", "-", "e", "true", "\\u", " ", "\"",
                    ]
                    var text: [UInt8] = []
                    while text.count < count {
                        text += Array(pieces[Int.random(in: 0..<pieces.count, using: &random)].utf8)
                    }
                    return Array(text.prefix(count))
                }
            }
        }

        @Test(arguments: TextKind.allCases)
        func `random text of every length gets a reply or is invalid text`(_ kind: TextKind) async throws {
            let hub = hub
            let seed = UInt64.random(in: .min ... .max)
            try await blocking {
                var random = SeededRandom(seed: seed)
                var phone = try RawPhone(port: hub.port, account: "alice")
                for length in Self.lengths(&random) {
                    let text = kind.bytes(length, &random)
                    try phone.socket.send(opcode: 1, text)
                    guard String(validating: text, as: UTF8.self) != nil else {
                        #expect(try phone.readToEnd() == 1007, "seed \(seed), length \(length)")
                        phone = try RawPhone(port: hub.port, account: "alice")
                        continue
                    }
                    let reply = try phone.reply()
                    #expect(reply.errorCode <= -32600, "seed \(seed), length \(length)")
                }
                #expect(try phone.ask("session.ping").result != nil)
                for length in [Self.limit + 1, Self.limit + 1_000, 1 << 20] {
                    phone = try RawPhone(port: hub.port, account: "alice")
                    try? phone.socket.send(opcode: 1, TextKind.printable.bytes(length, &random))
                    #expect(try phone.readToEnd() == 1009)
                }
            }
            try await background.finish()
        }

        @Test func `a request with a few wrong bytes never closes a connection`() async throws {
            let hub = hub
            let seed = UInt64.random(in: .min ... .max)
            try await blocking {
                var random = SeededRandom(seed: seed)
                let requests = [
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session.open\",\"params\":{\"account\":\"alice\"}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"transaction.request\",\"params\":{\"actions\":[{\"type\":\"start\","
                        + "\"callUUID\":\"0123abcd-0000-0000-0000-000000000000\",\"handle\":{\"type\":\"generic\",\"value\":\"bob\"}}]}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"provider.configure\",\"params\":{\"provider\":{\"maximumCallGroups\":2}}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"provider.pending\",\"params\":{\"type\":\"answer\"}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"contacts.put\",\"params\":{\"identifier\":\"1\",\"name\":\"Bob\","
                        + "\"handles\":[{\"type\":\"generic\",\"value\":\"bob\"}]}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"directory.load\",\"params\":{\"extension\":\"a\",\"incremental\":false,"
                        + "\"blocking\":[1,2],\"identification\":[{\"number\":3,\"label\":\"x\"}],\"final\":false}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"recents.list\",\"params\":{\"limit\":5}}",
                ].map { Array($0.utf8) }
                let phone = try RawPhone(port: hub.port, account: "alice")
                for number in 0..<1_500 {
                    var request = requests[number % requests.count]
                    for _ in 0..<Int.random(in: 1...3, using: &random) {
                        request[Int.random(in: 0..<request.count, using: &random)] = UInt8.random(
                            in: 1..<0x7F,
                            using: &random
                        )
                    }
                    try phone.socket.send(opcode: 1, request)
                    // It may have lost its id, and then has no answer of its own.
                    #expect(try phone.ask("session.ping", ["t": number]).result?["t"] as? Int == number, "seed \(seed)")
                }
            }
            try await background.finish()
        }

        @Test func `random binary data of every length is counted and dropped without harm`() async throws {
            let hub = hub
            let seed = UInt64.random(in: .min ... .max)
            try await blocking {
                var random = SeededRandom(seed: seed)
                let phone = try RawPhone(port: hub.port, account: "alice")
                try phone.request(
                    "start",
                    UUID().uuidString,
                    ["handle": ["type": "generic", "value": "echo"] as RawPhone.Object]
                )
                let ssrc = try phone.activation()
                try phone.next("call.changed") { $0.call["state"] as? String == "connected" }
                var good: [[UInt8]] = []
                let begin = ContinuousClock.now
                // By the clock, since what comes slower than its own time stamps is late.
                var number: Int { Int((ContinuousClock.now - begin) / .milliseconds(20)) + good.count }
                for (index, length) in Self.lengths(&random).enumerated() {
                    var packet = random.bytes(length)
                    if index.isMultiple(of: 3), length > 1 { packet[0] = 0x80 | packet[0] & 0x3F }  // as RTP begins
                    if index.isMultiple(of: 5), length > 1 { packet[1] = 192 &+ packet[1] & 31 }  // as RTCP
                    if index.isMultiple(of: 7), length > 12 {
                        packet.replaceSubrange(
                            0..<12,
                            with: TestPhone.packet([], ssrc: ssrc, number: number).prefix(12)
                        )
                        packet[0] = 0x90 | packet[0] & 0x0F  // with a header extension that is none
                    }
                    try phone.socket.send(binary: packet)
                    guard index.isMultiple(of: 10) else { continue }
                    good.append(TestPhone.packet([0x08, 1, 2, 3], ssrc: ssrc, number: number))
                    try phone.socket.send(binary: good[good.count - 1])
                }
                try phone.ask("session.ping")
                let heard = phone.relayedPackets.filter { good.contains($0) }
                #expect(heard.count == good.count, "seed \(seed)")
                #expect(heard == good, "seed \(seed)")
                let page = try Self.balancedMetrics(of: hub)
                #expect(Self.unaccounted(page) == 0, "seed \(seed): every packet is accounted for: \(page)")
                #expect(page["callhub_audio_packets_dropped_total{reason=\"tooLarge\"}"] ?? 0 >= 20)
                try phone.socket.send(binary: random.bytes(Self.limit + 1))
                #expect(try phone.readToEnd() == 1009)
            }
            try await background.finish()
        }

        @Test func `fragmented text is one message, with pings and audio in between`() async throws {
            let hub = hub
            let seed = UInt64.random(in: .min ... .max)
            try await blocking {
                var random = SeededRandom(seed: seed)
                let phone = try RawPhone(port: hub.port, account: "alice")
                for number in 0..<200 {
                    let name = String(repeating: "ä", count: Int.random(in: 0..<200, using: &random))
                    let text =
                        "{\"jsonrpc\":\"2.0\",\"id\":\(number),\"method\":\"session.ping\",\"params\":{\"t\":\"\(name)\"}}"
                    var rest = Array(text.utf8)[...]
                    var opcode: UInt8 = 1
                    while rest.count > 0 {
                        let piece = rest.prefix(Int.random(in: 0...60, using: &random))
                        rest = rest.dropFirst(piece.count)
                        try phone.socket.send(opcode: opcode, Array(piece), isFinal: rest.isEmpty)
                        opcode = 0
                        if number.isMultiple(of: 3), !rest.isEmpty { try phone.socket.send(opcode: 9, Array("p".utf8)) }
                    }
                    #expect(try phone.reply().result?["t"] as? String == name, "seed \(seed)")
                }
                // A text that never ends, in pieces: over the limit it is too large, before that it is nothing.
                try phone.socket.send(opcode: 1, [UInt8](repeating: 0x20, count: 1_000), isFinal: false)
                for _ in 0..<100 where !phone.socket.socket.isReadable {
                    try? phone.socket.send(opcode: 0, [UInt8](repeating: 0x20, count: 1_000), isFinal: false)
                }
                #expect(try phone.readToEnd() == 1009)
            }
            try await background.finish()
        }

        @Test func `a client that keeps violating limits is warned, closed with 1008, and may return`() async throws {
            let hub = hub
            try await blocking {
                let phone = try RawPhone(port: hub.port, account: "alice")
                let nonsense = RawWebSocket.bytes(opcode: 1, Array("nonsense".utf8))
                let storm = Array(repeating: nonsense, count: 500).flatMap(\.self)
                do {
                    for _ in 0..<8 {
                        try phone.socket.socket.send(storm)
                        for _ in 0..<500 { _ = try phone.reply() }
                    }
                    Issue.record("4,000 faults in a row are too many")
                } catch RawSocketError.unexpectedReply(let words) {
                    #expect(words == "close 1008")
                }
                #expect(phone.methods.last == "session.closing")
                let params = phone.notifications.last?["params"] as? RawPhone.Object
                #expect(params?["reason"] as? String == "policy")
                #expect(phone.seqs == Array(1...phone.seqs.count))
                try hub.wait(for: "callhub_sessions_lost", toBe: { $0 == 1 })
                #expect(try phone.resume().result?["resumed"] as? Bool == true)
                try phone.request(
                    "start",
                    UUID().uuidString,
                    ["handle": ["type": "generic", "value": "echo"] as RawPhone.Object]
                )
                try phone.next("call.changed") { $0.call["state"] as? String == "connected" }
                #expect(phone.seqs == Array(1...phone.seqs.count))
            }
            try await background.finish()
        }
    }
}
