import HubTestSupport

/// Opcodes, reserved bits and masks (RFC 6455 sections 5.1 and 5.2).
extension WebSocketCase {
    static let framing = opcodes + reservedBits + masks

    private static var opcodes: [WebSocketCase] {
        var cases = [
            WebSocketCase("5.6", "a text", Bytes.text("hello"), .texts("hello")),
            WebSocketCase("5.6", "an empty text", Bytes.text(""), .texts("")),
            WebSocketCase("5.6", "a binary message", Bytes.frame(2, [0, 255, 128]), .binary([0, 255, 128])),
            WebSocketCase("5.6", "an empty binary message", Bytes.frame(2), .binary([])),
        ]
        for opcode: UInt8 in [3, 4, 5, 6, 7, 11, 12, 13, 14, 15] {
            cases.append(WebSocketCase("5.2", "reserved opcode \(opcode)", Bytes.frame(opcode), .fails(1002)))
            let behind = Bytes.text("hello") + Bytes.frame(opcode, Bytes.letters(3)) + Bytes.text("unheard")
            cases.append(
                WebSocketCase(
                    "5.2",
                    "reserved opcode \(opcode) with a payload between two texts",
                    behind,
                    .texts("hello").then(.failed([1002]))
                )
            )
        }
        return cases
    }

    private static var reservedBits: [WebSocketCase] {
        var cases: [WebSocketCase] = []
        for bits: UInt8 in 1...7 {
            let frame = Bytes.frame(1, Bytes.letters(5), reserved: bits)
            cases.append(WebSocketCase("5.2", "a text with RSV bits \(bits)", frame, .fails(1002)))
        }
        for (name, opcode): (String, UInt8) in [("binary frame", 2), ("close", 8), ("ping", 9), ("pong", 10)] {
            let frame = Bytes.frame(opcode, opcode == 8 ? [3, 232] : [7, 7], reserved: 4)
            cases.append(WebSocketCase("5.2", "a \(name) with RSV1", frame, .fails(1002)))
        }
        let second = Bytes.begin("a") + Bytes.frame(0, [98], reserved: 1)
        cases.append(WebSocketCase("5.2", "a last fragment with RSV3", second, .fails(1002)))
        return cases
    }

    private static var masks: [WebSocketCase] {
        var cases: [WebSocketCase] = []
        for key: [UInt8] in [
            [0, 0, 0, 0], [255, 255, 255, 255], [0, 0, 0, 1], [1, 0, 0, 0], [0x81, 0x85, 0x81, 0x85],
        ] {
            let frame = Bytes.frame(1, Bytes.letters(7), key: key)
            cases.append(WebSocketCase("5.3", "a text masked with \(key)", frame, .text(Bytes.letters(7))))
        }
        func unmasked(_ opcode: UInt8, _ payload: [UInt8]) -> [UInt8] {
            RawWebSocket.bytes(opcode: opcode, payload, isMasked: false)
        }
        func add(_ sent: String, _ bytes: [UInt8], _ verdict: Verdict) {
            cases.append(WebSocketCase("5.1", sent, bytes, .fails(1002)).deviates(.unmasked, verdict))
        }
        for count in [0, 1, 5, 125, 126, 300, 65_535, 65_536] {
            let text = Bytes.letters(count)
            add("an unmasked text of \(count) bytes", unmasked(1, text), .text(text))
        }
        for count in [0, 1, 92, 126, 1500] {
            let packet = Bytes.letters(count)
            add("an unmasked binary message of \(count) bytes", unmasked(2, packet), .binary(packet))
        }
        let second = Bytes.text("hello") + unmasked(1, Array("again".utf8))
        add("an unmasked text behind a masked one", second, .texts("hello", "again"))
        add("an unmasked ping", unmasked(9, [1]), .pongs([1]))
        add("an unmasked pong", unmasked(10, [1]), .silence)
        add("an unmasked close", unmasked(8, [3, 232]), .answers(1000))
        add("an unmasked last fragment", Bytes.begin("a") + unmasked(0, [98]), .texts("ab"))
        return cases
    }
}
