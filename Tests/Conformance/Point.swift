/// A row of the conformance table or a pitfall, to which the names of tests refer.
struct Point: Hashable {
    /// The identifier, such as `CK-01` or `P1`.
    let id: String
    /// The hub's behaviour.
    let sentence: String

    static let all = rows + pitfalls + own
    static let rows = parse(rowsTable)
    static let pitfalls = parse(pitfallsTable)
    static let own = parse(ownTable)

    /// Parses a table with one point on each line: its identifier, then its sentence.
    static func parse(_ table: String) -> [Point] {
        table.split(separator: "\n").map { line in
            let parts = line.split(separator: " ", maxSplits: 1)
            return Point(id: String(parts[0]), sentence: String(parts[1].trimmingPrefix { $0 == " " }))
        }
    }

    /// Returns the identifiers that a test's name mentions, even those of no existing point.
    static func ids(in sentence: String) -> [String] {
        sentence.matches(of: /\b(CK-\d+|CH-\d+|P\d+)\b/).map { String($0.output.1) }
    }
}
