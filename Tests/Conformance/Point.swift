/// A row of the conformance table or a pitfall: what a test's name refers to.
struct Point: Hashable {
    /// Such as `CK-01` or `P1`.
    let id: String
    /// What the hub does about it.
    let sentence: String

    static let all = rows + pitfalls
    static let rows = parse(rowsTable)
    static let pitfalls = parse(pitfallsTable)

    /// One point a line: its id, then its sentence.
    static func parse(_ table: String) -> [Point] {
        table.split(separator: "\n").map { line in
            let parts = line.split(separator: " ", maxSplits: 1)
            return Point(id: String(parts[0]), sentence: String(parts[1].trimmingPrefix { $0 == " " }))
        }
    }

    /// The ids that a test's name mentions, whether there are such points or not.
    static func ids(in sentence: String) -> [String] {
        sentence.matches(of: /\b(CK-\d+|P\d+)\b/).map { String($0.output.1) }
    }
}
