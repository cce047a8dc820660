/// Base64 with padding (RFC 4648 section 4): for binary data in messages.
public enum Base64 {
    /// Encodes bytes.
    public static func text(of bytes: [UInt8]) -> String {
        var text = Base64URL.text(of: bytes).utf8.map { character in
            switch character {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: character
            }
        }
        while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes a text, strictly; nil for white space, the URL-safe alphabet, and missing or superfluous padding.
    public static func bytes(of text: String) -> [UInt8]? {
        let text = Array(text.utf8)
        let padding = text.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard text.count % 4 == 0, padding <= 2 else { return nil }
        return Base64URL.bytes(
            of: text.dropLast(padding).map { character in
                switch character {
                case UInt8(ascii: "+"): UInt8(ascii: "-")
                case UInt8(ascii: "/"): UInt8(ascii: "_")
                case UInt8(ascii: "-"), UInt8(ascii: "_"): UInt8(ascii: "=")
                default: character
                }
            }
        )
    }
}
