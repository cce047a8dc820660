import Testing

@testable import callhub_trials

/// Verdicts of the trial by abuse on answers to hostile requests.
struct AbuseFiguresTests {
    private static let right = "HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\n\r\nno\n"
    private static let busy = "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n\r\n"

    private func verdict(_ answer: String, _ expectation: HTTPProbe.Expectation) -> HTTPProbe.Verdict {
        HTTPProbe("GET /; HTTP/1.1", expectation).verdict(on: Array(answer.utf8))
    }

    @Test func `a response that differs in one byte from the expected one is wrong`() {
        let expected = HTTPProbe.Expectation.exactly(Array(Self.right.utf8))
        #expect(verdict(Self.right, expected) == .right)
        #expect(verdict(Self.right.replacing("no", with: "n\0"), expected) == .wrong("other bytes, HTTP 404"))
        #expect(verdict(Self.right + "X", expected) == .wrong("other bytes, HTTP 404"))
        #expect(verdict(Self.busy, expected) == .limited)
        #expect(verdict("", expected) == .unanswered)
        #expect(verdict("secret", expected) == .wrong("no HTTP"))
    }

    @Test func `a second response on the same connection is wrong, and so is another status`() {
        #expect(verdict(Self.right, .status([404])) == .right)
        #expect(verdict(Self.right, .status([400])) == .wrong("HTTP 404"))
        #expect(verdict(Self.right + Self.right, .status([404])) == .wrong("several answers"))
        #expect(verdict(Self.right, .status([])) == .wrong("HTTP 404"), "where there was no answer to compare with")
    }

    @Test func `a request ends at the empty line, and later bytes belong to the next one`() {
        let probe = HTTPProbe("GET / HTTP/1.1", headers: ["Host: a"], behind: "GET", .status([404]))
        #expect(String(decoding: probe.bytes, as: UTF8.self) == "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET")
    }
}
