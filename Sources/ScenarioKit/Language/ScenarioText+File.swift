extension ScenarioText {
    /// Reads a file's bytes, and looks at the files of sound that its lines play.
    ///
    /// - Parameters:
    ///   - bytes: What stands in the file.
    ///   - file: Its path: for faults, as a title where the text has none, and since files of sound are looked for beside it.
    /// - Returns: One scenario, or where a matrix stands at the top one for each combination; never none.
    /// - Throws: All that is wrong, as far as it can be told at once; of bytes that are no text only that.
    public static func scenarios(reading bytes: [UInt8], file: String) throws(ScenarioFaults) -> [Scenario] {
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            let line = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).firstIndex { line in
                line.contains(0) || String(validating: line, as: UTF8.self) == nil
            }
            let sentence = "this is no UTF-8 text, as scenarios are"
            throw ScenarioFaults([ScenarioFault(file: file, line: (line ?? 0) + 1, column: 1, sentence: sentence)])
        }
        let sounds = SoundFolder(beside: file)
        var reader = ScenarioReader(file: file) { sounds.fault(of: $0) }
        return try reader.read(text)
    }
}
