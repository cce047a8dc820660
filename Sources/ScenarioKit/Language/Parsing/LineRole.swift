/// The role of a line for the lines indented under it.
enum LineRole {
    /// `let ring = 300 ms`.
    case variable(String, value: String)
    /// `for each WHO of alice, bob:`, within a scenario.
    case forEach(String, values: [String])
    /// `for each HOW of accept, hold and accept`, before the first step.
    case matrix(String, values: [String])
    /// `repeat 3 times:`.
    case times(Int)
    /// `together:` and the like.
    case block
    /// A step, or a line before the steps.
    case other

    /// The beginnings of the lines that open a block, for error sentences.
    static let leadingKeywords = "together, in any order, at random within, repeat or for each"

    init(_ line: ExpandedLine, hasChildren: Bool) throws(LineSyntaxError) {
        let text = line.text
        let first = text.prefix { $0 != " " }
        switch first {
        case "let": self = try Self.variable(line)
        case "for": self = try Self.forEach(line, hasChildren: hasChildren)
        case "repeat": self = try Self.times(line, hasChildren: hasChildren)
        default:
            guard ["together", "in", "at"].contains(first.prefix { $0 != ":" }) else {
                self = .other
                return
            }
            try Self.check(line, opensBlockWith: hasChildren)
            self = .block
        }
    }

    private static func variable(_ line: ExpandedLine) throws(LineSyntaxError) -> LineRole {
        let rest = line.text.utf8.dropFirst(3)
        guard let equals = rest.firstIndex(of: UInt8(ascii: "=")) else {
            throw LineSyntaxError(
                column: line.column(at: 0),
                sentence: "after \"let\" come a name, \"=\" and a value: let ring = 300 ms"
            )
        }
        let name = trimmed(Substring(rest[..<equals]))
        let value = trimmed(Substring(rest[rest.index(after: equals)...]))
        guard !value.isEmpty else {
            throw LineSyntaxError(column: line.column(at: 0), sentence: "after \"=\" comes a value, such as 300 ms")
        }
        return .variable(name, value: value)
    }

    private static func forEach(_ line: ExpandedLine, hasChildren: Bool) throws(LineSyntaxError) -> LineRole {
        let isLoop = line.text.hasSuffix(":")
        let words = line.text.split(separator: " ", maxSplits: 4)
        guard words.count == 5, words[1] == "each", words[3] == "of" else {
            let sentence =
                "a loop begins with \"for each\", a name, \"of\" and values, as in \"for each WHO of alice, bob:\""
            throw LineSyntaxError(column: line.column(at: 0), sentence: sentence)
        }
        if isLoop || hasChildren { try check(line, opensBlockWith: hasChildren) }
        let values = values(words[4].dropLast(isLoop ? 1 : 0))
        guard values.allSatisfy({ !$0.isEmpty }) else {
            throw LineSyntaxError(
                column: line.column(at: 0),
                sentence: "between two commas, and at both ends, stands a value"
            )
        }
        return isLoop ? .forEach(String(words[2]), values: values) : .matrix(String(words[2]), values: values)
    }

    private static func times(_ line: ExpandedLine, hasChildren: Bool) throws(LineSyntaxError) -> LineRole {
        let words = line.text.split(separator: " ")
        guard words.count == 3, let count = LineParser.digits(words[1], atMost: 9), count > 0,
            ["times", "times:", "time:"].contains(words[2])
        else {
            let sentence = "after \"repeat\" come a number from 1 and \"times:\", as in \"repeat 3 times:\""
            throw LineSyntaxError(column: line.column(at: 0), sentence: sentence)
        }
        try check(line, opensBlockWith: hasChildren)
        return .times(count)
    }

    /// Throws a syntax error if a block's first line lacks its colon or has no lines indented under it.
    private static func check(_ line: ExpandedLine, opensBlockWith hasChildren: Bool) throws(LineSyntaxError) {
        guard line.text.hasSuffix(":") else {
            let column = line.column(at: line.text.utf8.count)
            throw LineSyntaxError(column: column, sentence: "a line that opens a block ends with \":\"")
        }
        guard hasChildren else {
            let sentence = "this block is empty; the lines of a block are indented"
            throw LineSyntaxError(column: line.column(at: 0), sentence: sentence)
        }
    }

    /// Splits values at the commas that are not in quotes.
    private static func values(_ text: Substring) -> [String] {
        var isQuoted = false
        var isEscaped = false
        var values = [""]
        for scalar in text.unicodeScalars {
            if scalar == ",", !isQuoted {
                values.append("")
                continue
            }
            values[values.count - 1].unicodeScalars.append(scalar)
            if isEscaped {
                isEscaped = false
            } else if isQuoted, scalar == "\\" {
                isEscaped = true
            } else if scalar == "\"" {
                isQuoted.toggle()
            }
        }
        return values.map { trimmed($0[...]) }
    }

    private static func trimmed(_ text: Substring) -> String {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        var text = text.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return String(text)
    }
}
