import HubTestSupport

/// Fragmented messages (RFC 6455 section 5.4).
extension WebSocketCase {
    static let fragments = wholeFragments + controlBetween + wrongFragments + assembledLimits

    private static var wholeFragments: [WebSocketCase] {
        let binary = Bytes.frame(2, [1, 2], isFinal: false) + Bytes.frame(0, [3], isFinal: false) + Bytes.frame(0, [4])
        let many = Bytes.begin("") + (0..<200).flatMap { _ in Bytes.middle("ab") } + Bytes.last("")
        let separate: [Step] = [.send(Bytes.begin("a")), .send(Bytes.middle("b")), .send(Bytes.last("c"))]
        return [
            WebSocketCase("5.4", "a text in two fragments", Bytes.begin("a") + Bytes.last("b"), .texts("ab")),
            WebSocketCase(
                "5.4",
                "a text in three fragments",
                Bytes.begin("a") + Bytes.middle("b") + Bytes.last("c"),
                .texts("abc")
            ),
            WebSocketCase("5.4", "a text in three fragments, a segment each", separate, .texts("abc")),
            WebSocketCase("5.4", "a binary message in three fragments", binary, .binary([1, 2, 3, 4])),
            WebSocketCase(
                "5.4",
                "a binary message in two fragments, byte by byte",
                WebSocketCase.bytewise(Bytes.frame(2, [1], isFinal: false) + Bytes.frame(0, [2])),
                .binary([1, 2])
            ),
            WebSocketCase("5.4", "an empty first fragment", Bytes.begin("") + Bytes.last("b"), .texts("b")),
            WebSocketCase("5.4", "an empty last fragment", Bytes.begin("a") + Bytes.last(""), .texts("a")),
            WebSocketCase(
                "5.4",
                "an empty fragment in the middle",
                Bytes.begin("a") + Bytes.middle("") + Bytes.last("b"),
                .texts("ab")
            ),
            WebSocketCase(
                "5.4",
                "a text of three empty fragments",
                Bytes.begin("") + Bytes.middle("") + Bytes.last(""),
                .texts("")
            ),
            WebSocketCase(
                "5.4",
                "a binary message of two empty fragments",
                Bytes.frame(2, isFinal: false) + Bytes.frame(0),
                .binary([])
            ),
            WebSocketCase(
                "5.4",
                "a text in 202 fragments",
                many,
                .text((0..<200).flatMap { _ in [97, 98] as [UInt8] })
            ),
            WebSocketCase(
                "5.4",
                "a fragmented text between two whole ones",
                Bytes.text("one") + Bytes.begin("t") + Bytes.last("wo") + Bytes.text("three"),
                .texts("one", "two", "three")
            ),
            WebSocketCase(
                "5.4",
                "two fragmented texts in a row",
                Bytes.begin("a") + Bytes.last("b") + Bytes.begin("c") + Bytes.last("d"),
                .texts("ab", "cd")
            ),
        ]
    }

    private static var controlBetween: [WebSocketCase] {
        let ponged = Verdict(messages: [.init(opcode: 1, payload: [97, 98])], pongs: [[112]])
        let binary = Bytes.frame(2, [1], isFinal: false) + Bytes.ping("p") + Bytes.frame(0, [2])
        let twoPings: [Step] = [
            .send(Bytes.begin("a") + Bytes.ping("1")), .receive(1), .send(Bytes.middle("b") + Bytes.ping("2")),
            .receive(1), .send(Bytes.last("c")),
        ]
        return [
            WebSocketCase(
                "5.4",
                "a ping between fragments",
                Bytes.begin("a") + Bytes.ping("p") + Bytes.last("b"),
                ponged
            ),
            WebSocketCase(
                "5.4",
                "a ping between binary fragments",
                binary,
                Verdict(messages: [.init(opcode: 2, payload: [1, 2])], pongs: [[112]])
            ),
            WebSocketCase(
                "5.4",
                "an empty ping between fragments",
                Bytes.begin("a") + Bytes.ping() + Bytes.last("b"),
                Verdict(messages: [.init(opcode: 1, payload: [97, 98])], pongs: [[]])
            ),
            WebSocketCase(
                "5.4",
                "two pings between three fragments",
                twoPings,
                Verdict(messages: [.init(opcode: 1, payload: [97, 98, 99])], pongs: [[49], [50]])
            ),
            WebSocketCase(
                "5.4",
                "a ping between fragments, byte by byte",
                WebSocketCase.bytewise(Bytes.begin("a") + Bytes.ping("p") + Bytes.last("b")),
                ponged
            ),
            WebSocketCase(
                "5.4",
                "a pong between fragments",
                Bytes.begin("a") + Bytes.pong("p") + Bytes.last("b"),
                .texts("ab")
            ),
            WebSocketCase(
                "5.4",
                "an empty pong between fragments",
                Bytes.begin("a") + Bytes.pong() + Bytes.last("b"),
                .texts("ab")
            ),
            WebSocketCase("5.5.1", "a close between fragments", Bytes.begin("a") + Bytes.close(1000), .answers(1000)),
        ]
    }

