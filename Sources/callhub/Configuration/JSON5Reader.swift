import HubWire

/// Reads JSON5 (spec.json5.org), and reports the place of the first error and what would be right there.
///
/// An own parser since JSONDecoder with `allowsJSON5` gives no place, ends the process at `[1e+]`, and refuses
/// `[0e1]` (swift-foundation of Swift 6.3). It is stricter than JSON5 where no configuration needs more: unquoted
/// keys are ASCII, duplicate keys are errors, white space is ASCII, strings have no line continuations, and nesting
/// is limited to ``maximumDepth``.
struct JSON5Reader {
    /// The maximum nesting depth of objects and arrays.
    static let maximumDepth = 32

    private let text: [UInt8]
    private var offset = 0
    private var depth = 0

    private init(_ text: [UInt8]) { self.text = text }

    /// Parses a text as one JSON5 value.
    static func read(_ text: [UInt8]) throws(JSON5Fault) -> JSON5Value {
        var reader = JSON5Reader(text)
        try reader.checkEncoding()
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { reader.offset = 3 }
        try reader.skipBlanks()
        let value = try reader.readValue("\"{\" and the settings")
        try reader.skipBlanks()
        guard reader.next == nil else { throw reader.expected("the end of the file") }
        return value
    }

    // MARK: Values

