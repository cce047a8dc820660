import Foundation
import HubEngine
import HubWire

/// Formats runs for a terminal.
package struct RunFormatter: Sendable {
    let hasColours: Bool

    package init(hasColours: Bool) { self.hasColours = hasColours }

    private enum Colour: String {
        case green = "32"
        case red = "31"
        case faint = "2"
        case bold = "1"
    }

    /// The title of a scenario before its run.
    package func title(_ scenario: Scenario) -> String {
        paint(visible(scenario.title), .bold) + variant(scenario) + "\n"
    }

    /// The line of a completed step.
    package func step(_ step: StepRecord, isFailed: Bool) -> String {
        let indent = String(repeating: "    ", count: step.depth)
        let mark = isFailed ? paint("✗", .red) : paint("✓", .green)
        var text = "\(mark) \(indent)\(visible(step.text))"
        let time = step.end.map { Self.time($0 - step.begin) }
        if let note = step.note ?? time, !isFailed, note != "0 ms" { text += paint("  \(note)", .faint) }
        return text + "\n"
    }

    /// The line of a completed run.
    package func line(_ record: RunResult) -> String {
        let name = visible(record.file ?? record.scenario.title) + variant(record.scenario)
        switch record.verdict {
        case .passed: return "\(paint("✓", .green)) \(name)\(paint("  \(Self.time(record.duration))", .faint))\n"
        case .skipped(let why): return "\(paint("–", .faint)) \(name): \(why)\n"
        case .failed: return "\(paint("✗", .red)) \(name)\(paint("  \(Self.time(record.duration))", .faint))\n"
        }
    }

    /// The full report of a failed run.
    package func failure(_ record: RunResult) -> String {
        guard case .failed(let failure) = record.verdict else { return "" }
        let title = paint(visible(record.scenario.title), .bold) + variant(record.scenario)
        var text = "\n\(paint("FAILED", .red)) \(title)\n"
        let step = failure.step.flatMap { record.steps.indices.contains($0) ? record.steps[$0] : nil }
        if let step {
            text += "  \(visible(record.file ?? "line")):\(step.line)  \(visible(step.text))\n"
        } else if let file = record.file {
            text += "  \(visible(file))\n"
        }
        text += "  expected: \(visible(failure.expected))\n  actual:   \(visible(failure.actual))\n"
        text += "  seed:     \(record.seed)\n"
        for device in record.devices { text += events(device) }
        return text
    }

    /// The summary of all runs.
    package func summary(passed: Int, failed: Int, skipped: Int, after time: Duration) -> String {
        var parts: [String] = []
        if failed > 0 { parts.append(paint("\(failed) failed", .red)) }
        if passed > 0 || failed == 0 { parts.append(paint("\(passed) passed", .green)) }
        if skipped > 0 { parts.append("\(skipped) skipped") }
        return "\n\(parts.joined(separator: ", ")) in \(Self.time(time))\n"
    }

    /// The last messages that a device sent and received.
    private func events(_ device: DeviceRecord) -> String {
        let last = device.messages.suffix(Self.eventsShown)
        guard !last.isEmpty else { return "" }
        return "  \(device.deviceReference)\n"
            + last.map { message in
                let arrow = message.kind == .request ? "→" : message.kind == .connection ? "·" : "←"
                return "    \(Self.clock(message.at)) \(arrow) \(visible(Self.words(message)))\n"
            }.joined()
    }

    private static func words(_ message: MessageRecord) -> String {
        switch message.kind {
        case .request, .notification:
            let method = message.method.split(separator: ".").last.map(String.init) ?? message.method
            return message.summary.isEmpty ? method : "\(method): \(message.summary)"
        case .reply, .refusal, .connection: return message.summary
        }
    }

    private func variant(_ scenario: Scenario) -> String {
        scenario.variant.isEmpty ? "" : " (\(visible(scenario.variant.joined(separator: ", "))))"
    }

    private func paint(_ text: String, _ colour: Colour) -> String {
        hasColours ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Formats a duration: `42 ms`, `1.25 s`.
    static func time(_ duration: Duration) -> String {
        let milliseconds = duration.wholeNanoseconds / 1_000_000
        guard milliseconds >= 1_000 else { return "\(milliseconds) ms" }
        let hundredths = (milliseconds % 1_000) / 10
        return "\(milliseconds / 1_000).\(hundredths < 10 ? "0" : "")\(hundredths) s"
    }

    private static func clock(_ duration: Duration) -> String {
        let milliseconds = duration.wholeNanoseconds / 1_000_000
        let rest = String(milliseconds % 1_000)
        let text = "\(milliseconds / 1_000).\(String(repeating: "0", count: max(0, 3 - rest.count)))\(rest)"
        return String(repeating: " ", count: max(0, 7 - text.count)) + text
    }

    private static let eventsShown = 6
}
