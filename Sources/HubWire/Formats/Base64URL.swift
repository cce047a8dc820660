/// Base64 with the URL-safe alphabet, without padding (RFC 4648 section 5): for keys, secrets and tokens.
public enum Base64URL {
    /// Encodes bytes.
    public static func text(of bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        var (bits, count): (UInt32, Int) = (0, 0)
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(character(of: bits >> UInt32(count) & 0x3F))
            }
            bits &= (1 << UInt32(count)) - 1
        }
        if count > 0 { text.append(character(of: bits << UInt32(6 - count) & 0x3F)) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes a text, strictly: each byte string has exactly one valid encoding.
    ///
    /// - Returns: The bytes; nil for padding, white space, characters of the other alphabet, an impossible length, and
    ///   trailing bits that are not zero: otherwise one token would have many forms.
    public static func bytes(of text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (bits, count): (UInt32, Int) = (0, 0)
        for character in text {
            guard let value = value(of: character) else { return nil }
            bits = bits << 6 | value
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
            bits &= (1 << UInt32(count)) - 1
        }
        // The remaining bits belong to no byte: fewer than a character's, and all zero.
        return count < 6 && bits == 0 ? bytes : nil
    }

    /// Decodes a text, strictly: each byte string has exactly one valid encoding.
    public static func bytes(of text: String) -> [UInt8]? { bytes(of: text.utf8) }

    private static func character(of value: UInt32) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: value)
        return switch value {
        case 0..<26: UInt8(ascii: "A") + value
        case 26..<52: UInt8(ascii: "a") + value - 26
        case 52..<62: UInt8(ascii: "0") + value - 52
        case 62: UInt8(ascii: "-")
        default: UInt8(ascii: "_")
        }
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
