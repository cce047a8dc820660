import Foundation
import HubEngine
import ScenarioKit

/// Tells of runs while they go on, for people or as JSON; safe on any thread.
final class ScenarioPrinter: @unchecked Sendable {
    /// What is told.
    enum Manner {
        /// Each step of the one run that there is.
        case steps
        /// A line for each run.
        case runs
        /// The same for programs.
        case json
        /// Nothing: a report has the output.
        case silent
    }

    private let lock = NSLock()
    private let manner: Manner
    private let style: RunStyle
    private var passed = 0
    private var skipped = 0
    private var failed: [RunRecord] = []

    /// A printer.
    init(_ manner: Manner) {
        self.manner = manner
        style = RunStyle(hasColours: Terminal.hasColours && manner != .json)
    }

    /// How many runs have failed.
    var failures: Int { lock.withLock { failed.count } }

    /// What is said last where some have failed.
    var lastWords: String { failures == 1 ? "one scenario failed." : "\(failures) scenarios failed." }

    /// Tells of each step of a run as it happens; nil where there are several runs.
    func observer(of scenario: Scenario) -> (any RunObserver)? {
        guard manner == .steps else { return nil }
        Console.out(style.title(scenario))
        return StepPrinter(style)
    }

    /// Tells of a run that is over.
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

    /// Tells how it all came out; failures in full.
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

    /// More would hide the first ones.
    private static let mostInFull = 20
}

/// Prints the steps of the one run that there is.
private final class StepPrinter: RunObserver {
    private let style: RunStyle

    init(_ style: RunStyle) { self.style = style }

    func began(_ step: StepRecord) {}

    func ended(_ step: StepRecord, isFailed: Bool) { Console.out(style.step(step, isFailed: isFailed)) }
}
