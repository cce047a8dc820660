/// An HTTP request that an attacker sends, and the answers that the hub may give.
struct HTTPProbe {
    /// The answers that are right.
    enum Expectation {
        /// This one, byte for byte.
        case exactly([UInt8])
        /// One answer with one of these status codes.
        case status(Set<Int>)
    }

    /// The verdict on an answer.
    enum Verdict: Equatable {
        /// The answer is as expected.
        case right
        /// The hub refused the request for the rate of its address's requests (HTTP 429).
        case limited
        /// The hub closed the connection without an answer.
        case unanswered
        /// The answer is one that the hub must not give; its kind.
        case wrong(String)
    }

    /// The request as it is sent.
    let bytes: [UInt8]
    let expectation: Expectation

    /// Creates a request of a request line, headers and the bytes after them.
    init(
        _ line: String,
        headers: [String] = ["Host: 127.0.0.1"],
        behind: String = "",
        _ expectation: Expectation
    ) {
        bytes = Array(([line] + headers + ["", behind]).joined(separator: "\r\n").utf8)
        self.expectation = expectation
    }

    /// The headers of an opening handshake (RFC 6455 section 4.1), with others behind them.
    static func upgrade(host: String = "127.0.0.1", _ others: [String]) -> [String] {
        [
            "Host: \(host)", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol: callhub.v1",
        ] + others
    }

    /// Judges all bytes that came on the request's connection before it ended.
    func verdict(on answer: [UInt8]) -> Verdict {
        guard !answer.isEmpty else { return .unanswered }
        if case .exactly(answer) = expectation { return .right }
        let text = String(decoding: answer, as: UTF8.self)
        let words = text.prefix { $0 != "\r\n" }.split(separator: " ")
        guard words.count > 1, words[0] == "HTTP/1.1", let status = Int(words[1]) else { return .wrong("no HTTP") }
        guard text.split(separator: "HTTP/1.1 ").count == 1 else { return .wrong("several answers") }
        if status == 429 { return .limited }
        switch expectation {
        case .exactly: return .wrong("other bytes, HTTP \(status)")
        case .status(let right): return right.contains(status) ? .right : .wrong("HTTP \(status)")
        }
    }
}
