import Foundation
import HubSimulation
import Synchronization

/// The options of the command line.
struct SimulateOptions: Sendable {
    /// The first seed, or the only one.
    var seed: UInt64 = 1
    /// The number of consecutive seeds, one world each.
    var seeds: UInt64 = 1
    /// The number of operations in each world.
    var steps = 2000
    /// Indicates that a run without a fault is narrated, too.
    var recordsTranscript = false

    /// Indicates that the count of each kind of happening is printed.
    var counts = false

    /// The number of worlds from which on every kind of happening must have occurred.
    private static let worldsForFullCoverage: UInt64 = 500

    /// Parses the arguments; nil if they are invalid.
    init?(_ arguments: some Sequence<String>) {
        var iterator = arguments.makeIterator()
        while let argument = iterator.next() {
            switch argument {
            case "--narrate": recordsTranscript = true
            case "--counts": counts = true
            case "--seed":
                guard let number = iterator.next().flatMap(UInt64.init) else { return nil }
                seed = number
            case "--seeds":
                guard let number = iterator.next().flatMap(UInt64.init) else { return nil }
                seeds = number
            case "--steps":
                guard let number = iterator.next().flatMap(Int.init) else { return nil }
                steps = number
            default: return nil
            }
        }
    }

    /// Simulates all worlds, as many at a time as there are cores, and prints the result.
    ///
    /// - Returns: True if no rule was broken and, from 500 worlds on, every kind of happening has occurred.
    func carryOut() async -> Bool {
        let begin = ContinuousClock.now
        let progress = Progress(of: seeds)
        var events = 0
        var coverage = EventCoverage()
        var failure: (seed: UInt64, outcome: Simulation.Outcome)?
        await withTaskGroup(of: (UInt64, Simulation.Outcome).self) { group in
            var next = seed
            let end = seed &+ seeds
            func add() {
                guard next < end, failure == nil else { return }
                let seed = next
                next += 1
                group.addTask { (seed, Simulation.run(seed: seed, steps: steps)) }
            }
            for _ in 0..<max(1, ProcessInfo.processInfo.activeProcessorCount) { add() }
            while let (seed, outcome) = await group.next() {
                events += outcome.events
                coverage.add(outcome.coverage)
                progress.advance(events: events)
                if outcome.violation != nil, failure.map({ seed < $0.seed }) ?? true { failure = (seed, outcome) }
                add()
            }
        }
        progress.clear()
        if let failure {
            report(failure.outcome, seed: failure.seed)
            return false
        }
        if recordsTranscript { printTranscript() }
        if seeds >= Self.worldsForFullCoverage, !coverage.missing.isEmpty {
            print(
                "In \(seeds) worlds these coverage events never occurred: \(coverage.missing.map { "\($0)" }.joined(separator: ", "))"
            )
            return false
        }
        if counts {
            for coverageEvent in CoverageEvent.allCases { print("\(coverage[coverageEvent]) \(coverageEvent)") }
        }
        print("\(seeds) worlds, \(events) events, \(begin.duration(to: .now)): no rule was broken")
        return true
    }

    private func printTranscript() {
        let outcome = Simulation.run(seed: seed, steps: steps)
        for line in Simulation.replay(outcome.schedule, recordsTranscript: true).transcript { print(line) }
    }

    private func report(_ outcome: Simulation.Outcome, seed: UInt64) {
        guard let violation = outcome.violation else { return }
        print("Seed \(seed), event \(violation.event): \(violation.rule)\n  \(violation.detail)")
        print("Shrinking the schedule ...")
        let shortest = Shrinker.shrink(outcome.schedule)
        let last = Simulation.replay(shortest, recordsTranscript: true)
        print("\n\(shortest.shape)\n")
        for line in last.transcript { print(line) }
        print(
            "\n\(last.violation.map { "\($0.rule)\n  \($0.detail)" } ?? "The violation is not reproduced: the simulation is not deterministic.")"
        )
        print("\n\(shortest.operations.count) of \(outcome.schedule.operations.count) operations. ", terminator: "")
        print("Repeat it: make simulate SEED=\(seed) STEPS=\(steps)")
    }
}

/// A progress line, shown on a terminal only.
final class Progress: Sendable {
    private let count: UInt64
    private let done = Mutex<UInt64>(0)
    private let isTerminal = isatty(STDOUT_FILENO) == 1

    init(of count: UInt64) {
        self.count = count
    }

    func advance(events: Int) {
        let done = done.withLock { done in
            done += 1
            return done
        }
        guard isTerminal else { return }
        print("\r\(done) of \(count) worlds, \(events) events ", terminator: "")
        fflush(nil)
    }

    func clear() {
        if isTerminal { print("\r\u{1B}[K", terminator: "") }
    }
}
