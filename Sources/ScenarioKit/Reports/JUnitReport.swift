/// A report of runs in JUnit's XML for CI systems: a test suite for each file, a test case for each run.
public struct JUnitReport {
    private let records: [RunResult]
    private var out = ""

    /// Creates a report of some runs.
    ///
    /// - Parameter records: The runs, in the order of the report.
    public init(_ records: [RunResult]) {
        self.records = records
    }

    /// The whole file.
    public var text: String {
        var writer = self
        writer.write()
        return writer.out
    }

    private mutating func write() {
        out += "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        out += "<testsuites \(Self.counts(records))>\n"
        for (file, records) in records.byFile {
            let name = file ?? "scenarios"
            out += "  <testsuite name=\"\(name.inMarkup)\" \(Self.counts(records))>\n"
            for record in records { write(record, suite: name) }
            out += "  </testsuite>\n"
        }
        out += "</testsuites>\n"
    }

    private static func counts(_ records: [RunResult]) -> String {
        let failures = records.count { $0.failure != nil }
        let skipped = records.count { $0.reasonToSkip != nil }
        let time = records.reduce(0) { $0 + $1.duration.wholeMilliseconds }
        let seconds = Duration.milliseconds(time).inSeconds
        return "tests=\"\(records.count)\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(skipped)\" "
            + "time=\"\(seconds)\""
    }

    private mutating func write(_ record: RunResult, suite: String) {
        out += "    <testcase name=\"\(record.name.inMarkup)\" classname=\"\(suite.inMarkup)\""
        out += " time=\"\(record.duration.inSeconds)\""
        if let file = record.file { out += " file=\"\(file.inMarkup)\"" }
        if let line = record.line { out += " line=\"\(line)\"" }
        out += ">\n      <properties>\n"
        for (name, value) in properties(of: record) {
            out += "        <property name=\"\(name)\" value=\"\(value.inMarkup)\"/>\n"
        }
        out += "      </properties>\n"
        if let failure = record.failure { write(failure, of: record) }
        if let reason = record.reasonToSkip { out += "      <skipped message=\"\(reason.inMarkup)\"/>\n" }
        let steps = record.steps.map(\.asLine).joined(separator: "\n")
        if !steps.isEmpty { out += "      <system-out>\(steps.inMarkupPreservingLines)</system-out>\n" }
        out += "    </testcase>\n"
    }

    private func properties(of record: RunResult) -> [(name: String, value: String)] {
        var properties = [("seed", String(record.seed))]
        if let file = record.file { properties.append(("file", file)) }
        if let line = record.line { properties.append(("line", String(line))) }
        if !record.scenario.proves.isEmpty {
            properties.append(("proves", record.scenario.proves.joined(separator: ", ")))
        }
        return properties
    }

    private mutating func write(_ failure: Failure, of record: RunResult) {
        let text = record.failureLines.joined(separator: "\n")
        out += "      <failure type=\"failed\" message=\"\("expected: \(failure.expected)".inMarkup)\">"
        out += "\(text.inMarkupPreservingLines)</failure>\n"
    }
}

extension [RunResult] {
    /// The runs grouped by file, in the order of each file's first run.
    fileprivate var byFile: [(file: String?, records: [RunResult])] {
        var files: [(file: String?, records: [RunResult])] = []
        var positions: [String?: Int] = [:]
        for record in self {
            if let position = positions[record.file] {
                files[position].records.append(record)
            } else {
                positions[record.file] = files.count
                files.append((record.file, [record]))
            }
        }
        return files
    }
}

extension RunResult {
    /// The lines that describe the failure; empty: the run has not failed.
    var failureLines: [String] {
        guard let failure, let at = failedAt else { return [] }
        let position = failedStep.map { ["line \($0.line): \($0.text.onOneLine)"] } ?? []
        let facts = ["expected: \(failure.expected.onOneLine)", "came: \(failure.actual.onOneLine)"]
        return position + facts + ["at: \(at.inSeconds) s", "seed: \(seed)"]
    }
}
