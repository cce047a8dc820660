import HubTestSupport

/// Pings and pongs, and the limits of control frames (RFC 6455 sections 5.5, 5.5.2 and 5.5.3).
extension WebSocketCase {
    static let control = pings + pongs + wrongControls

    private static var pings: [WebSocketCase] {
        var cases: [WebSocketCase] = []
        for count in [0, 1, 2, 3, 4, 64, 123, 124, 125] {
            let payload = Bytes.letters(count)
            cases.append(WebSocketCase("5.5.2", "a ping of \(count) bytes", Bytes.frame(9, payload), .pongs(payload)))
        }
        let binary: [UInt8] = [0, 0xFF, 0xFE, 0x80, 0xED, 0xA0]
        cases.append(
            WebSocketCase("5.5.2", "a ping of bytes that are no UTF-8", Bytes.frame(9, binary), .pongs(binary))
        )
        let names = (1...5).map { "ping \($0)" }
        let oneByOne = names.flatMap { [Step.send(Bytes.ping($0)), .receive(1)] }
        let inOrder = Verdict(pongs: names.map { Array($0.utf8) })
        cases += [
            WebSocketCase("5.5.3", "five pings, each behind the pong of the one before", oneByOne, inOrder),
            WebSocketCase(
                "5.5.2",
                "a ping behind a text",
                Bytes.text("a") + Bytes.ping("p"),
                Verdict(messages: [.init(opcode: 1, payload: [97])], pongs: [[112]])
            ),
            WebSocketCase(
                "5.5.2",
                "a ping in front of a text",
                Bytes.ping("p") + Bytes.text("a"),
                Verdict(messages: [.init(opcode: 1, payload: [97])], pongs: [[112]])
            ),
            WebSocketCase("5.5.3", "two pings in one segment", flood(2), .pongs(Array("2".utf8)))
                .deviates(.firstPing, .pongs(Array("1".utf8))),
            WebSocketCase("5.5.3", "a flood of 200 pings in one segment", flood(200), .pongs(Array("200".utf8)))
                .deviates(.firstPing, .pongs(Array("1".utf8))),
        ]
        return cases
    }

    private static func flood(_ count: Int) -> [UInt8] {
        (1...count).flatMap { Bytes.ping("\($0)") }
    }

    private static var pongs: [WebSocketCase] {
        let binary: [UInt8] = [0xFF, 0xFE]
        var cases = [
            WebSocketCase("5.5.3", "an unsolicited pong", Bytes.pong("p"), .silence),
            WebSocketCase("5.5.3", "an unsolicited empty pong", Bytes.pong(), .silence),
            WebSocketCase("5.5.3", "an unsolicited pong of 125 bytes", Bytes.frame(10, Bytes.letters(125)), .silence),
            WebSocketCase("5.5.3", "twenty unsolicited pongs", (0..<20).flatMap { Bytes.pong("\($0)") }, .silence),
            WebSocketCase(
                "5.5.3",
                "a pong between a ping and a text",
                Bytes.ping("1") + Bytes.pong("2") + Bytes.text("a"),
                Verdict(messages: [.init(opcode: 1, payload: [97])], pongs: [[49]])
            ),
            WebSocketCase("5.5.3", "a pong of bytes that are no UTF-8", Bytes.frame(10, binary), .silence),
            WebSocketCase(
                "5.5.3",
                "a pong of bytes that are no UTF-8 behind a binary message",
                Bytes.frame(2, [1]) + Bytes.frame(10, binary),
                .binary([1])
            ),
            WebSocketCase(
                "5.5.3",
                "a pong of bytes that are no UTF-8 behind a text",
                Bytes.text("a") + Bytes.frame(10, binary),
                .texts("a")
            ).deviates(.pongAsText, .texts("a").then(.failed([1007]))),
            WebSocketCase(
                "5.5.3",
                "a pong of bytes that are no UTF-8 between fragments of a text",
                Bytes.begin("a") + Bytes.frame(10, binary) + Bytes.last("b"),
                .texts("ab")
            ).deviates(.pongAsText, .fails(1007)),
        ]
        let euro: [UInt8] = [0xE2, 0x82, 0xAC]
        let between = Bytes.frame(1, [euro[0]], isFinal: false) + Bytes.pong("p") + Bytes.frame(0, Array(euro[1...]))
        cases.append(
            WebSocketCase("5.5.3", "a pong between fragments that cut a character", between, .text(euro))
                .deviates(.pongAsText, .fails(1007))
        )
        return cases
    }

    private static var wrongControls: [WebSocketCase] {
        var cases: [WebSocketCase] = []
        for (kind, opcode): (String, UInt8) in [("ping", 9), ("pong", 10), ("close", 8)] {
            let code: [UInt8] = opcode == 8 ? [3, 232] : []
            for count in [126, 127, 1000, 65_536] {
                let payload = code + Bytes.letters(count - code.count)
                cases.append(
                    WebSocketCase("5.5", "a \(kind) of \(count) bytes", Bytes.frame(opcode, payload), .fails(1002))
                        .deviates(.longControl, .ends)
                )
            }
            let fragment = Bytes.frame(opcode, code, isFinal: false)
            cases.append(WebSocketCase("5.5", "a \(kind) without FIN", fragment, .fails(1002)))
            cases.append(WebSocketCase("5.5", "a \(kind) in two fragments", fragment + Bytes.last("a"), .fails(1002)))
            let announced = RawWebSocket.bytes(opcode: opcode, [65], announcedLength: 1 << 32)
            cases.append(
                WebSocketCase("5.5", "a \(kind) announced with 2^32 bytes", announced, .fails(1002))
                    .deviates(.longControl, .ends)
            )
        }
        return cases
    }
}
