/// A table for people: columns that line up, with a heading.
struct TextTable {
    private let heading: [String]
    private var rows: [[String]] = []

    init(_ heading: String...) {
        self.heading = heading
    }

    mutating func add(_ row: String...) {
        rows.append(row.map { visible($0) })
    }

    /// The table's lines; on a terminal the heading stands out.
    func text(isColoured: Bool) -> String {
        let all = [heading] + rows
        let widths = heading.indices.map { column in all.map { displayWidth(of: $0[column]) }.max() ?? 0 }
        return all.enumerated().map { index, row in
            var line = ""
            for (cell, width) in zip(row.dropLast(), widths) {
                line += cell + String(repeating: " ", count: width - displayWidth(of: cell) + 2)
            }
            line += row.last ?? ""
            while line.last == " " { line.removeLast() }
            return isColoured && index == 0 ? "\u{1B}[1m\(line)\u{1B}[0m\n" : line + "\n"
        }.joined()
    }
}

/// Text from outside as it may be shown on a terminal: nothing in it moves the cursor, breaks the line or turns the direction.
func visible(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { shown.append(isVisible(scalar) ? scalar : "?") }
    return String(shown)
}

/// Whether a character is for reading: no control, no format, no end of a line, nothing without a meaning.
func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E: return true
    // Joiners and variation selectors: Persian and emoji are written with them.
    case 0x200C, 0x200D, 0xFE00...0xFE0F: return true
    default: break
    }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return false
    default: return true
    }
}

/// How many columns of a terminal a text takes: letters of East Asia and emoji take two (Unicode's UAX #11).
func displayWidth(of text: String) -> Int {
    text.reduce(0) { width, character in
        let isWide = character.unicodeScalars.first.map { scalar in wide.contains { $0.contains(scalar.value) } }
        return width + (isWide == true ? 2 : 1)
    }
}

private let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE30...0xFE6F,
    0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x1FA70...0x1FAFF,
    0x20000...0x3FFFD,
]
