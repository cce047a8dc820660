/// A token of a line.
struct Token {
    enum Kind {
        /// Any text between blanks.
        case word
        /// A text in quotes; the token's text has neither quotes nor escapes.
        case quoted
        /// A comma behind a word.
        case comma
        /// A colon behind a word.
        case colon
    }

    var kind: Kind
    var text: String
    /// The offset in the line's text, in bytes.
    var offset: Int
    /// Indicates that no blank precedes it.
    var hasNoSpaceBefore: Bool

    /// The token as it is quoted in a sentence.
    var shown: String {
        switch kind {
        case .word, .quoted: text.quoted
        case .comma: "\",\""
        case .colon: "\":\""
        }
    }
}

/// A tokenizer of lines.
///
/// A comma or a colon is a token only before a blank or the line's end, so that `phoneNumber:49` and the digits `1,2`
/// are one word each.
struct Tokenizer {
    private let line: ExpandedLine
    private let bytes: [UInt8]
    private var offset = 0

    /// Returns the tokens of a line; throws a syntax error about unclosed quotes and unknown escapes.
    static func tokens(of line: ExpandedLine) throws(LineSyntaxError) -> [Token] {
        var tokenizer = Tokenizer(line)
        var tokens: [Token] = []
        while let token = try tokenizer.next() { tokens.append(token) }
        return tokens
    }

    private init(_ line: ExpandedLine) {
        self.line = line
        bytes = Array(line.text.utf8)
    }

    private mutating func next() throws(LineSyntaxError) -> Token? {
        let before = offset
        while offset < bytes.count, isBlank(bytes[offset]) { offset += 1 }
        guard offset < bytes.count else { return nil }
        let hasNoSpaceBefore = offset == before && before > 0
        let start = offset
        switch bytes[offset] {
        case UInt8(ascii: "\""):
            return Token(kind: .quoted, text: try readQuoted(), offset: start, hasNoSpaceBefore: hasNoSpaceBefore)
        case UInt8(ascii: ","), UInt8(ascii: ":"):
            guard offset + 1 == bytes.count || isBlank(bytes[offset + 1]) else { fallthrough }
            let kind: Token.Kind = bytes[offset] == UInt8(ascii: ",") ? .comma : .colon
            offset += 1
            return Token(kind: kind, text: "", offset: start, hasNoSpaceBefore: hasNoSpaceBefore)
        default:
            return Token(kind: .word, text: readWord(), offset: start, hasNoSpaceBefore: hasNoSpaceBefore)
        }
    }

    private mutating func readWord() -> String {
        let start = offset
        while offset < bytes.count, !isBlank(bytes[offset]), bytes[offset] != UInt8(ascii: "\"") { offset += 1 }
        let isBeforeBlank = offset == bytes.count || isBlank(bytes[offset])
        while isBeforeBlank, offset > start + 1, isMark(bytes[offset - 1]) { offset -= 1 }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private mutating func readQuoted() throws(LineSyntaxError) -> String {
        let start = offset
        var text: [UInt8] = []
        offset += 1
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
            if bytes[offset] == UInt8(ascii: "\\") {
                text += String(try readEscape()).utf8
            } else {
                text.append(bytes[offset])
                offset += 1
            }
        }
        guard offset < bytes.count else {
            throw LineSyntaxError(
                column: line.column(at: start),
                sentence: "the text that begins here has no quote at its end"
            )
        }
        offset += 1
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func readEscape() throws(LineSyntaxError) -> Unicode.Scalar {
        let start = offset
        let letter = start + 1 < bytes.count ? bytes[start + 1] : 0
        offset = min(offset + 2, bytes.count)
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "{"), UInt8(ascii: "}"): return Unicode.Scalar(letter)
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            let digits = String(decoding: bytes[offset..<min(offset + 4, bytes.count)], as: UTF8.self)
            if digits.utf8.count == 4, let code = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(code) {
                offset += 4
                return scalar
            }
        default: break
        }
        throw LineSyntaxError(
            column: line.column(at: start),
            sentence: "in quotes a backslash goes before \", \\, {, }, n, t or u with four hexadecimal digits"
        )
    }

    private func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }

    private func isMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":")
    }
}
