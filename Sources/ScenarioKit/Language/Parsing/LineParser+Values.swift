// Numbers, durations and texts.
extension LineParser {
    /// Reads a duration: `200 ms`, `1.5 s`, `2 min`.
    mutating func duration() throws(LineSyntaxError) -> Duration {
        let what = "a duration, such as 200 ms, 1.5 s or 2 min"
        guard let number = words.word(), let unit = Self.units[words.word(1) ?? ""] else { throw words.expected(what) }
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = Self.digits(parts[0], atMost: 9) else { throw words.expected(what) }
        var nanoseconds = whole.multipliedReportingOverflow(by: unit)
        if parts.count == 2 {
            guard let fraction = Self.digits(parts[1], atMost: 6) else { throw words.expected(what) }
            let scale = (0..<parts[1].utf8.count).reduce(1) { scale, _ in scale * 10 }
            let (sum, overflow) = nanoseconds.partialValue.addingReportingOverflow(fraction * unit / scale)
            nanoseconds = (sum, nanoseconds.overflow || overflow)
        }
        guard !nanoseconds.overflow, .nanoseconds(nanoseconds.partialValue) <= ScenarioLimits.duration else {
            throw LineSyntaxError(column: words.column, sentence: "a duration is at most 1440 min; this is more")
        }
        _ = words.take(.word)
        _ = words.take(.word)
        return .nanoseconds(nanoseconds.partialValue)
    }

    /// Reads a whole number within a range.
    mutating func number(_ range: ClosedRange<Int>, of what: String) throws(LineSyntaxError) -> Int {
        guard let word = words.word(), let number = Self.digits(word[...], atMost: 9) else {
            throw words.expected("a number of \(what), such as \(max(range.lowerBound, 2))")
        }
        guard range.contains(number) else {
            let sentence = "the number of \(what) goes from \(range.lowerBound) to \(range.upperBound)"
            throw LineSyntaxError(column: words.column, sentence: sentence)
        }
        _ = words.take(.word)
        return number
    }

    /// Reads a text in quotes.
    mutating func quoted(_ what: String) throws(LineSyntaxError) -> String {
        guard let token = words.take(.quoted) else { throw words.expected("\(what) in quotes, such as \"Eve\"") }
        return token.text
    }

    /// Reads a text in quotes, or a word.
    mutating func wordOrQuoted(_ what: String) throws(LineSyntaxError) -> String {
        guard let token = words.take(.quoted) ?? words.take(.word) else { throw words.expected(what) }
        return token.text
    }

    /// Returns the value of 1 to `count` decimal digits without sign and point; nil: the text is anything else.
    static func digits(_ text: Substring, atMost count: Int) -> Int? {
        guard (1...count).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }

    /// The durations' units, in nanoseconds.
    private static let units = ["ms": 1_000_000, "s": 1_000_000_000, "min": 60_000_000_000]
}
