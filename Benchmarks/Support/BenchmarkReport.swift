import FoundationEssentials

/// The results of a benchmark or a trial: its figures, as text and as JSON, and its thresholds.
package struct BenchmarkReport {
    /// The figures of one measurement.
    struct Section {
        var name: String
        var figures: any Encodable
        var text: String
    }

    /// The name of the program that measured.
    let program: String
    /// The time of the report.
    let date = Date()
    /// The number of cores of the machine.
    let cores = ProcessInfo.processInfo.activeProcessorCount
    /// The thresholds, each with the figure held against it.
    package private(set) var checks: [Check] = []
    /// The reasons why the figures may not be those of the program under test; empty if there is none.
    package private(set) var doubts: [String] = []
    private(set) var sections: [Section] = []

    /// A report without figures.
    package init(_ program: String) {
        self.program = program
    }

    /// Adds the figures of a measurement.
    ///
    /// - Parameters:
    ///   - name: The name of the figures in JSON.
    ///   - figures: The figures for other programs.
    ///   - text: The same figures for people, usually a table, with a line break at the end.
    ///   - checks: The thresholds that these figures are held against.
    package mutating func add(_ name: String, _ figures: some Encodable, text: String, checks: [Check] = []) {
        sections.append(Section(name: name, figures: figures, text: text))
        self.checks += checks
    }

    /// Adds a reason why the figures may not be those of the program under test.
    package mutating func doubt(_ reason: String) {
        doubts.append(reason)
    }

    /// The tables, the thresholds and the doubts.
    package var text: String {
        var parts = sections.map(\.text)
        if !checks.isEmpty { parts.append(checks.map(\.line).joined()) }
        if !doubts.isEmpty { parts.append(doubts.map { "NOT VALID: \($0)\n" }.joined()) }
        return parts.joined(separator: "\n")
    }

    /// The exit code with `--check`: 0 all thresholds are met; 1 one is missed; 2 the figures are not valid.
    package var verdict: CInt {
        !doubts.isEmpty ? 2 : checks.allSatisfy(\.isMet) ? 0 : 1
    }

    /// Prints the text and writes the JSON.
    ///
    /// - Parameters:
    ///   - path: The path of the JSON file; "-" is standard output, in place of the text; nil is none.
    ///   - isChecking: True if a missed threshold makes the exit code 1.
    /// - Returns: The exit code of the process.
    /// - Throws: `BenchmarkError` if the JSON cannot be written.
    package func conclude(json path: String?, isChecking: Bool) throws(BenchmarkError) -> CInt {
        Progress.clear()
        try write(self, text: text, to: path)
        return isChecking ? verdict : 0
    }
}

extension BenchmarkReport: Encodable {
    private enum CodingKeys: CodingKey {
        case program, date, cores, figures, checks, doubts
    }

    private struct FigureName: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(program, forKey: .program)
        try container.encode(date, forKey: .date)
        try container.encode(cores, forKey: .cores)
        try container.encode(checks, forKey: .checks)
        try container.encode(doubts, forKey: .doubts)
        var figures = container.nestedContainer(keyedBy: FigureName.self, forKey: .figures)
        for section in sections {
            try section.figures.encode(to: figures.superEncoder(forKey: FigureName(stringValue: section.name)))
        }
    }
}
