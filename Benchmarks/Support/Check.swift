/// A threshold and the figure held against it.
package struct Check: Codable {
    /// The figure's name.
    package var name: String
    /// The measured figure; nil if it could not be measured.
    package var value: Double?
    /// The most that the figure may be, or the least with `isLowest`.
    package var limit: Double
    /// True if `limit` is the least that the figure may be.
    package var isLowest: Bool

    /// A threshold of at most `limit`, or at least `limit` with `isLowest`.
    package init(name: String, value: Double?, limit: Double, isLowest: Bool = false) {
        self.name = name
        self.value = value
        self.limit = limit
        self.isLowest = isLowest
    }

    /// Indicates that the threshold is met; false if the figure could not be measured.
    package var isMet: Bool {
        value.map { isLowest ? $0 >= limit : $0 <= limit } ?? false
    }

    /// The threshold, the figure and the result as a line of text.
    package var line: String {
        let decimals = limit >= 100 ? 0 : 4
        let value = value.map { fixed($0, decimals) } ?? "not measured"
        let bound = "at \(isLowest ? "least" : "most") \(fixed(limit, decimals))"
        return "\(isMet ? "kept  " : "MISSED")  \(name): \(value), \(bound)\n"
    }
}
