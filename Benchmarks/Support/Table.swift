import CommandLineTools

/// A table of figures: the first line is the heading; the first two columns are names, the others numbers.
package struct Table {
    /// The cells by line; all lines have the same number.
    package var lines: [[String]]

    /// A table of these lines.
    package init(lines: [[String]]) {
        self.lines = lines
    }

    /// The lines with their columns aligned, two spaces apart; only the second column is on the left.
    package var text: String {
        TextTable(lines, (lines.first ?? []).indices.map { $0 == 1 ? .left : .right }).text()
    }
}

/// Formats a number with that many decimals.
package func fixed(_ value: Double, _ decimals: Int) -> String {
    guard value.isFinite else {
        return "-"
    }
    var scale = 1
    for _ in 0..<decimals {
        scale *= 10
    }
    let units = Int((value.magnitude * Double(scale)).rounded())
    let fraction = String(units % scale)
    let sign = value < 0 && units > 0 ? "-" : ""
    let zeros = String(repeating: "0", count: max(0, decimals - fraction.count))
    return sign + String(units / scale) + (decimals > 0 ? "." + zeros + fraction : "")
}
