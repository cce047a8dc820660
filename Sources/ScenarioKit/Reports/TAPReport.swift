/// A report of runs in the Test Anything Protocol, version 14, with YAML diagnostics of failures.
public struct TAPReport {
    private let records: [RunResult]

    /// Creates a report of some runs.
    ///
    /// - Parameter records: The runs, in the order of the report.
    public init(_ records: [RunResult]) {
        self.records = records
    }

    /// The whole report.
    public var text: String {
        let head = ["TAP version 14", "1..\(records.count)"]
        let lines = head + records.enumerated().flatMap { Self.lines(of: $1, number: $0 + 1) }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func lines(of record: RunResult, number: Int) -> [String] {
        let name = "\(number) - \(record.name.inTAP)"
        switch record.verdict {
        case .passed: return ["ok \(name)"]
        case .skipped(let reason): return ["ok \(name) # SKIP \(reason.inTAP)"]
        case .failed(let failure): return ["not ok \(name)"] + diagnostics(of: failure, in: record)
        }
    }

    private static func diagnostics(of failure: Failure, in record: RunResult) -> [String] {
        var lines = [
            "message: \("expected: \(failure.expected)".inJSON)", "severity: fail",
            "expected: \(failure.expected.inJSON)", "actual: \(failure.actual.inJSON)", "seed: \(record.seed)",
        ]
        if let at = record.failedAt { lines.append("at_seconds: \(at.inSeconds)") }
        if let file = record.file { lines.append("file: \(file.inJSON)") }
        if let line = record.line { lines.append("line: \(line)") }
        if let step = record.failedStep { lines.append("step: \(step.text.inJSON)") }
        return (["---"] + lines + ["..."]).map { "  " + $0 }
    }
}

extension StringProtocol {
    /// The text as a description: a `#` is escaped, since it would begin a directive.
    fileprivate var inTAP: String {
        onOneLine.reduce(into: "") { text, character in
            // Also before a combining character: parsers read bytes.
            for scalar in character.unicodeScalars {
                if scalar == "#" || scalar == "\\" { text += "\\" }
                text.unicodeScalars.append(scalar)
            }
        }
    }
}
