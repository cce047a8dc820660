import CommandLineTools
import Foundation
import HubEngine
import ScenarioKit

/// Reports runs as they proceed, for people or as JSON; safe on any thread.
final class ScenarioPrinter: @unchecked Sendable {
    /// The detail and the format of the output.
    enum Manner {
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
    private let manner: Manner
    private let style: RunStyle
    private var passed = 0
    private var skipped = 0
    private var failed: [RunRecord] = []

    /// Creates a printer.
    init(_ manner: Manner) {
        self.manner = manner
        style = RunStyle(hasColours: Terminal.hasColours && manner != .json)
    }

    /// The number of failed runs.
    var failures: Int { lock.withLock { failed.count } }

    /// The final message if runs have failed.
    var lastWords: String { failures == 1 ? "one scenario failed." : "\(failures) scenarios failed." }

    /// An observer that prints the steps of a run as they end; nil if there are several runs.
    func observer(of scenario: Scenario) -> (any RunObserver)? {
        guard manner == .steps else { return nil }
        Console.out(style.title(scenario))
        return StepPrinter(style)
    }

    /// Reports a completed run.
    func print(_ record: RunRecord) {
        lock.withLock {
            switch record.verdict {
            case .passed: passed += 1
            case .skipped: skipped += 1
            case .failed: failed.append(record)
            }
            switch manner {
            case .json: Console.out(RunLine(record).json + "\n")
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
            guard manner == .steps || manner == .runs else { return }
            for record in failed.prefix(Self.mostInFull) { Console.out(style.failure(record)) }
            if failed.count > Self.mostInFull {
                Console.out("… and \(failed.count - Self.mostInFull) more failures.\n")
            }
            Console.out(style.sum(passed: passed, failed: failed.count, skipped: skipped, after: time))
        }
    }

    /// The number of failures that are printed in full; more would hide the first ones.
    private static let mostInFull = 20
}

/// Prints the steps of a single run.
private final class StepPrinter: RunObserver {
    private let style: RunStyle

    init(_ style: RunStyle) { self.style = style }

    func began(_ step: StepRecord) {}

    func ended(_ step: StepRecord, isFailed: Bool) { Console.out(style.step(step, isFailed: isFailed)) }
}
