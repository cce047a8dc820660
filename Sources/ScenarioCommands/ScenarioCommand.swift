import CommandLineTools
import Foundation
import HubEngine
import HubWire
import ScenarioKit
import ScenarioSimulation

/// `callhub scenario`: runs and records scenarios of calls.
package enum ScenarioCommand {
    static let virtual = Option("--virtual", help: "run in process with a simulated clock, without real delays")
    static let hub = Option("--hub", value: "URL", help: "URL of a running hub; default: start one")
    static let unsuffixed = Option(
        "--plain-accounts",
        help: "use unsuffixed account names (alice, not alice-3f01a2); runs are sequential"
    )
    static let count = Option("--repeat", value: "N", help: "run each scenario N times, with seeds S, S+1, ...")
    static let seed = Option("--seed", value: "S", help: "seed of the random choices; default 1")
    static let options = [virtual, hub, unsuffixed, count, seed] + ScenarioReports.options + [Command.json]

    /// Runs a subcommand; returns the process's exit code.
    package static func run(_ arguments: [String]) async -> Int32 {
        let all = options + RecordCommand.options.filter { option in !options.contains { $0.name == option.name } }
        switch Command.choose("scenario", arguments, among: ["run", "record"], options: all, usage: usage) {
        case .handled(let code): return code
        case .verb("record", let rest):
            return await Command.run("scenario record", rest, options: RecordCommand.options, usage: usage) { given in
                try await RecordCommand.run(given)
            }
        case .verb(_, let rest):
            return await Command.run("scenario run", rest, options: options, usage: usage) { given in
                try run(given)
            }
        }
    }

    private static func run(_ given: Arguments) throws {
        guard !given.words.isEmpty else {
            throw UsageError("FILE is missing: a file whose name ends with .scenario, or a folder of such files.")
        }
        guard !given.has(virtual) || !given.has(hub) else {
            throw UsageError("--virtual and --hub are mutually exclusive.")
        }
        guard !given.has(unsuffixed) || given.has(hub) else {
            throw UsageError("--plain-accounts requires --hub; a hub started for the run has no other users.")
        }
        let files = try ScenarioFiles(given.words)
        let items = try plan(files.scenarios, given)
        let reports = try ScenarioReports(given)
        let outputFormat: ScenarioPrinter.OutputFormat =
            reports.usesStandardOutput ? .silent : given.has(Command.json) ? .json : items.count == 1 ? .steps : .runs
        let printer = ScenarioPrinter(outputFormat)
        let report: @Sendable (RunResult) -> Void = { record in
            printer.print(record)
            reports.add(record)
        }
        let start = ContinuousClock.now
        if given.has(virtual) {
            runVirtually(items, printer, report)
        } else {
            try runInRealTime(items, printer, given, report)
        }
        printer.finish(after: ContinuousClock.now - start)
        let unwritten = reports.write()
        guard printer.failures == 0 else {
            throw CommandFailure(3, (unwritten + [printer.failureSummary]).joined(separator: "\n"))
        }
        guard unwritten.isEmpty else { throw CommandFailure(1, unwritten.joined(separator: "\n")) }
    }

    /// Repeats each scenario as often as requested, each time with another seed.
    private static func plan(
        _ scenarios: [(scenario: Scenario, file: String)],
        _ given: Arguments
    ) throws(UsageError) -> [ScenarioBatch.Item] {
        let times = Int(try given.number(count, in: 1...1_000_000) ?? 1)
        var first: UInt64?
        if let text = given[seed] {
            first = UInt64(text)
            guard first != nil else {
                throw UsageError("--seed is \(quoted(text)); it must be a whole number from 0 to \(UInt64.max).")
            }
        }
        return (0..<times).flatMap { time in
            scenarios.map { scenario, file in
                let begin = first ?? scenario.seed ?? 1
                return ScenarioBatch.Item(scenario, file: file, seed: begin &+ UInt64(time))
            }
        }
    }

    private static func runVirtually(
        _ items: [ScenarioBatch.Item],
        _ printer: ScenarioPrinter,
        _ report: @escaping @Sendable (RunResult) -> Void
    ) {
        let batch = ScenarioBatch(items, workers: ProcessInfo.processInfo.activeProcessorCount)
        batch.perform { item in
            let observer = printer.observer(of: item.scenario)
            return ScenarioRunner.runVirtually(
                item.scenario,
                file: item.file,
                seed: item.seed,
                observer: observer
            )
        } done: {
            report($0)
        }
    }

    static let usage = """
        Usage: callhub scenario run FILE... [OPTIONS]
               callhub scenario record --account NAME... FILE [OPTIONS]

        run:
        Runs call scenarios (docs/scenarios.md) with real Opus audio and checks which device hears which party. A FILE is
        one scenario; a folder stands for all of its files that end with .scenario.

        \(Arguments.table(options))
        A report's FILE may be -, standard output; nothing else is written there then.

        Examples:
          callhub scenario run swap.scenario                      starts a hub; prints each step as it happens
          callhub scenario run swap.scenario --ladder swap.svg    also draws a ladder diagram
          callhub scenario run Tests/Scenarios --virtual --junit junit.xml --html report.html
          callhub scenario run race.scenario --virtual --repeat 1000 --seed 7
          callhub scenario run swap.scenario --hub ws://localhost:8080/v1 --tap -

        Exit codes: 0 all scenarios passed; 1 invalid command line or file; 2 the hub cannot be reached or started;
        3 a scenario failed.

        record:
        Records the calls of the given accounts at a hub as a scenario file; Ctrl-C ends the recording. FILE may be -,
        standard output. Other parties appear only as far as recorded calls show them.

        \(Arguments.table(RecordCommand.options))
        Examples:
          callhub scenario record --account alice --account bob odd.scenario
          callhub scenario run odd.scenario --virtual

        Exit codes: 0 the file was written; 1 invalid command line; 2 the hub cannot be reached or refuses recorders;
        3 no call activity was recorded.

        """
}
