import HubWire

/// A text table for people: a heading and aligned columns.
package struct TextTable {
    /// The side of a column that its cells touch.
    package enum Alignment {
        case left
        case right
    }

    private let heading: [String]
    private var rows: [[String]] = []
    private let alignments: [Alignment]

    /// Creates a table whose cells are on the left of their columns.
    package init(_ heading: String...) {
        self.heading = heading
        alignments = heading.map { _ in .left }
    }

    /// Creates a table of trusted texts such as figures, which are shown in full.
    ///
    /// - Parameters:
    ///   - lines: The cells by line; the first line is the heading, and all have the same number.
    ///   - alignments: The alignment of each column.
    package init(_ lines: [[String]], _ alignments: [Alignment]) {
        heading = lines.first ?? []
        rows = Array(lines.dropFirst())
        self.alignments = alignments
    }

    /// Adds a row of untrusted texts, which are made safe to show and shortened to 40 columns.
    package mutating func add(_ row: String...) {
        rows.append(row.map { cut(visible($0), to: Self.widestCell) })
    }

    /// More: a long name pushes the columns after it out of the window.
    private static let widestCell = 40

    /// The table's text; with colours the heading is bold.
    package func text(isColoured: Bool = false) -> String {
        let all = [heading] + rows
        let widths = heading.indices.map { column in all.map { displayWidth(of: $0[column]) }.max() ?? 0 }
        return all.enumerated().map { index, row in
            var line = zip(row, zip(widths, alignments)).map { cell, column in
                let space = String(repeating: " ", count: column.0 - displayWidth(of: cell))
                return column.1 == .left ? cell + space : space + cell
            }.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return isColoured && index == 0 ? "\u{1B}[1m\(line)\u{1B}[0m\n" : line + "\n"
        }.joined()
    }
}

/// Shortens a text to a display width, with an ellipsis if it is cut.
func cut(_ text: String, to columns: Int) -> String {
    guard displayWidth(of: text) > columns else { return text }
    var (short, width) = ("", 0)
    for character in text {
        width += displayWidth(of: String(character))
        guard width < columns else { break }
        short.append(character)
    }
    return short + "…"
}

/// The number of terminal columns of a text: East Asian letters and emoji take two (Unicode's UAX #11).
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
