public import HubEngine

extension Identifier {
    /// Parses the text form of a UUID (RFC 9562 section 4), in lower or upper case; nil if the text is none.
    public init?(uuidText text: String) {
        var words: (high: UInt64, low: UInt64) = (0, 0)
        var count = 0
        for byte in text.utf8 {
            switch count {
            case 8, 13, 18, 23:
                guard byte == UInt8(ascii: "-") else { return nil }
            case 0..<36:
                guard let digit = byte.hexDigitValue else { return nil }
                words.high = words.high << 4 | words.low >> 60
                words.low = words.low << 4 | UInt64(digit)
            default:
                return nil
            }
            count += 1
        }
        guard count == 36 else { return nil }
        self.init(high: words.high, low: words.low)
    }

    /// The text form of a UUID (RFC 9562 section 4) in lower case.
    public var uuidText: String {
        var bytes = [UInt8](repeating: 0, count: Self.uuidTextCount)
        var cursor = 0
        var buffer = bytes.mutableSpan
        putUUIDText(into: &buffer, &cursor)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The length of the text form in bytes.
    static var uuidTextCount: Int { 36 }

    /// Writes the text form at a place, which is advanced.
    func putUUIDText(into bytes: inout MutableSpan<UInt8>, _ cursor: inout Int) {
        bytes.put(hexadecimal: UInt32(truncatingIfNeeded: high >> 32), &cursor)
        bytes.put(UInt8(ascii: "-"), &cursor)
        bytes.put(hexadecimal: UInt32(truncatingIfNeeded: high), digits: 4, &cursor)
        bytes.put(UInt8(ascii: "-"), &cursor)
        bytes.put(hexadecimal: UInt32(truncatingIfNeeded: high << 16), digits: 4, &cursor)
        bytes.put(UInt8(ascii: "-"), &cursor)
        bytes.put(hexadecimal: UInt32(truncatingIfNeeded: low >> 32), digits: 4, &cursor)
        bytes.put(UInt8(ascii: "-"), &cursor)
        bytes.put(hexadecimal: UInt32(truncatingIfNeeded: low >> 16), &cursor)
        bytes.put(hexadecimal: UInt32(truncatingIfNeeded: low << 16), digits: 4, &cursor)
    }
}

extension UInt8 {
    /// The value of an ASCII hexadecimal digit.
    var hexDigitValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
