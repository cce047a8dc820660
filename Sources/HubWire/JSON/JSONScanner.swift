/// Validates JSON by the grammar of a dialect, strictly by RFC 8259 on the wire, and records the places of values.
///
/// An own parser since `JSONDecoder` takes a hundred thousand instructions for a request of two hundred bytes, checks
/// numbers and escapes only where they are read, gives no place of a fault, and cannot return a number as it was sent.
///
/// The dialect is a type, so that the strict scanner is compiled without a trace of JSON5.
struct JSONScanner<Dialect: JSONDialect> {
    let bytes: [UInt8]
    var position = 0
    private let recordsNodes: Bool
    /// The places of the values so far; empty unless they are requested.
    private(set) var nodes: [JSONDocument.Node] = []

    init(_ bytes: [UInt8], recordsNodes: Bool = false) {
        self.bytes = bytes
        self.recordsNodes = recordsNodes
        // A request has some twenty; each is a name, a colon and a value at least.
        if recordsNodes { nodes.reserveCapacity(min(32, bytes.count)) }
    }

    /// Checks that the bytes are exactly one JSON value, in UTF-8; only JSON5 may begin with a byte order mark.
    mutating func checkDocument() throws(JSONSyntaxError) {
        guard (try? UTF8Span(validating: bytes.span)) != nil else {
            throw .unexpected(at: 0, expected: "UTF-8 text")
        }
        if Dialect.isJSON5 { skipByteOrderMark() }
        skipSpace()
        try skipValue(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw expected(Dialect.isJSON5 ? "the end of the file" : "the end") }
    }

    /// Finds the byte range of a member's value in the outermost object; nil: there is none before a syntax error.
    ///
    /// The text need not be validated before. Of several members with that name it is the first.
    mutating func range(ofMember name: String) -> Range<Int>? {
        skipSpace()
        guard enterMember(name) else { return nil }
        let start = position
        guard (try? skipValue(depth: 0)) != nil else { return nil }
        return start..<position
    }

    // MARK: Members

    private mutating func enterMember(_ name: String) -> Bool {
        guard take("{") else { return false }
        skipSpace()
        while current == UInt8(ascii: "\"") {
            let start = position
            guard (try? skipString()) != nil else { return false }
            let isWanted = key(in: start..<position, is: name)
            skipSpace()
            guard take(":") else { return false }
            skipSpace()
            if isWanted { return true }
            guard (try? skipValue(depth: 0)) != nil else { return false }
            skipSpace()
            guard take(",") else { return false }
            skipSpace()
        }
        return false
    }

    private func key(in range: Range<Int>, is name: String) -> Bool {
        JSONString.isText(bytes[range].dropFirst().dropLast(), name)
    }

    // MARK: Grammar

    /// Skips a value.
    ///
    /// - Parameters:
    ///   - depth: The number of arrays and objects around the value.
    ///   - name: The range of the name of the member whose value it is, for error messages; nil: it is no member's.
    /// - Throws: `JSONSyntaxError` at the first byte that does not fit the grammar, or where the nesting is too deep.
    private mutating func skipValue(depth: Int, of name: Range<Int>? = nil) throws(JSONSyntaxError) {
        let index = beginNode()
        defer { endNode(index) }
        switch current ?? 0 {
        case UInt8(ascii: "{"): return try skipObject(depth: depth + 1)
        case UInt8(ascii: "["): return try skipArray(depth: depth + 1)
        case UInt8(ascii: "\""): return try skipString()
        default: break
        }
        if Dialect.isJSON5 { return try skipJSON5Value(depth: depth, of: name) }
        switch current ?? 0 {
        case UInt8(ascii: "t"): try skipWord("true")
        case UInt8(ascii: "f"): try skipWord("false")
        case UInt8(ascii: "n"): try skipWord("null")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try skipNumber()
        default: throw expected("a value")
        }
    }

    private mutating func beginNode() -> Int {
        guard recordsNodes else { return 0 }
        nodes.append(JSONDocument.Node(start: position, end: position, next: 0))
        return nodes.count - 1
    }

    private mutating func endNode(_ index: Int) {
        guard recordsNodes else { return }
        nodes[index].end = position
        nodes[index].next = nodes.count
    }

