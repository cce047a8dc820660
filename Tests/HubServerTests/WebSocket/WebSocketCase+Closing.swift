import HubTestSupport

/// The closing handshake and its codes (RFC 6455 sections 5.5.1 and 7).
extension WebSocketCase {
    static let closing = validCodes + invalidCodes + reasons + behindClose + tcpEnds

    private static var validCodes: [WebSocketCase] {
        var cases = [WebSocketCase("5.5.1", "a close without a code", Bytes.frame(8), .answers(1005, 1000))]
        cases.append(WebSocketCase("7.4", "a close with 1002", Bytes.close(1002), .answers(1002, 1000)))
        for code: UInt16 in [1000, 1001, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999] {
            cases.append(WebSocketCase("7.4", "a close with \(code)", Bytes.close(code), .answers(code)))
        }
        for code: UInt16 in [1012, 1013, 1014] {
            cases.append(WebSocketCase("7.4.2", "a close with \(code)", Bytes.close(code), .answers(code, 1000)))
        }
        return cases
    }

    private static var invalidCodes: [WebSocketCase] {
        var cases: [WebSocketCase] = []
        for code: UInt16 in [0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999] {
            cases.append(
                WebSocketCase("7.4", "a close with \(code)", Bytes.close(code), .answers(1002))
                    .deviates(.smallCode, .answers(1000))
            )
        }
        for code: UInt16 in [5000, 9999, 65_535] {
            cases.append(WebSocketCase("7.4.2", "a close with \(code)", Bytes.close(code), .answers(1002)))
        }
        cases.append(
            WebSocketCase("5.5.1", "a close with a payload of one byte", Bytes.frame(8, [3]), .answers(1002))
        )
        return cases
    }

    private static var reasons: [WebSocketCase] {
        var cases: [WebSocketCase] = []
        for count in [0, 1, 2, 3, 100, 121, 122, 123] {
            let name = "a close with a reason of \(count) bytes"
            cases.append(WebSocketCase("5.5.1", name, Bytes.close(1000, Bytes.letters(count)), .answers(1000)))
        }
        let accents = Array("ä€𝄞".utf8)
        cases.append(
            WebSocketCase("5.5.1", "a close with a reason of letters", Bytes.close(1001, accents), .answers(1001))
        )
        for count in [124, 125, 200] {
            let name = "a close with a reason of \(count) bytes"
            cases.append(
                WebSocketCase("5.5", name, Bytes.close(1000, Bytes.letters(count)), .fails(1002))
                    .deviates(.longControl, .ends)
            )
        }
        let invalid: [(String, [UInt8])] = [
            ("a lone continuation byte", [0x80]), ("an impossible byte", [97, 0xFF]),
            ("a surrogate", [0xED, 0xA0, 0x80]),
            ("an overlong slash", [0xC0, 0xAF]),
        ]
        for (name, reason) in invalid {
            cases.append(
                WebSocketCase(
                    "8.1",
                    "a close whose reason has \(name)",
                    Bytes.close(1000, reason),
                    .answers(1007, 1002)
                )
                .deviates(.reasonText, .ends)
            )
        }
        cases.append(
            WebSocketCase(
                "8.1",
                "a close whose reason is cut off",
                Bytes.close(1000, [97, 0xE2, 0x82]),
                .answers(1007, 1002)
            )
        )
        return cases
    }

    private static var behindClose: [WebSocketCase] {
        let close = Bytes.close(1000)
        let order: [Step] = [.send(Bytes.text("!close 4321 because")), .receive(2), .send(Bytes.close(4321))]
        let ignored: [Step] = [
            .send(Bytes.text("!close 4321 because")), .receive(2), .send(Bytes.text("unheard") + Bytes.close(4321)),
        ]
        return [
            WebSocketCase(
                "5.5.1",
                "a text in front of a close",
                Bytes.text("a") + close,
                .texts("a").then(.answered([1000]))
            ),
            WebSocketCase("5.5.1", "a text behind a close", close + Bytes.text("unheard"), .answers(1000)),
            WebSocketCase("5.5.1", "a binary message behind a close", close + Bytes.frame(2, [1]), .answers(1000)),
            WebSocketCase("5.5.2", "a ping behind a close", close + Bytes.ping("unheard"), .answers(1000)),
            WebSocketCase("5.5.1", "a fragment of nothing behind a close", close + Bytes.last("a"), .answers(1000))
                .deviates(.violationBehindClose, .ends),
            WebSocketCase("5.5.1", "a reserved opcode behind a close", close + Bytes.frame(3), .answers(1000))
                .deviates(.violationBehindClose, .ends),
            WebSocketCase("5.5.1", "two closes in one segment", close + Bytes.close(1001), .answers(1000)),
            WebSocketCase(
                "5.5.1",
                "twenty texts behind a close",
                close + (0..<20).flatMap { Bytes.text("\($0)") },
                .answers(1000)
            ),
            WebSocketCase(
                "7.1.2",
                "a close that answers the server's",
                order,
                .texts("last words").then(.answered([4321]))
            ),
            WebSocketCase(
                "7.1.2",
                "a text and the answer to the server's close",
                ignored,
                .texts("last words").then(.answered([4321]))
            ),
        ]
    }

    private static var tcpEnds: [WebSocketCase] {
        [
            WebSocketCase("7.1.5", "the end of TCP", [.halfClose], .ends),
            WebSocketCase(
                "7.1.5",
                "a text, then the end of TCP",
                [.send(Bytes.text("a")), .halfClose],
                .texts("a").then(.ended)
            ),
            WebSocketCase("7.1.5", "a fragment, then the end of TCP", [.send(Bytes.begin("a")), .halfClose], .ends),
            WebSocketCase("7.1.5", "half a head, then the end of TCP", [.send([0x81]), .halfClose], .ends),
            WebSocketCase(
                "7.1.5",
                "half a payload, then the end of TCP",
                [.send([0x81, 0x85, 1, 2, 3, 4, 5]), .halfClose],
                .ends
            ),
            WebSocketCase(
                "7.1.4",
                "a close, then the end of TCP",
                [.send(Bytes.close(1000)), .halfClose],
                .answers(1000)
            ),
        ]
    }
}
