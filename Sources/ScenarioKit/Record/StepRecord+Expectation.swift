extension StepRecord {
    /// What the line expects, as it is written, without `expect`; nil: it expects nothing.
    ///
    /// - Parameter hasTime: Whether the line ends with `within` and a time, which is left out.
    /// - Returns: Such as `bob hears himself`.
    func expectation(hasTime: Bool) -> String? {
        guard text.hasPrefix("expect ") else { return nil }
        let words = text.dropFirst("expect ".count)
        let end = hasTime ? words.ranges(of: " within ").last?.lowerBound ?? words.endIndex : words.endIndex
        return words[..<end].drop { $0 == " " } + ""
    }
}
