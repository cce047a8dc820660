/// An estimate of the width of text, in the widest font that a reader may have.
///
/// A drawing contains no font, and the reader's fonts are unknown. The table has each character's greatest width among
/// the fonts of ``family``, so that text fits in its place with any of them.
enum TextMeasure {
    /// The font family for CSS.
    static let family = "\"Helvetica Neue\", Helvetica, Arial, \"Liberation Sans\", \"DejaVu Sans\", sans-serif"

    /// Returns the width of a text on one line, rounded up.
    ///
    /// - Parameters:
    ///   - text: The text, without line ends.
    ///   - size: The font size.
    ///   - isBold: True if the font is bold.
    /// - Returns: The width, in the unit of the size.
    static func width(_ text: some StringProtocol, size: Int, isBold: Bool = false) -> Int {
        let hundredths = text.unicodeScalars.reduce(0) { $0 + width(of: $1) }
        let wide = isBold ? hundredths * 5 / 4 : hundredths
        return (wide * size + 99) / 100
    }

    /// Returns the text, cut and with an ellipsis if it is wider than the room.
    static func shortened(_ text: String, size: Int, isBold: Bool = false, to availableWidth: Int) -> String {
        guard width(text, size: size, isBold: isBold) > availableWidth else { return text }
        var rest = text[...]
        while !rest.isEmpty, width(rest + "…", size: size, isBold: isBold) > availableWidth { rest.removeLast() }
        while rest.last == " " { rest.removeLast() }
        return rest + "…"
    }

    /// Splits a text into lines of a width between words; text beyond the maximum number of lines is left out.
    static func lines(_ text: String, size: Int, availableWidth: Int, atMost limit: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            let longer = line.isEmpty ? String(word) : "\(line) \(word)"
            if width(longer, size: size) <= availableWidth || line.isEmpty {
                line = longer
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        lines.append(line)
        if lines.count > limit { lines = lines.prefix(limit - 1) + [lines.dropFirst(limit - 1).joined(separator: " ")] }
        return lines.map { shortened($0, size: size, to: availableWidth) }
    }

    /// Returns a scalar's width, in hundredths of the font size.
    private static func width(of scalar: Unicode.Scalar) -> Int {
        switch scalar.value {
        case 0x20..<0x7F: ascii[Int(scalar.value) - 0x20]
        // Combining characters, joiners and variation selectors have no width of their own.
        case 0x300...0x36F, 0x200B...0x200D, 0xFE00...0xFE0F: 0
        case 0xA0..<0x250: 100
        case 0x2010...0x2027: 100
        case 0x370..<0x1100: 120
        // Chinese, Japanese, Korean; emoji are wider than one em in some fonts.
        case 0x1100..<0x2010, 0x2028..<0x1_F000: 120
        default: 150
        }
    }

    /// The widths of space to tilde, the wider of DejaVu Sans and Liberation Sans (as wide as Arial and Helvetica).
    private static let ascii = [
        32, 41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34,
        84, 84, 84, 56, 102, 69, 69, 73, 78, 67, 62, 78, 76, 30, 50, 67, 56, 87, 75, 79, 67, 79, 73, 67, 62, 74, 69, 99,
        69, 67, 69, 40, 34, 40, 84, 56, 50, 62, 64, 55, 64, 62, 36, 64, 64, 28, 28, 58, 28, 98, 64, 62, 64, 64, 42, 53,
        40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84,
    ]
}
