/// Decodes strings whose grammar has been checked.
enum JSONString {
    /// Decodes the name of a member, in quotes or, in JSON5, without.
    static func name(_ bytes: ArraySlice<UInt8>) -> String {
        let isQuoted = bytes.first == UInt8(ascii: "\"") || bytes.first == UInt8(ascii: "'")
        return isQuoted ? text(bytes.dropFirst().dropLast()) : String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes the text between a string's quotes.
    static func text(_ text: ArraySlice<UInt8>) -> String {
        guard text.contains(UInt8(ascii: "\\")) else { return String(decoding: text, as: UTF8.self) }
        var (plain, rest): ([UInt8], ArraySlice<UInt8>) = ([], text)
        plain.reserveCapacity(text.count)
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let kind = rest.popFirst() else {
                plain.append(byte)
                continue
            }
            switch kind {
            case UInt8(ascii: "b"): plain.append(0x08)
            case UInt8(ascii: "f"): plain.append(0x0C)
            case UInt8(ascii: "n"): plain.append(0x0A)
            case UInt8(ascii: "r"): plain.append(0x0D)
            case UInt8(ascii: "t"): plain.append(0x09)
            case UInt8(ascii: "u"): plain.append(contentsOf: Character(takeScalar(&rest)).utf8)
            // Only JSON5 has it.
            case UInt8(ascii: "x"): plain.append(contentsOf: Character(takeByte(&rest)).utf8)
            default: plain.append(kind)
            }
        }
        return String(decoding: plain, as: UTF8.self)
    }

    /// Indicates that the text between a string's quotes decodes to a given string.
    static func isText(_ text: ArraySlice<UInt8>, _ wanted: String) -> Bool {
        if text.count == wanted.utf8.count, text.elementsEqual(wanted.utf8) {
            return !text.contains(UInt8(ascii: "\\"))
        }
        // An escape is longer than the character that it stands for.
        guard text.count > wanted.utf8.count, text.contains(UInt8(ascii: "\\")) else { return false }
        // Compared by bytes: members' names are not in normal form, and comparing by it may take long.
        return Self.text(text).utf8.elementsEqual(wanted.utf8)
    }

    /// Decodes the four digits after `\u`, and the escape that follows for a surrogate pair.
    private static func takeScalar(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar {
        let first = takeCodeUnit(&rest)
        guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) ?? "\u{FFFD}" }
        rest = rest.dropFirst(2)
        let second = takeCodeUnit(&rest)
        guard (0xDC00..<0xE000).contains(second) else { return "\u{FFFD}" }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
    }

    private static func takeByte(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar {
        defer { rest = rest.dropFirst(2) }
        return Unicode.Scalar(rest.prefix(2).reduce(0) { $0 << 4 | ($1.hexDigitValue ?? 0) })
    }

    private static func takeCodeUnit(_ rest: inout ArraySlice<UInt8>) -> UInt32 {
        defer { rest = rest.dropFirst(4) }
        return rest.prefix(4).reduce(0) { $0 << 4 | UInt32($1.hexDigitValue ?? 0) }
    }
}
