import Foundation
import Testing

/// A table of `docs/transitions.md`, to whose cells the tests compare the engine.
struct MarkdownTable {
    /// The column headings, except the first.
    let columns: [String]
    /// The row headings.
    let rows: [String]
    private let cells: [[String]]

    /// The first table below a heading of the second level.
    init(below heading: String) throws {
        let docs = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/transitions.md")
        let text = try String(contentsOf: docs, encoding: .utf8)
        let start = try #require(text.range(of: "\n## \(heading)\n"), "there is no heading \(heading)")
        let lines = text[start.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
            .prefix { !$0.hasPrefix("## ") }.drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
            .map(Self.split)
        let head = try #require(lines.first, "there is no table below \(heading)")
        columns = Array(head.dropFirst())
        let body = lines.dropFirst(2)
        rows = body.compactMap(\.first)
        cells = body.map { Array($0.dropFirst()) }
    }

    /// The text of a cell; nil if the cell is missing or empty.
    subscript(row: String, column: String) -> String? {
        guard let place = rows.firstIndex(of: row), let across = columns.firstIndex(of: column),
            cells[place].indices.contains(across), !cells[place][across].isEmpty
        else { return nil }
        return cells[place][across]
    }

    private static func split(_ line: Substring) -> [String] {
        line.dropFirst().split(separator: "|", omittingEmptySubsequences: false).dropLast()
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