    private static var wrongFragments: [WebSocketCase] {
        [
            WebSocketCase("5.4", "a last fragment of nothing", Bytes.last("a"), .fails(1002)),
            WebSocketCase("5.4", "a fragment of nothing that is not the last", Bytes.middle("a"), .fails(1002)),
            WebSocketCase("5.4", "an empty last fragment of nothing", Bytes.last(""), .fails(1002)),
            WebSocketCase(
                "5.4",
                "a last fragment behind a whole text",
                Bytes.text("a") + Bytes.last("b"),
                .texts("a").then(.failed([1002]))
            ),
            WebSocketCase(
                "5.4",
                "a last fragment behind a whole fragmented text",
                Bytes.begin("a") + Bytes.last("b") + Bytes.last("c"),
                .texts("ab").then(.failed([1002]))
            ),
            WebSocketCase("5.4", "a text inside a fragmented text", Bytes.begin("a") + Bytes.text("b"), .fails(1002)),
            WebSocketCase("5.4", "a first fragment inside a text", Bytes.begin("a") + Bytes.begin("b"), .fails(1002)),
            WebSocketCase(
                "5.4",
                "a binary message inside a fragmented text",
                Bytes.begin("a") + Bytes.frame(2, [1]),
                .fails(1002)
            ),
            WebSocketCase(
                "5.4",
                "a text inside a fragmented binary message",
                Bytes.frame(2, [1], isFinal: false) + Bytes.text("a"),
                .fails(1002)
            ),
            WebSocketCase(
                "5.4",
                "a text behind a ping inside a fragmented text",
                Bytes.begin("a") + Bytes.ping() + Bytes.text("b"),
                .fails(1002)
            ),
            WebSocketCase(
                "5.4",
                "a text behind two fragments of another",
                Bytes.begin("a") + Bytes.middle("b") + Bytes.text("c"),
                .fails(1002)
            ),
        ]
    }

    private static var assembledLimits: [WebSocketCase] {
        func text(_ counts: Int...) -> [UInt8] {
            counts.indices.flatMap { index in
                Bytes.frame(index == 0 ? 1 : 0, Bytes.letters(counts[index]), isFinal: index == counts.count - 1)
            }
        }
        func binary(_ first: Int, _ second: Int) -> [UInt8] {
            Bytes.frame(2, Bytes.letters(first), isFinal: false) + Bytes.frame(0, Bytes.letters(second))
        }
        let tiny = Bytes.begin("") + (0..<1500).flatMap { _ in Bytes.frame(0, Bytes.letters(50), isFinal: false) }
        return [
            WebSocketCase(
                "5.4",
                "a text of 65,536 bytes in two fragments",
                text(40_000, 25_536),
                .text(Bytes.letters(40_000) + Bytes.letters(25_536))
            ),
            WebSocketCase(
                "5.4",
                "a text of 65,536 bytes with an empty last fragment",
                text(65_536, 0),
                .text(Bytes.letters(65_536))
            ),
            WebSocketCase("7.4.1", "a text of 65,537 bytes in two fragments", text(65_536, 1), .fails(1009)),
            WebSocketCase("7.4.1", "a text of 65,537 bytes in three fragments", text(1, 65_535, 1), .fails(1009)),
            WebSocketCase("7.4.1", "a text of 75,000 bytes that never ends", tiny, .fails(1009)),
            WebSocketCase(
                "5.4",
                "a binary message of 1500 bytes in two fragments",
                binary(1000, 500),
                .binary(Bytes.letters(1000) + Bytes.letters(500))
            ),
            WebSocketCase(
                "10.4",
                "a binary message of 1501 bytes in two fragments, too large for audio",
                binary(1000, 501),
                .silence
            ),
            WebSocketCase(
                "7.4.1",
                "a binary message of 65,537 bytes in two fragments",
                binary(65_536, 1),
                .fails(1009)
            ),
        ]
    }
}