    private mutating func readValue(_ expectation: String = "a value") throws(JSON5Fault) -> JSON5Value {
        switch next {
        case UInt8(ascii: "{"): return .object(try readObject())
        case UInt8(ascii: "["): return .array(try readArray())
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try readString())
        case let byte? where isDigit(byte) || isSign(byte) || byte == UInt8(ascii: "."):
            return .number(try readNumber())
        default: break
        }
        let start = offset
        switch takeWord() {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "Infinity": return .number(.infinity)
        case "NaN": return .number(.nan)
        case let word:
            offset = start
            throw expected(word.isEmpty ? expectation : "\(expectation) (a text stands in quotes)")
        }
    }

    private mutating func readObject() throws(JSON5Fault) -> [String: JSON5Value] {
        var members: [String: JSON5Value] = [:]
        try enter()
        while !take("}") {
            let start = offset
            let key = try readKey()
            guard members[key] == nil else {
                throw fault(at: start, "\(quoted(key)) is set for the second time here; once is right.")
            }
            try skipBlanks()
            guard take(":") else { throw expected("\":\" after the key \(quoted(key))") }
            try skipBlanks()
            members[key] = try readValue("a value for \(quoted(key))")
            try skipBlanks()
            if take(",") {
                try skipBlanks()
            } else if next != UInt8(ascii: "}") {
                throw expected("\",\" or \"}\" after the value of \(quoted(key))")
            }
        }
        depth -= 1
        return members
    }

    private mutating func readArray() throws(JSON5Fault) -> [JSON5Value] {
        var values: [JSON5Value] = []
        try enter()
        while !take("]") {
            values.append(try readValue())
            try skipBlanks()
            if take(",") {
                try skipBlanks()
            } else if next != UInt8(ascii: "]") {
                throw expected("\",\" or \"]\" after a value of the list")
            }
        }
        depth -= 1
        return values
    }

    /// Consumes the bracket that opens an object or an array, and checks the nesting depth.
    private mutating func enter() throws(JSON5Fault) {
        guard depth < Self.maximumDepth else {
            throw fault(at: offset, "this is nested deeper than \(Self.maximumDepth) levels.")
        }
        depth += 1
        offset += 1
        try skipBlanks()
    }

    private mutating func readKey() throws(JSON5Fault) -> String {
        if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") { return try readString() }
        let key = takeWord()
        guard !key.isEmpty else { throw expected("a key or \"}\"") }
        return key
    }

    // MARK: Texts

    private mutating func readString() throws(JSON5Fault) -> String {
        let start = offset
        let quote = next
        offset += 1
        var bytes: [UInt8] = []
        while let byte = next, byte != quote {
            guard byte >= 0x20 else {
                let isLineEnd = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
                throw isLineEnd ? unclosed(from: start) : expected("no control character in a text")
            }
            if byte == UInt8(ascii: "\\") {
                bytes += String(try readEscape()).utf8
            } else {
                bytes.append(byte)
                offset += 1
            }
        }
        guard next == quote else { throw unclosed(from: start) }
        offset += 1
        return String(decoding: bytes, as: UTF8.self)
    }

    private func unclosed(from start: Int) -> JSON5Fault {
        fault(at: start, "the text that begins here has no quote at its end.")
    }

    private mutating func readEscape() throws(JSON5Fault) -> Unicode.Scalar {
        let start = offset
        let letter = start + 1 < text.count ? text[start + 1] : 0
        offset += 2
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "x"): return Unicode.Scalar(UInt8(truncatingIfNeeded: try readHex(digits: 2, from: start)))
        case UInt8(ascii: "u"):
            let first = try readHex(digits: 4, from: start)
            if let scalar = Unicode.Scalar(first) { return scalar }
            // A character beyond U+FFFF is a surrogate pair.
            if first < 0xDC00, take("\\"), take("u") {
                let second = try readHex(digits: 4, from: start)
                let joined = 0x10000 + (first & 0x3FF) << 10 + second & 0x3FF
                if second & 0xFC00 == 0xDC00, let scalar = Unicode.Scalar(joined) { return scalar }
            }
            throw fault(at: start, "this is half of a surrogate pair; write both or the character itself.")
        default:
            throw fault(at: start, "this escape is unknown; a backslash itself is written \"\\\\\".")
        }
    }

    private mutating func readHex(digits: Int, from start: Int) throws(JSON5Fault) -> UInt32 {
        let word = text[offset...].prefix(digits)
        guard word.count == digits, let value = UInt32(hex: word), value > 0 else {
            throw fault(at: start, "this escape needs \(digits) hexadecimal digits that are not all 0.")
        }
        offset += digits
        return value
    }

    // MARK: Numbers

    private mutating func readNumber() throws(JSON5Fault) -> Double {
        let start = offset
        while let byte = next, isWordByte(byte) || byte == UInt8(ascii: ".") || isSign(byte) {
            // A sign is allowed at the beginning and in an exponent.
            if isSign(byte), offset > start, text[offset - 1] | 0x20 != UInt8(ascii: "e") { break }
            offset += 1
        }
        let word = String(decoding: text[start..<offset], as: UTF8.self)
        let isNegative = word.hasPrefix("-")
        guard let magnitude = Self.magnitude(isNegative || word.hasPrefix("+") ? word.dropFirst() : word[...]) else {
            throw fault(at: start, "\(quoted(word)) is not a number.")
        }
        return isNegative ? -magnitude : magnitude
    }

    private static func magnitude(_ word: Substring) -> Double? {
        if word == "Infinity" { return .infinity }
        if word == "NaN" { return .nan }
        if word.hasPrefix("0x") || word.hasPrefix("0X") {
            // A Double holds 13 hexadecimal digits exactly.
            guard word.utf8.count <= 15 else { return nil }
            return UInt64(hex: word.utf8.dropFirst(2)).map { Double($0) }
        }
        let decimal = /(?:(?:0|[1-9][0-9]*)\.?|(?:0|[1-9][0-9]*)?\.[0-9]+)(?:[eE][+-]?[0-9]+)?/
        guard word.wholeMatch(of: decimal) != nil else { return nil }
        return Double(word).flatMap { $0.isFinite ? $0 : nil }
    }

    // MARK: Between

    private mutating func skipBlanks() throws(JSON5Fault) {
        while let byte = next {
            switch byte {
            case 0x20, 0x09...0x0D: offset += 1
            case UInt8(ascii: "/"):
                guard try skipComment() else { return }
            default: return
            }
        }
    }

    /// Skips a comment; false if there is none.
    private mutating func skipComment() throws(JSON5Fault) -> Bool {
        let start = offset
        guard start + 1 < text.count else { return false }
        switch text[start + 1] {
        case UInt8(ascii: "/"):
            while let byte = next, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") { offset += 1 }
            return true
        case UInt8(ascii: "*"):
            offset += 2
            while next != nil {
                if take("*") {
                    if take("/") { return true }
                } else {
                    offset += 1
                }
            }
            throw fault(at: start, "the comment that begins here has no \"*/\" at its end.")
        default:
            return false
        }
    }

    private func checkEncoding() throws(JSON5Fault) {
        var rest = text.makeIterator()
        var decoder = UTF8()
        var valid = 0
        while true {
            switch decoder.decode(&rest) {
            case .scalarValue(let scalar) where scalar != "\0": valid += UTF8.width(scalar)
            case .emptyInput: return
            case .scalarValue, .error: throw fault(at: valid, "the file is not UTF-8 text.")
            }
        }
    }

    // MARK: Bytes

    private var next: UInt8? { offset < text.count ? text[offset] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next.map(UInt32.init) == character.value else { return false }
        offset += 1
        return true
    }

    /// Consumes a word of ASCII letters, digits, `_` and `$` that begins with no digit; empty if there is none.
    private mutating func takeWord() -> String {
        if next.map(isDigit) == true { return "" }
        let start = offset
        while let byte = next, isWordByte(byte) { offset += 1 }
        return String(decoding: text[start..<offset], as: UTF8.self)
    }

    // MARK: Faults

    private func fault(at place: Int, _ message: String) -> JSON5Fault {
        let before = text.prefix(place)
        let line = before.lastIndex(of: UInt8(ascii: "\n")).map { before[($0 + 1)...] } ?? before
        return JSON5Fault(
            line: 1 + before.count { $0 == UInt8(ascii: "\n") },
            column: 1 + String(decoding: line, as: UTF8.self).unicodeScalars.count,
            message: message
        )
    }

    private func expected(_ what: String) -> JSON5Fault {
        var rest = self
        let word = rest.takeWord()
        let found =
            switch String(decoding: text[offset...].prefix(4), as: UTF8.self).unicodeScalars.first {
            case nil: "the end of the file"
            case _ where !word.isEmpty: quoted(word)
            case let character? where (0x21...0x7E).contains(character.value): "\"\(character)\""
            case let character?: "the character U+" + String(character.value, radix: 16, uppercase: true)
            }
        return fault(at: offset, "expected \(what), found \(found).")
    }
}

extension FixedWidthInteger {
    /// Parses hexadecimal digits; nil if there are none, too many, or any other byte.
    fileprivate init?(hex digits: some Collection<UInt8>) {
        guard digits.allSatisfy({ isDigit($0) || (0x61...0x66).contains($0 | 0x20) }) else { return nil }
        self.init(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}

private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

private func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") }

private func isWordByte(_ byte: UInt8) -> Bool {
    isDigit(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
}
