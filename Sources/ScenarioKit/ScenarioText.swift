/// The text format of scenarios, as in a `.scenario` file (docs/scenarios.md).
public enum ScenarioText {
    /// Parses a file's text.
    ///
    /// - Parameters:
    ///   - text: The file's content.
    ///   - file: The file's name, for faults and as the default title; nil: the text is in no file.
    /// - Returns: The scenario, or one for each combination of a matrix; never empty.
    /// - Throws: ``ScenarioSyntaxErrors`` with the faults found, up to a limit.
    public static func scenarios(parsing text: String, file: String? = nil) throws(ScenarioSyntaxErrors) -> [Scenario] {
        var reader = ScenarioReader(file: file)
        return try reader.read(text)
    }

    /// Formats a scenario in the canonical form.
    ///
    /// Parsing the lines gives the same scenario except for the numbers and the wording of its lines and its `variant`,
    /// which becomes a comment.
    ///
    /// - Parameter scenario: The scenario to format.
    /// - Returns: The file's lines, without line ends.
    public static func lines(of scenario: Scenario) -> [String] {
        scenario.headerLines + [""] + scenario.steps.flatMap(\.lines)
    }

    /// Formats a step; of a block only its first line.
    public static func line(of step: Step) -> String { step.lines.first ?? "" }

    /// Formats a scenario as a file's text, with line ends.
    public static func text(of scenario: Scenario) -> String {
        lines(of: scenario).map { $0 + "\n" }.joined()
    }
}
