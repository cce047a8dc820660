/// A promise and whether it was kept.
package struct Check: Codable {
    /// What is promised.
    package var name: String
    /// What was measured; nil where it could not be.
    package var value: Double?
    /// The most it may be.
    ///
    /// With `isLowest`: the least.
    package var limit: Double
    /// Whether more is better.
    package var isLowest: Bool

    /// A promise: at most `limit`, or at least.
    package init(name: String, value: Double?, limit: Double, isLowest: Bool = false) {
        self.name = name
        self.value = value
        self.limit = limit
        self.isLowest = isLowest
    }

    /// Whether the promise was kept: what could not be measured was not.
    package var isKept: Bool {
        value.map { isLowest ? $0 >= limit : $0 <= limit } ?? false
    }

    /// The promise in a line of text.
    package var line: String {
        let decimals = limit >= 100 ? 0 : 4
        let value = value.map { fixed($0, decimals) } ?? "not measured"
        let bound = "at \(isLowest ? "least" : "most") \(fixed(limit, decimals))"
        return "\(isKept ? "kept  " : "MISSED")  \(name): \(value), \(bound)\n"
    }
}
