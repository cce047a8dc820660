// The liberties of JSON5, and the sentences about its faults.

extension JSONScanner {
    mutating func skipByteOrderMark() {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    // MARK: Values

    /// Skips a string in single quotes, a number or a word.
    mutating func skipJSON5Value(depth: Int, of name: Range<Int>?) throws(JSONSyntaxError) {
        switch current {
        case UInt8(ascii: "'"): return try skipString()
        case let byte? where byte.isDigit || byte.isSign || byte == UInt8(ascii: "."): return try skipJSON5Number()
        default: break
        }
        let start = position
        let word = takeWord()
        guard !["null", "true", "false", "Infinity", "NaN"].contains(word) else { return }
        position = start
        let unnamed = depth > 0 ? "a value" : "\"{\" and the settings"
        let value = name.map { "a value for \(Self.quotedName(bytes[$0]))" } ?? unnamed
        throw expected(word.isEmpty ? value : "\(value) (a text stands in quotes)")
    }

    mutating func skipJSON5Name() throws(JSONSyntaxError) {
        if current == UInt8(ascii: "'") { return try skipString() }
        guard !takeWord().isEmpty else { throw expected("a key or \"}\"") }
    }

    /// Takes a word of ASCII letters, digits, `_` and `$` that begins with no digit; empty if there is none.
    private mutating func takeWord() -> String {
        guard current?.isDigit != true else { return "" }
        let start = position
        while let byte = current, byte.isWordByte { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func skipJSON5Number() throws(JSONSyntaxError) {
        let start = position
        while let byte = current, byte.isWordByte || byte == UInt8(ascii: ".") || byte.isSign {
            // A sign is allowed at the beginning and in an exponent.
            if byte.isSign, position > start, bytes[position - 1] | 0x20 != UInt8(ascii: "e") { break }
            position += 1
        }
        let word = String(decoding: bytes[start..<position], as: UTF8.self)
        guard JSON5Number.value(of: word) != nil else { throw .wrong(at: start, "\(quoted(word)) is not a number.") }
    }

    // MARK: Strings

    mutating func skipJSON5Escape() throws(JSONSyntaxError) {
        let start = position
        position += 1
        let letter = current ?? 0
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return
        case UInt8(ascii: "x"):
            _ = try takeHexadecimal(digits: 2, from: start)
        case UInt8(ascii: "u"):
            let first = try takeHexadecimal(digits: 4, from: start)
            guard Unicode.Scalar(first) == nil else { return }
            // A character beyond U+FFFF is a surrogate pair.
            guard first < 0xDC00, take("\\"), take("u"),
                try takeHexadecimal(digits: 4, from: start) & 0xFC00 == 0xDC00
            else {
                throw .wrong(at: start, "this is half of a surrogate pair; write both or the character itself.")
            }
        default:
            throw .wrong(at: start, "this escape is unknown; a backslash itself is written \"\\\\\".")
        }
    }

    private mutating func takeHexadecimal(digits: Int, from start: Int) throws(JSONSyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let digit = current?.hexDigitValue else { throw Self.noDigits(digits, at: start) }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        guard value > 0 else { throw Self.noDigits(digits, at: start) }
        return value
    }

    private static func noDigits(_ digits: Int, at start: Int) -> JSONSyntaxError {
        .wrong(at: start, "this escape needs \(digits) hexadecimal digits that are not all 0.")
    }

    func controlCharacter(inStringFrom start: Int) -> JSONSyntaxError {
        let isLineEnd = current == UInt8(ascii: "\n") || current == UInt8(ascii: "\r")
        return isLineEnd ? unclosedString(from: start) : expected("no control character in a text")
    }

    func unclosedString(from start: Int) -> JSONSyntaxError {
        .wrong(at: start, "the text that begins here has no quote at its end.")
    }

    /// The name of a member, in quotes for an error message.
    static func quotedName(_ bytes: ArraySlice<UInt8>) -> String { quoted(JSONString.name(bytes)) }

    // MARK: Space

    /// Skips white space and comments; of a comment without an end nothing is skipped.
    mutating func skipJSON5Space() {
        while let byte = current {
            switch byte {
            case 0x20, 0x09...0x0D: position += 1
            case UInt8(ascii: "/"):
                guard skipComment() else { return }
            default: return
            }
        }
    }

    private mutating func skipComment() -> Bool {
        let start = position
        position += 1
        if take("/") {
            while let byte = current, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") { position += 1 }
            return true
        }
        if take("*") {
            while current != nil {
                if take("*") {
                    if take("/") { return true }
                } else {
                    position += 1
                }
            }
        }
        position = start
        return false
    }
}

extension UInt8 {
    fileprivate var isSign: Bool { self == UInt8(ascii: "+") || self == UInt8(ascii: "-") }

    fileprivate var isWordByte: Bool {
        isDigit || (0x61...0x7A).contains(self | 0x20) || self == UInt8(ascii: "_") || self == UInt8(ascii: "$")
    }
}
