/// A line of a file that is neither empty nor a comment.
struct SourceLine {
    /// The line's number in the file, from 1.
    var number: Int
    /// The number of spaces at the beginning.
    var indent: Int
    /// The text without indentation, comment and trailing blanks.
    var text: String
    /// Indicates that a fault about its indentation was reported already.
    var isMisplaced = false
}

/// A line with the lines indented under it.
struct OutlineNode {
    var line: SourceLine
    var children: [OutlineNode] = []
    /// Indicates that lines indented under it were dropped because they are faulty.
    var hasDroppedChildren = false

    /// Indicates that lines are indented under it, even if they were dropped.
    var hasChildren: Bool { hasDroppedChildren || !children.isEmpty }
}

/// A text as a tree of lines by their indentation.
struct Outline {
    private(set) var nodes: [OutlineNode] = []
    private(set) var lastLine = 1

    /// Parses a text, and adds the faults of its indentation to a list.
    init(_ text: String, faults: inout SyntaxErrorList) {
        var lines: [SourceLine] = []
        for (offset, bytes) in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .enumerated()
        {
            guard !faults.isFull else { return }
            guard let line = Self.line(Substring(bytes), number: offset + 1, faults: &faults) else { continue }
            lines.append(line)
            lastLine = line.number
        }
        var rest = lines[...]
        nodes = Self.siblings(&rest, indent: 0, depth: 0, faults: &faults)
    }

    private static func line(_ text: Substring, number: Int, faults: inout SyntaxErrorList) -> SourceLine? {
        let bytes = text.utf8
        let blanks = bytes.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let content = withoutComment(text[blanks.endIndex...])
        guard !content.isEmpty else { return nil }
        guard content.utf8.count <= ScenarioLimits.lineBytes else {
            faults.add(
                line: number,
                1,
                "a line has at most \(ScenarioLimits.lineBytes) bytes; this one has \(content.utf8.count)"
            )
            return nil
        }
        guard !blanks.contains(UInt8(ascii: "\t")) else {
            faults.add(line: number, 1, "this line is indented with a tab; spaces are right")
            return SourceLine(number: number, indent: blanks.count, text: content, isMisplaced: true)
        }
        return SourceLine(number: number, indent: blanks.count, text: content)
    }

    /// Returns the text before a `#` that begins a comment, without trailing blanks.
    ///
    /// A comment begins at the line's start or after a blank, and not in quotes.
    private static func withoutComment(_ text: Substring) -> String {
        var isQuoted = false
        var isEscaped = false
        var previous = UInt8(ascii: " ")
        var end = text.utf8.endIndex
        for index in text.utf8.indices {
            let byte = text.utf8[index]
            if byte == UInt8(ascii: "#"), !isQuoted, isBlank(previous) {
                end = index
                break
            }
            if isQuoted, isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            }
            previous = byte
        }
        while end > text.utf8.startIndex, isBlank(text.utf8[text.utf8.index(before: end)]) {
            end = text.utf8.index(before: end)
        }
        return withoutTabs(text[text.startIndex..<end])
    }

    /// Returns the text with tabs replaced by blanks, except in quotes.
    private static func withoutTabs(_ text: Substring) -> String {
        guard text.utf8.contains(UInt8(ascii: "\t")) else { return String(text) }
        var isQuoted = false
        var isEscaped = false
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            result.unicodeScalars.append(scalar == "\t" && !isQuoted ? " " : scalar)
            if isEscaped {
                isEscaped = false
            } else if isQuoted, scalar == "\\" {
                isEscaped = true
            } else if scalar == "\"" {
                isQuoted.toggle()
            }
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    }

    /// Parses the lines of one indentation, each with its children, up to a line that is indented less.
    private static func siblings(
        _ rest: inout ArraySlice<SourceLine>,
        indent: Int,
        depth: Int,
        faults: inout SyntaxErrorList
    ) -> [OutlineNode] {
        var nodes: [OutlineNode] = []
        while let line = rest.first, line.indent >= indent {
            if line.indent == indent {
                rest.removeFirst()
                nodes.append(OutlineNode(line: line))
            } else if nodes.isEmpty || depth == ScenarioLimits.depth {
                let sentence =
                    depth == ScenarioLimits.depth
                    ? "blocks nest at most \(ScenarioLimits.depth) deep"
                    : "this line is indented by \(line.indent), but nothing stands over it; no indentation is right"
                if !line.isMisplaced { faults.add(line: line.number, 1, sentence) }
                rest = rest.drop { $0.indent > indent }
                if let last = nodes.indices.last { nodes[last].hasDroppedChildren = true }
            } else {
                let children = siblings(&rest, indent: line.indent, depth: depth + 1, faults: &faults)
                nodes[nodes.count - 1].children += children
                if let next = rest.first, next.indent > indent {
                    let sentence =
                        "this line is indented by \(next.indent); the lines around it by \(line.indent) or by \(indent)"
                    if !next.isMisplaced { faults.add(line: next.number, 1, sentence) }
                    rest = rest.drop { $0.indent > indent }
                }
            }
        }
        return nodes
    }
}
