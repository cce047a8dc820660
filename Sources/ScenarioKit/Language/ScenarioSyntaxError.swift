/// A fault at one place of a scenario's text, with its correction.
public struct ScenarioSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file; nil: the text is in no file.
    public var file: String?
    /// The line, from 1.
    public var line: Int
    /// The column, from 1, in characters as an editor counts them.
    public var column: Int
    /// The description, one sentence without a full stop.
    public var sentence: String

    /// Creates a fault from its parts.
    public init(file: String? = nil, line: Int, column: Int, sentence: String) {
        self.file = file
        self.line = line
        self.column = column
        self.sentence = sentence
    }

    /// The place and the sentence: `swap.scenario:4:1: …`, `line 4: …`.
    public var description: String {
        file.map { "\($0):\(line):\(column): \(sentence)" } ?? "line \(line): \(sentence)"
    }
}

/// All faults of a scenario's text, in the order of the lines; never empty.
public struct ScenarioSyntaxErrors: Error, Hashable, Sendable, CustomStringConvertible {
    /// The faults.
    public var faults: [ScenarioSyntaxError]

    /// Creates an error from at least one fault.
    public init(_ faults: [ScenarioSyntaxError]) {
        self.faults = faults
    }

    /// The faults' descriptions, one line each.
    public var description: String {
        faults.map(\.description).joined(separator: "\n")
    }
}

/// A fault in the line that is being parsed.
struct LineSyntaxError: Error {
    /// The column in the file's line, from 1.
    var column: Int
    /// The description, one sentence without a full stop.
    var sentence: String
}
