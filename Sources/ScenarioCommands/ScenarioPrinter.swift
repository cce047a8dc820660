import CommandLineTools
import Foundation
import HubEngine
import ScenarioKit

/// Reports runs as they proceed, for people or as JSON; safe on any thread.
final class ScenarioPrinter: @unchecked Sendable {
    /// The detail and the format of the output.
    enum OutputFormat {
        /// Each step of a single run.
        case steps
        /// A line for each run.
        case runs
        /// A JSON object for each run.
        case json
        /// Nothing: a report is written to standard output.
        case silent
    }

    private let lock = NSLock()
    private let outputFormat: OutputFormat
    private let style: RunFormatter
    private var passed = 0
    private var skipped = 0
    private var failed: [RunResult] = []

    /// Creates a printer.
    init(_ outputFormat: OutputFormat) {
        self.outputFormat = outputFormat
        style = RunFormatter(hasColours: Terminal.hasColours && outputFormat != .json)
    }

    /// The number of failed runs.
    var failures: Int { lock.withLock { failed.count } }

    /// The final message if runs have failed.
    var failureSummary: String { failures == 1 ? "one scenario failed." : "\(failures) scenarios failed." }

    /// An observer that prints the steps of a run as they end; nil if there are several runs.
    func observer(of scenario: Scenario) -> (any RunObserver)? {
        guard outputFormat == .steps else { return nil }
        Console.out(style.title(scenario))
        return StepPrinter(style)
    }

    /// Reports a completed run.
    func print(_ record: RunResult) {
        lock.withLock {
            switch record.verdict {
            case .passed: passed += 1
            case .skipped: skipped += 1
            case .failed: failed.append(record)
            }
            switch outputFormat {
            case .json: Console.out(RunJSON(record).json + "\n")
            case .runs: Console.out(style.line(record))
            case .steps:
                if case .skipped = record.verdict { Console.out(style.line(record)) }
            case .silent: break
            }
        }
    }

    /// Prints the summary, after the failures in full.
    func finish(after time: Duration) {
        lock.withLock {
            guard outputFormat == .steps || outputFormat == .runs else { return }
            for record in failed.prefix(Self.maximumPrintedFailures) { Console.out(style.failure(record)) }
            if failed.count > Self.maximumPrintedFailures {
                Console.out("… and \(failed.count - Self.maximumPrintedFailures) more failures.\n")
            }
            Console.out(style.summary(passed: passed, failed: failed.count, skipped: skipped, after: time))
        }
    }

    /// The number of failures that are printed in full; more would hide the first ones.
    private static let maximumPrintedFailures = 20
}

/// Prints the steps of a single run.
private final class StepPrinter: RunObserver {
    private let style: RunFormatter

    init(_ style: RunFormatter) { self.style = style }

    func began(_ step: StepRecord) {}

    func ended(_ step: StepRecord, isFailed: Bool) { Console.out(style.step(step, isFailed: isFailed)) }
}
