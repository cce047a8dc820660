extension StepRecord {
    /// Returns the expectation in the line's text without `expect`; nil: the line is no expectation.
    ///
    /// - Parameter hasTime: True if the line ends with `within` and a time, which is left out.
    /// - Returns: The expectation as it was written, such as `bob hears himself`.
    func expectation(hasTime: Bool) -> String? {
        guard text.hasPrefix("expect ") else { return nil }
        let words = text.dropFirst("expect ".count)
        let end = hasTime ? words.ranges(of: " within ").last?.lowerBound ?? words.endIndex : words.endIndex
        return words[..<end].drop { $0 == " " } + ""
    }
}
