/// The replacement of control characters in text of scenarios and hubs, which may contain anything.
extension StringProtocol {
    /// The text on one line, with visible symbols in place of control and direction characters.
    var onOneLine: String { printable(keepingLines: false) }

    /// The text with its lines, otherwise as ``onOneLine``.
    var preservingLines: String { printable(keepingLines: true) }

    private func printable(keepingLines: Bool) -> String {
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars { text.append(scalar.printable(keepingLines: keepingLines)) }
        return String(text)
    }
}

extension Unicode.Scalar {
    /// The replacement character for characters without a symbol.
    private static let unknown: Unicode.Scalar = "\u{FFFD}"

    fileprivate func printable(keepingLines: Bool) -> Unicode.Scalar {
        switch value {
        case 0x0A: keepingLines ? self : " "
        case 0x09, 0x0D, 0x2028, 0x2029: " "
        // The symbols of the control characters: ␛ for an escape.
        case 0..<0x20: Unicode.Scalar(0x2400 + value) ?? Self.unknown
        case 0x7F: "\u{2421}"
        case 0x80..<0xA0: Self.unknown
        // Direction marks would change the direction of the text around them.
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: Self.unknown
        // Noncharacters, some of which XML forbids.
        case 0xFDD0...0xFDEF: Self.unknown
        default: value & 0xFFFE == 0xFFFE ? Self.unknown : self
        }
    }
}
