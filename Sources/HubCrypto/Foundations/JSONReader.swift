/// A strict JSON reader (RFC 8259) that rejects an object with a duplicate member.
///
/// `JSONDecoder` silently picks one of the duplicates; another reader of the same token may pick the other one
/// (RFC 8725 section 3.11, RFC 7519 section 4).
struct JSONReader {
    /// The maximum nesting depth of arrays and objects.
    ///
    /// More: costs stack for nothing, since none of this project's claims has more than three levels; less: no room for
    /// other issuers' claims.
    static let maximumDepth = 16

    private let bytes: [UInt8]
    private var position = 0

    /// Reads exactly one value, in UTF-8 without a byte order mark.
    static func value(of bytes: [UInt8]) throws(JSONFault) -> JSONValue {
        guard (try? UTF8Span(validating: bytes.span)) != nil else { throw .notUTF8 }
        var reader = JSONReader(bytes: bytes)
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.position == bytes.count else { throw reader.syntax }
        return value
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func value(depth: Int) throws(JSONFault) -> JSONValue {
        skipSpace()
        switch current {
        case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
        case UInt8(ascii: "\""): return .string(String(decoding: try string(), as: UTF8.self))
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func object(depth: Int) throws(JSONFault) -> JSONObject {
        guard depth <= Self.maximumDepth else { throw .tooDeep }
        var members = JSONObject()
        position += 1
        skipSpace()
        if take("}") { return members }
        repeat {
            skipSpace()
            guard current == UInt8(ascii: "\"") else { throw syntax }
            let name = try string()
            skipSpace()
            guard take(":") else { throw syntax }
            guard members.add(try value(depth: depth), named: name) else {
                throw .twice(String(decoding: name, as: UTF8.self))
            }
            skipSpace()
        } while take(",")
        guard take("}") else { throw syntax }
        return members
    }

    private mutating func array(depth: Int) throws(JSONFault) -> [JSONValue] {
        guard depth <= Self.maximumDepth else { throw .tooDeep }
        var elements: [JSONValue] = []
        position += 1
        skipSpace()
        if take("]") { return elements }
        repeat {
            elements.append(try value(depth: depth))
            skipSpace()
        } while take(",")
        guard take("]") else { throw syntax }
        return elements
    }

    // MARK: Strings

    /// Reads a string and returns its unescaped content in UTF-8.
    private mutating func string() throws(JSONFault) -> [UInt8] {
        var text: [UInt8] = []
        position += 1
        while let byte = current {
            guard byte >= 0x20 else { throw syntax }
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return text
            case UInt8(ascii: "\\"): text.append(contentsOf: try escape())
            default: text.append(byte)
            }
        }
        throw syntax
    }

    private mutating func escape() throws(JSONFault) -> [UInt8] {
        guard let byte = current else { throw syntax }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return Array(String(Character(try scalar())).utf8)
        default: throw syntax
        }
    }

    /// Reads one UTF-16 code unit, or a surrogate pair; a lone surrogate is a syntax error.
    private mutating func scalar() throws(JSONFault) -> Unicode.Scalar {
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xD800..<0xDC00).contains(first), take("\\"), take("u") else { throw syntax }
        let second = try codeUnit()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
        else { throw syntax }
        return scalar
    }

    private mutating func codeUnit() throws(JSONFault) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw syntax }
            unit = unit << 4 | UInt32(digit)
            position += 1
        }
        return unit
    }

    // MARK: Numbers and words

    /// Reads a number; one outside the range of `Double` is a syntax error.
    private mutating func number() throws(JSONFault) -> Double {
        let start = position
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            try digits()
        }
        guard let value = Double(String(decoding: bytes[start..<position], as: UTF8.self)), value.isFinite else {
            throw syntax
        }
        return value
    }

    private mutating func digits() throws(JSONFault) {
        let start = position
        while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw syntax }
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(JSONFault) -> JSONValue {
        for byte in word.utf8 {
            guard current == byte else { throw syntax }
            position += 1
        }
        return value
    }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private var syntax: JSONFault { .syntax(at: position) }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }
}
