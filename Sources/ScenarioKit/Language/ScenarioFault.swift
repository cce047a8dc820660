/// What is wrong with one place of a scenario's text, and what would be right.
public struct ScenarioFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file; nil: the text was in no file.
    public var file: String?
    /// The line, from 1.
    public var line: Int
    /// The place in the line, from 1, in characters as an editor counts them.
    public var column: Int
    /// One sentence without a stop at its end.
    public var sentence: String

    /// A fault of its parts.
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

/// All that is wrong with a scenario's text, in the order of its lines; never empty.
public struct ScenarioFaults: Error, Hashable, Sendable, CustomStringConvertible {
    /// The faults.
    public var faults: [ScenarioFault]

    /// Faults, of which there is at least one.
    public init(_ faults: [ScenarioFault]) {
        self.faults = faults
    }

    /// A line for each.
    public var description: String {
        faults.map(\.description).joined(separator: "\n")
    }
}

/// What is wrong with a place of the line that is read at the moment.
struct Complaint: Error {
    /// The place in the line, from 1.
    var column: Int
    /// One sentence without a stop at its end.
    var sentence: String
}
