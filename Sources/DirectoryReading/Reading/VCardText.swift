import Foundation
import HubWire

/// Decodes the value of a property: RFC 2045's quoted-printable, CHARSET, and vCard's backslash escapes.
enum VCardText {
    /// The decoded text of a value, with its backslash escapes.
    static func text(of property: VCardProperty) throws(DirectoryFault) -> String {
        let bytes = property.isQuotedPrintable ? try unquoted(property.value) : property.value
        guard let charset = property.parameter("CHARSET") else {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw DirectoryFault("\(property.name) is no UTF-8; save the file as UTF-8, or with CHARSET")
            }
            return text
        }
        guard let encoding = encodings[charset.replacing("_", with: "-")] else {
            throw DirectoryFault("\(property.name) is in \(quoted(charset)), which is not read; save the file as UTF-8")
        }
        guard let text = String(data: Data(bytes), encoding: encoding) else {
            throw DirectoryFault("\(property.name) is not in the declared \(quoted(charset)); save the file as UTF-8")
        }
        return text
    }

    /// The components of a value between `;`, without their backslash escapes.
    static func parts(of text: String) -> [String] {
        var parts = [""]
        var isEscaped = false
        for character in text {
            if isEscaped {
                isEscaped = false
                parts[parts.count - 1].append(character == "n" || character == "N" ? " " : character)
            } else if character == "\\" {
                isEscaped = true
            } else if character == ";" {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character.isNewline ? " " : character)
            }
        }
        return parts
    }

    /// Decodes quoted-printable such as `=C3=A4`.
    private static func unquoted(_ text: [UInt8]) throws(DirectoryFault) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "=") else {
                bytes.append(byte)
                continue
            }
            // A soft line break at the end of the value.
            if rest.isEmpty { break }
            guard rest.count >= 2, let high = digit(rest.removeFirst()), let low = digit(rest.removeFirst()) else {
                throw DirectoryFault("a = in QUOTED-PRINTABLE has no two digits behind it; it must, such as =C3")
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    private static let encodings: [String: String.Encoding] = [
        "UTF-8": .utf8, "UTF8": .utf8, "US-ASCII": .ascii, "ASCII": .ascii, "ISO-8859-1": .isoLatin1,
        "LATIN1": .isoLatin1, "ISO-8859-2": .isoLatin2, "WINDOWS-1250": .windowsCP1250, "WINDOWS-1251": .windowsCP1251,
        "WINDOWS-1252": .windowsCP1252, "WINDOWS-1253": .windowsCP1253, "WINDOWS-1254": .windowsCP1254,
        "SHIFT-JIS": .shiftJIS, "EUC-JP": .japaneseEUC, "ISO-2022-JP": .iso2022JP, "UTF-16": .utf16,
    ]
}
