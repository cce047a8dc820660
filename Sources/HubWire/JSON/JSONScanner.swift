/// Validates JSON strictly by its grammar (RFC 8259), and records the places of values.
///
/// An own parser since `JSONDecoder` takes a hundred thousand instructions for a request of two hundred bytes, checks
/// numbers and escapes only where they are read, gives no place of a fault, and cannot return a number as it was sent.
struct JSONScanner {
    /// The reason why a text is not JSON that this hub accepts.
    enum Fault: Error, Hashable {
        /// At this byte there is something other than what is expected.
        case unexpected(at: Int, expected: String)
        /// The nesting exceeds `maximumDepth`.
        case tooDeep
    }

    /// The maximum nesting depth of arrays and objects.
    ///
    /// More: more stack for nothing, since no message of the protocol has more than eight levels; less: no room to
    /// grow.
    static let maximumDepth = 32

    private let bytes: [UInt8]
    private var position = 0
    private let keepsPlaces: Bool
    /// The places of the values so far; empty unless they are requested.
    private(set) var places: [JSONDocument.Place] = []

    init(_ bytes: [UInt8], keepsPlaces: Bool = false) {
        self.bytes = bytes
        self.keepsPlaces = keepsPlaces
        // A request has some twenty; each is a name, a colon and a value at least.
        if keepsPlaces { places.reserveCapacity(min(32, bytes.count)) }
    }

    /// Checks that the bytes are exactly one JSON value, in UTF-8 without a byte order mark.
    mutating func checkDocument() throws(Fault) {
        guard (try? UTF8Span(validating: bytes.span)) != nil else {
            throw .unexpected(at: 0, expected: "UTF-8 text")
        }
        skipSpace()
        try skipValue(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw .unexpected(at: position, expected: "the end") }
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
        Self.isString(bytes[range].dropFirst().dropLast(), name)
    }

    // MARK: Grammar

    private mutating func skipValue(depth: Int) throws(Fault) {
        let index = beginPlace()
        defer { endPlace(index) }
        switch current ?? 0 {
        case UInt8(ascii: "{"): try skipObject(depth: depth + 1)
        case UInt8(ascii: "["): try skipArray(depth: depth + 1)
        case UInt8(ascii: "\""): try skipString()
        case UInt8(ascii: "t"): try skipWord("true")
        case UInt8(ascii: "f"): try skipWord("false")
        case UInt8(ascii: "n"): try skipWord("null")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try skipNumber()
        default: throw .unexpected(at: position, expected: "a value")
        }
    }

    private mutating func beginPlace() -> Int {
        guard keepsPlaces else { return 0 }
        places.append(JSONDocument.Place(start: position, end: position, next: 0))
        return places.count - 1
    }

    private mutating func endPlace(_ index: Int) {
        guard keepsPlaces else { return }
        places[index].end = position
        places[index].next = places.count
    }

    private mutating func skipObject(depth: Int) throws(Fault) {
        guard depth <= Self.maximumDepth else { throw .tooDeep }
        position += 1
        skipSpace()
        if take("}") { return }
        repeat {
            skipSpace()
            guard current == UInt8(ascii: "\"") else {
                throw .unexpected(at: position, expected: "a member's name in double quotes")
            }
            let name = beginPlace()
            try skipString()
            endPlace(name)
            skipSpace()
            guard take(":") else { throw .unexpected(at: position, expected: "a colon") }
            skipSpace()
            try skipValue(depth: depth)
            skipSpace()
        } while take(",")
        guard take("}") else { throw .unexpected(at: position, expected: "a comma or }") }
    }

    private mutating func skipArray(depth: Int) throws(Fault) {
        guard depth <= Self.maximumDepth else { throw .tooDeep }
        position += 1
        skipSpace()
        if take("]") { return }
        repeat {
            skipSpace()
            try skipValue(depth: depth)
            skipSpace()
        } while take(",")
        guard take("]") else { throw .unexpected(at: position, expected: "a comma or ]") }
    }

    private mutating func skipString() throws(Fault) {
        position += 1
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return
            case UInt8(ascii: "\\"):
                position += 1
                try skipEscape()
            case 0..<0x20:
                throw .unexpected(at: position, expected: "control characters escaped")
            default:
                position += 1
            }
        }
        throw .unexpected(at: position, expected: "the closing quote of a string")
    }

    private mutating func skipEscape() throws(Fault) {
        switch current {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            position += 1
        case UInt8(ascii: "u"):
            try skipUnicodeEscape()
        default:
            throw .unexpected(at: position, expected: "an escape that JSON knows")
        }
    }

    /// Skips a UTF-16 code unit, or a surrogate pair; a lone surrogate is a fault, since it is no text.
    private mutating func skipUnicodeEscape() throws(Fault) {
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

    private mutating func takeCodeUnit() throws(Fault) -> UInt16 {
        position += 1
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = current?.hexDigitValue else {
                throw .unexpected(at: position, expected: "four hexadecimal digits")
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }

    private mutating func skipNumber() throws(Fault) {
        _ = take("-")
        if !take("0") { try skipDigits() }
        if take(".") { try skipDigits() }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            try skipDigits()
        }
    }

    private mutating func skipDigits() throws(Fault) {
        guard let byte = current, byte.isDigit else { throw .unexpected(at: position, expected: "a digit") }
        while let byte = current, byte.isDigit { position += 1 }
    }

    private mutating func skipWord(_ word: String) throws(Fault) {
        for byte in word.utf8 {
            guard current == byte else { throw .unexpected(at: position, expected: word) }
            position += 1
        }
    }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }
}
