/// The width of text in columns of a terminal.
extension StringProtocol {
    var terminalWidth: Int { reduce(0) { $0 + $1.terminalWidth } }

    /// Returns the text, cut and with an ellipsis if it is wider than the room.
    func shortened(toColumns availableWidth: Int) -> String {
        guard terminalWidth > availableWidth else { return String(self) }
        var rest = Substring(self)
        while !rest.isEmpty, rest.terminalWidth + 1 > availableWidth { rest.removeLast() }
        while rest.last == " " { rest.removeLast() }
        return rest + "…"
    }

    /// Returns the text, padded with spaces to a width.
    func padded(toColumns width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(width - terminalWidth, 0))
    }

    /// Splits the text into lines of a width between words; longer words are shortened.
    func lines(ofColumns width: Int) -> [String] {
        var lines = [""]
        for word in split(separator: " ") {
            let last = lines.count - 1
            let longer = lines[last].isEmpty ? String(word) : "\(lines[last]) \(word)"
            if lines[last].isEmpty || longer.terminalWidth <= width {
                lines[last] = longer
            } else {
                lines.append(String(word))
            }
        }
        return lines.map { $0.shortened(toColumns: width) }
    }
}

extension Character {
    /// The width in columns: 2 for East Asian characters and emoji (Unicode Standard Annex 11).
    fileprivate var terminalWidth: Int {
        guard let first = unicodeScalars.first else { return 0 }
        if unicodeScalars.contains("\u{FE0F}") { return 2 }
        switch first.value {
        case 0x300...0x36F, 0x200B...0x200D: return 0
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1_F300...0x1_F64F, 0x1_F680...0x1_F6FF, 0x1_F900...0x1_F9FF,
            0x1_FA70...0x1_FAFF, 0x2_0000...0x3_FFFD:
            return 2
        default: return 1
        }
    }
}
