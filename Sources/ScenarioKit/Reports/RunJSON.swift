import Foundation
import HubEngine

/// A run as `--json` prints it.
package struct RunJSON {
    private let record: RunResult

    /// Creates the line of a run.
    package init(_ record: RunResult) { self.record = record }

    /// The run as one JSON object.
    package var json: String {
        var content = Content(
            scenario: record.scenario.title,
            file: record.file,
            variant: record.scenario.variant.isEmpty ? nil : record.scenario.variant,
            seed: record.seed,
            verdict: "passed",
            milliseconds: record.duration.wholeNanoseconds / 1_000_000
        )
        switch record.verdict {
        case .passed: break
        case .skipped(let why): (content.verdict, content.why) = ("skipped", why)
        case .failed(let failure):
            content.verdict = "failed"
            (content.expected, content.came) = (failure.expected, failure.actual)
            if let step = failure.step, record.steps.indices.contains(step) {
                (content.line, content.step) = (record.steps[step].line, record.steps[step].text)
            }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(content)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    private struct Content: Encodable {
        var scenario: String
        var file: String?
        var variant: [String]?
        var seed: UInt64
        var verdict: String
        var milliseconds: Int64
        var why: String?
        var line: Int?
        var step: String?
        var expected: String?
        var came: String?
    }
}
