extension QRCode {
    /// The number of columns of a terminal that the code needs, with its quiet zone.
    public var terminalColumns: Int { size + 2 * Self.quietZone }

    /// Draws the code with half blocks: two rows of modules in a line of text.
    ///
    /// - Parameter isColoured: True: black on white by escape sequences, whatever the terminal's colours. False: the
    ///   light modules are drawn, as on a dark terminal; on a light one the code is inverted, which readers accept.
    /// - Returns: The lines, each with its line end.
    public func terminalText(isColoured: Bool) -> String {
        let border = -Self.quietZone..<size + Self.quietZone
        var text = ""
        for row in stride(from: border.lowerBound, to: border.upperBound, by: 2) {
            if isColoured { text += Self.blackOnWhite }
            for column in border {
                text.append(
                    Self.block(
                        upper: isDark(row: row, column: column) == isColoured,
                        lower: isDark(row: row + 1, column: column) == isColoured
                    )
                )
            }
            text += isColoured ? Self.reset + "\n" : "\n"
        }
        return text
    }

    /// The colours 16 (black) and 231 (white) of the palette of 256, which themes do not change.
    private static let blackOnWhite = "\u{1B}[38;5;16;48;5;231m"
    private static let reset = "\u{1B}[0m"

    /// Returns the character whose halves are drawn in the foreground's colour.
    private static func block(upper: Bool, lower: Bool) -> Character {
        switch (upper, lower) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }
}
