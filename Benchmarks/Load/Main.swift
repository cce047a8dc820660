import BenchmarkClient
import BenchmarkSupport
import FoundationEssentials
import Glibc

/// The benchmark: start, drive, measure, report.
@main
enum Main {
    /// Runs the benchmark and ends the process.
    static func main() {
        ChildProcess.endAllOnInterrupt()
        do throws(BenchmarkError) {
            let options = try Options(Array(CommandLine.arguments.dropFirst()))
            if options.wantsHelp {
                print(Options.help, terminator: "")
                exit(0)
            }
            do throws(BenchmarkError) {
                exit(try run(options))
            } catch {
                say("callhub-bench: \(error)")
                exit(2)
            }
        } catch {
            say("callhub-bench: \(error)")
            exit(64)
        }
    }

    /// Measures and prints; returns the exit code.
    private static func run(_ options: Options) throws(BenchmarkError) -> CInt {
        let subjects = Subject.all(options)
        if subjects.contains(where: { $0.counter == nil }) {
            say("callhub-bench: no allocation counter at \(options.counter); `make bench` builds it")
        }
        try allowOpenFiles(max(2 * (options.calls.max() ?? 0), CallCycle.devices * options.pairs) + 256)
        var measurements: [Measurement] = []
        for calls in options.calls {
            measurements += try measure(subjects, calls: calls, options)
        }
        if options.countsSystemCalls {
            try countSystemCalls(subjects, &measurements)
        }
        let setup = try measureSetups(subjects, options)
        let report = Report(measurements, setup: setup, maximumRatio: options.maximumRatio)
        try write(report, text: report.text, to: options.json)
        guard options.isChecking else {
            return 0
        }
        return !report.isBelievable ? 2 : report.checks.allSatisfy(\.isKept) ? 0 : 1
    }

    /// Measures the programs in turns, so that what else the machine does meets both alike.
    private static func measure(
        _ subjects: [Subject],
        calls: Int,
        _ options: Options
    ) throws(BenchmarkError) -> [Measurement] {
        var slices = subjects.map { _ in [Slice]() }
        for turn in 0..<options.slices {
            for (index, subject) in subjects.enumerated() {
                Progress.show("\(calls) calls, slice \(turn + 1) of \(options.slices): \(subject.kind.rawValue)")
                slices[index].append(try Slice.measure(subject, calls: calls, seconds: options.seconds))
            }
        }
        Progress.clear()
        return zip(subjects, slices).map { Measurement($0.kind, calls: calls, $1) }
    }

    /// Has the hub's clients set calls up and end them; nil where the hub, or this measurement, is left out.
    private static func measureSetups(
        _ subjects: [Subject],
        _ options: Options
    ) throws(BenchmarkError) -> SetupMeasurement? {
        guard options.pairs > 0, let hub = subjects.first(where: { $0.kind == .hub }) else {
            return nil
        }
        var slices: [SetupSlice] = []
        for turn in 0..<options.slices {
            Progress.show("\(options.pairs) pairs call each other, slice \(turn + 1) of \(options.slices)")
            slices.append(try SetupSlice.measure(hub, pairs: options.pairs, seconds: options.seconds))
        }
        Progress.clear()
        return SetupMeasurement(pairs: options.pairs, slices)
    }

    /// Counts once for each program; the figures stand with its first measurement.
    private static func countSystemCalls(
        _ subjects: [Subject],
        _ measurements: inout [Measurement]
    ) throws(BenchmarkError) {
        for subject in subjects {
            Progress.show("system calls: \(subject.kind.rawValue)")
            if let index = measurements.firstIndex(where: { $0.program == subject.kind }) {
                measurements[index].systemCallsPerPacket = try SystemCalls.measure(subject)
            }
        }
        Progress.clear()
    }
}
