/// Scenarios as text: what stands in a `.scenario` file (docs/scenarios.md).
public enum ScenarioText {
    /// Reads a file's text.
    ///
    /// - Parameters:
    ///   - text: What stands in the file.
    ///   - file: The file's name, for faults and as a title where the text has none; nil: there is no file.
    /// - Returns: One scenario, or where a matrix stands at the top one for each combination; never none.
    /// - Throws: All that is wrong, as far as it can be told at once.
    public static func scenarios(parsing text: String, file: String? = nil) throws(ScenarioFaults) -> [Scenario] {
        var reader = ScenarioReader(file: file)
        return try reader.read(text)
    }

    /// Writes a scenario down in the language's one canonical way.
    ///
    /// Reading the lines gives the same scenario, but for the numbers and the wording of its lines and its
    /// `variant`, which stands in a comment.
    ///
    /// - Parameter scenario: What is to be written.
    /// - Returns: The file's lines.
    public static func lines(of scenario: Scenario) -> [String] {
        scenario.headerLines + [""] + scenario.steps.flatMap(\.lines)
    }

    /// Writes a step down, of a block its first line.
    public static func line(of step: Step) -> String { step.lines.first ?? "" }

    /// Writes a scenario down as a file's text: its lines, each with its end.
    public static func text(of scenario: Scenario) -> String {
        lines(of: scenario).map { $0 + "\n" }.joined()
    }
}
