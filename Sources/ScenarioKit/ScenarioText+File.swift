extension ScenarioText {
    /// Parses a file's bytes, and checks the sound files that its lines play.
    ///
    /// - Parameters:
    ///   - bytes: The file's content, UTF-8.
    ///   - file: The file's path, for faults, as the default title, and as the place of the sound files.
    /// - Returns: The scenario, or one for each combination of a matrix; never empty.
    /// - Throws: ``ScenarioSyntaxErrors`` with the faults found, up to a limit; for invalid UTF-8 only that fault.
    public static func scenarios(reading bytes: [UInt8], file: String) throws(ScenarioSyntaxErrors) -> [Scenario] {
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            let line = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).firstIndex { line in
                line.contains(0) || String(validating: line, as: UTF8.self) == nil
            }
            let sentence = "this is no UTF-8 text, as scenarios are"
            throw ScenarioSyntaxErrors([
                ScenarioSyntaxError(file: file, line: (line ?? 0) + 1, column: 1, sentence: sentence)
            ])
        }
        let sounds = SoundFolder(beside: file)
        var reader = ScenarioReader(file: file) { sounds.fault(of: $0) }
        return try reader.read(text)
    }
}
