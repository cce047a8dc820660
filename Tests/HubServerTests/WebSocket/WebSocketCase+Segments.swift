import HubTestSupport

/// Frames cut by TCP segments in any place, and several frames in one segment (RFC 6455 section 5.2).
extension WebSocketCase {
    static let segments = cutHeads + cutPayloads + joined

    private static var cutHeads: [WebSocketCase] {
        var cases: [WebSocketCase] = []
        for (count, headBytes) in [(5, 6), (200, 8), (65_536, 14)] {
            let payload = Bytes.letters(count)
            let frame = Bytes.frame(1, payload)
            for cut in 1...headBytes {
                let name = "a text of \(count) bytes, its head of \(headBytes) bytes cut behind byte \(cut)"
                cases.append(WebSocketCase("5.2", name, WebSocketCase.cut(frame, at: cut), .text(payload)))
            }
        }
        for cut in 1...6 {
            let binary = Bytes.frame(2, [1, 2, 3])
            let name = "a binary message cut behind byte \(cut)"
            cases.append(WebSocketCase("5.2", name, WebSocketCase.cut(binary, at: cut), .binary([1, 2, 3])))
        }
        for cut in 1...7 {
            let name = "a ping cut behind byte \(cut)"
            cases.append(
                WebSocketCase("5.5.2", name, WebSocketCase.cut(Bytes.ping("abc"), at: cut), .pongs([97, 98, 99]))
            )
        }
        for cut in 1...7 {
            let name = "a close cut behind byte \(cut)"
            cases.append(WebSocketCase("5.5.1", name, WebSocketCase.cut(Bytes.close(1000), at: cut), .answers(1000)))
        }
        return cases
    }

    private static var cutPayloads: [WebSocketCase] {
        var cases: [WebSocketCase] = []
        let frame = Bytes.text("hello")
        for cut in 7...10 {
            let name = "a text cut behind byte \(cut)"
            cases.append(WebSocketCase("5.2", name, WebSocketCase.cut(frame, at: cut), .texts("hello")))
        }
        let long = Bytes.letters(5000)
        let parts = Bytes.frame(1, long)
        let thirds: [Step] = [
            .send(Array(parts[..<1000])), .send(Array(parts[1000..<4000])), .send(Array(parts[4000...])),
        ]
        let packet = Bytes.frame(2, Bytes.letters(1500))
        cases += [
            WebSocketCase("5.2", "a text byte by byte", WebSocketCase.bytewise(frame), .texts("hello")),
            WebSocketCase(
                "5.5.2",
                "a ping byte by byte",
                WebSocketCase.bytewise(Bytes.ping("abc")),
                .pongs([97, 98, 99])
            ),
            WebSocketCase("5.5.1", "a close byte by byte", WebSocketCase.bytewise(Bytes.close(1000)), .answers(1000)),
            WebSocketCase("5.2", "a text of 5000 bytes in three segments", thirds, .text(long)),
            WebSocketCase(
                "5.2",
                "a binary message of 1500 bytes in two segments",
                WebSocketCase.cut(packet, at: 700),
                .binary(Bytes.letters(1500))
            ),
        ]
        return cases
    }

    private static var joined: [WebSocketCase] {
        let three = Bytes.text("one") + Bytes.text("two") + Bytes.text("three")
        let twenty = (0..<20).map { "text \($0)" }
        let mixed = Bytes.text("a") + Bytes.frame(2, [1]) + Bytes.ping("p") + Bytes.text("b")
        let mixedVerdict = Verdict(
            messages: [
                .init(opcode: 1, payload: [97]), .init(opcode: 2, payload: [1]), .init(opcode: 1, payload: [98]),
            ],
            pongs: [[112]]
        )
        let twentyVerdict = Verdict(messages: twenty.map { .init(opcode: 1, payload: Array($0.utf8)) })
        var cases = [
            WebSocketCase("5.2", "three texts in one segment", three, .texts("one", "two", "three")),
            WebSocketCase("5.2", "twenty texts in one segment", twenty.flatMap(Bytes.text), twentyVerdict),
            WebSocketCase(
                "5.2",
                "twenty texts byte by byte",
                WebSocketCase.bytewise(twenty.flatMap(Bytes.text)),
                twentyVerdict
            ),
            WebSocketCase("5.2", "text, binary, ping and text in one segment", mixed, mixedVerdict),
        ]
        for cut in [8, 9, 10, 12, 17] {
            let name = "three texts in two segments, the first of \(cut) bytes"
            let steps = WebSocketCase.cut(three, at: cut)
            cases.append(WebSocketCase("5.2", name, steps, .texts("one", "two", "three")))
        }
        return cases
    }
}