    private mutating func skipObject(depth: Int) throws(JSONSyntaxError) {
        guard depth <= JSONDocument.maximumDepth else { throw .tooDeep(at: position) }
        position += 1
        skipSpace()
        if take("}") { return }
        repeat {
            skipSpace()
            // JSON5 allows a comma after the last member.
            if Dialect.isJSON5, take("}") { return }
            let start = position
            let index = beginNode()
            if Dialect.isJSON5, current != UInt8(ascii: "\"") {
                try skipJSON5Name()
            } else {
                guard current == UInt8(ascii: "\"") else { throw expected("a member's name in double quotes") }
                try skipString()
            }
            endNode(index)
            let name = start..<position
            skipSpace()
            guard take(":") else {
                throw expected(Dialect.isJSON5 ? "\":\" after the key \(Self.quotedName(bytes[name]))" : "a colon")
            }
            skipSpace()
            try skipValue(depth: depth, of: name)
            skipSpace()
            if Dialect.isJSON5, !isNext(",", or: "}") {
                throw expected("\",\" or \"}\" after the value of \(Self.quotedName(bytes[name]))")
            }
        } while take(",")
        guard take("}") else { throw expected("a comma or }") }
    }

    private mutating func skipArray(depth: Int) throws(JSONSyntaxError) {
        guard depth <= JSONDocument.maximumDepth else { throw .tooDeep(at: position) }
        position += 1
        skipSpace()
        if take("]") { return }
        repeat {
            skipSpace()
            if Dialect.isJSON5, take("]") { return }
            try skipValue(depth: depth)
            skipSpace()
            if Dialect.isJSON5, !isNext(",", or: "]") {
                throw expected("\",\" or \"]\" after a value of the list")
            }
        } while take(",")
        guard take("]") else { throw expected("a comma or ]") }
    }

    // MARK: Strings

    /// Skips a string; in JSON5 the quote may be a single one.
    mutating func skipString() throws(JSONSyntaxError) {
        let start = position
        let quote = Dialect.isJSON5 ? bytes[start] : UInt8(ascii: "\"")
        position += 1
        while let byte = current {
            switch byte {
            case quote:
                position += 1
                return
            case UInt8(ascii: "\\"):
                if Dialect.isJSON5 {
                    try skipJSON5Escape()
                } else {
                    position += 1
                    try skipEscape()
                }
            case 0..<0x20:
                throw Dialect.isJSON5
                    ? controlCharacter(inStringFrom: start) : expected("control characters escaped")
            default:
                position += 1
            }
        }
        throw Dialect.isJSON5 ? unclosedString(from: start) : expected("the closing quote of a string")
    }

    private mutating func skipEscape() throws(JSONSyntaxError) {
        switch current {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
        case UInt8(ascii: "u"):
            try skipUnicodeEscape()
        default:
            throw expected("a valid JSON escape")
        }
    }

    /// Skips a UTF-16 code unit, or a surrogate pair; a lone surrogate is a fault, since it is no text.
    private mutating func skipUnicodeEscape() throws(JSONSyntaxError) {
        let start = position
        switch try takeCodeUnit() {
        case 0xD800..<0xDC00:
            guard take("\\"), current == UInt8(ascii: "u"), (0xDC00..<0xE000).contains(try takeCodeUnit()) else {
                throw .unexpected(at: start, expected: "a pair of surrogates")
            }
        case 0xDC00..<0xE000:
            throw .unexpected(at: start, expected: "a pair of surrogates")
        default:
            break
        }
    }

    private mutating func takeCodeUnit() throws(JSONSyntaxError) -> UInt16 {
        position += 1
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = current?.hexDigitValue else { throw expected("four hexadecimal digits") }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }

    // MARK: Numbers, words and space

    private mutating func skipNumber() throws(JSONSyntaxError) {
        _ = take("-")
        if !take("0") { try skipDigits() }
        if take(".") { try skipDigits() }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            try skipDigits()
        }
    }

    private mutating func skipDigits() throws(JSONSyntaxError) {
        guard let byte = current, byte.isDigit else { throw expected("a digit") }
        while let byte = current, byte.isDigit { position += 1 }
    }

    private mutating func skipWord(_ word: String) throws(JSONSyntaxError) {
        for byte in word.utf8 {
            guard current == byte else { throw expected(word) }
            position += 1
        }
    }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
        if Dialect.isJSON5 { skipJSON5Space() }
    }

    var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private func isNext(_ one: Unicode.Scalar, or other: Unicode.Scalar) -> Bool {
        current == UInt8(ascii: one) || current == UInt8(ascii: other)
    }

    /// The fault that something else is expected at the current position.
    func expected(_ what: String) -> JSONSyntaxError { .unexpected(at: position, expected: what) }
}
