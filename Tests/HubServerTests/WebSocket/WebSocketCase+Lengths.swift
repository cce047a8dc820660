import HubTestSupport

/// Payload lengths and the hub's limits (RFC 6455 sections 5.2, 7.4.1 and 10.4).
extension WebSocketCase {
    static let lengths = wholeMessages + announcedLengths + stretchedLengths

    private static var wholeMessages: [WebSocketCase] {
        var cases: [WebSocketCase] = []
        for count in [1, 2, 124, 125, 126, 127, 128, 2047, 2048, 2049, 16_384, 65_535, 65_536] {
            let payload = Bytes.letters(count)
            cases.append(WebSocketCase("5.2", "a text of \(count) bytes", Bytes.frame(1, payload), .text(payload)))
        }
        for count in [1, 124, 125, 126, 127, 1499, 1500] {
            let payload = Bytes.letters(count)
            cases.append(
                WebSocketCase("5.2", "a binary message of \(count) bytes", Bytes.frame(2, payload), .binary(payload))
            )
        }
        for count in [1501, 65_535, 65_536] {
            let frame = Bytes.frame(2, Bytes.letters(count))
            cases.append(
                WebSocketCase("10.4", "a binary message of \(count) bytes, too large for audio", frame, .silence)
            )
        }
        for opcode: UInt8 in [1, 2] {
            let kind = opcode == 1 ? "text" : "binary message"
            for count in [65_537, 70_000] {
                let frame = Bytes.frame(opcode, Bytes.letters(count))
                cases.append(
                    WebSocketCase("7.4.1", "a \(kind) of \(count) bytes, beyond the limit", frame, .fails(1009))
                )
            }
        }
        return cases
    }

    private static var announcedLengths: [WebSocketCase] {
        var cases: [WebSocketCase] = []
        let kinds: [(String, UInt8, [UInt8])] = [
            ("text", 1, []), ("binary message", 2, []), ("last fragment", 0, Bytes.begin("a")),
        ]
        for (kind, opcode, before) in kinds {
            func frame(_ length: UInt64) -> [UInt8] {
                before + RawWebSocket.bytes(opcode: opcode, [65], announcedLength: length)
            }
            let tooLarge: [(String, UInt64)] = [
                ("2^31 - 1", 1 << 31 - 1), ("2^31", 1 << 31), ("2^32 - 1", 1 << 32 - 1), ("2^32", 1 << 32),
                ("2^62", 1 << 62), ("2^63 - 1", 1 << 63 - 1),
            ]
            for (name, length) in tooLarge {
                cases.append(
                    WebSocketCase("7.4.1", "a \(kind) announced with \(name) bytes", frame(length), .fails(1009))
                )
            }
            for (name, length): (String, UInt64) in [("2^63", 1 << 63), ("2^64 - 1", .max)] {
                cases.append(
                    WebSocketCase("5.2", "a \(kind) announced with \(name) bytes", frame(length), .fails(1002))
                        .deviates(.longLength, .ends)
                )
            }
        }
        return cases
    }

    private static var stretchedLengths: [WebSocketCase] {
        var cases: [WebSocketCase] = []
        for (count, lengthBytes) in [(0, 2), (1, 2), (125, 2), (0, 8), (1, 8), (125, 8), (126, 8), (65_535, 8)] {
            let payload = Bytes.letters(count)
            let name = "a text of \(count) bytes with its length in \(lengthBytes) bytes"
            cases.append(
                WebSocketCase("5.2", name, Bytes.stretched(1, payload, lengthBytes: lengthBytes), .fails(1002))
                    .deviates(.stretchedLength, .text(payload))
            )
        }
        for (count, lengthBytes) in [(0, 2), (1, 8), (126, 8)] {
            let payload = Bytes.letters(count)
            let name = "a binary message of \(count) bytes with its length in \(lengthBytes) bytes"
            cases.append(
                WebSocketCase("5.2", name, Bytes.stretched(2, payload, lengthBytes: lengthBytes), .fails(1002))
                    .deviates(.stretchedLength, .binary(payload))
            )
        }
        for lengthBytes in [2, 8] {
            let name = "a ping of 3 bytes with its length in \(lengthBytes) bytes"
            let frame = Bytes.stretched(9, Bytes.letters(3), lengthBytes: lengthBytes)
            cases.append(WebSocketCase("5.5", name, frame, .fails(1002)).deviates(.longControl, .ends))
        }
        return cases
    }
}
