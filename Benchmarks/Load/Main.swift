import BenchmarkClient
import BenchmarkSupport
import Glibc

/// The benchmark: start, drive, measure, report.
@main
enum Main {
    /// Runs the benchmark and ends the process.
    static func main() {
        ChildProcess.endAllOnInterrupt()
        runBenchmark("callhub-bench", measure)
    }

    private static func measure(_ options: Options, _ report: inout BenchmarkReport) throws(BenchmarkError) {
        let subjects = try ProgramUnderTest.all(options)
        if subjects.contains(where: { $0.counter == nil }) {
            say("callhub-bench: no allocation counter at \(options.counter); `make bench` builds it")
        }
        let clients = 2 * (options.loads.map(\.calls).max() ?? 0)
        try allowOpenFiles(
            max(clients, CallSetupLoop.devices * options.pairs, options.measuresHalfLoad ? 8000 : 0) + 256
        )
        var measurements: [Measurement] = []
        for load in options.loads {
            measurements += try measure(subjects, load, options)
        }
        if !measurements.isEmpty {
            let packets = PacketResults(measurements: measurements)
            report.add("packets", packets.measurements, text: packets.text, checks: packets.checks)
        }
        let halfLoad = try measureHalfLoad(subjects, options)
        if let halfLoad { report.add("halfLoad", halfLoad, text: halfLoad.text, checks: [halfLoad.check]) }
        if let setup = try measureSetups(subjects, options) {
            report.add("setup", setup, text: setup.table.text, checks: [setup.check])
        }
        if !measurements.allSatisfy(\.generator.keptPace) || halfLoad?.lines.allSatisfy(\.keptPace) == false {
            report.doubt(
                """
                the generator did not keep pace where the last column says NO, and those figures are worthless.
                Give it a quieter machine, fewer calls, or more cores.
                """
            )
        }
    }

    /// Measures the programs in turns, so that other work of the machine affects all alike.
    private static func measure(
        _ subjects: [ProgramUnderTest],
        _ load: Load,
        _ options: Options
    ) throws(BenchmarkError) -> [Measurement] {
        var slices: [[Slice]?] = subjects.map { _ in [] }
        for turn in 0..<options.slices {
            for (index, subject) in subjects.enumerated() where slices[index] != nil {
                Progress.show("\(load.text), slice \(turn + 1) of \(options.slices): \(subject.name)")
                try skippingFailures(subject, load, &slices[index]) { slices throws(BenchmarkError) in
                    slices?.append(try Slice.measure(subject, load: load, seconds: options.seconds))
                }
            }
        }
        var measurements: [Measurement] = []
        for (subject, slices) in zip(subjects, slices) {
            guard let slices else { continue }
            var figures: Measurement? = Measurement(subject.name, load, slices)
            if options.countsSystemCalls {
                Progress.show("\(load.text), system calls: \(subject.name)")
                try skippingFailures(subject, load, &figures) { figures throws(BenchmarkError) in
                    figures?.systemCallsPerPacket = try SystemCalls.measure(subject, load)
                }
            }
            if let figures { measurements.append(figures) }
        }
        Progress.clear()
        return measurements
    }

    /// Leaves out a program that fails under a load, with a message; a failure of the hub is thrown.
    private static func skippingFailures<Figures>(
        _ subject: ProgramUnderTest,
        _ load: Load,
        _ figures: inout Figures?,
        _ measure: (inout Figures?) throws(BenchmarkError) -> Void
    ) throws(BenchmarkError) {
        do throws(BenchmarkError) {
            try measure(&figures)
        } catch {
            guard !subject.isHub else { throw error }
            say("callhub-bench: \(subject.name) is left out with \(load.text): \(error)")
            figures = nil
        }
    }

    private static func measureHalfLoad(
        _ subjects: [ProgramUnderTest],
        _ options: Options
    ) throws(BenchmarkError) -> HalfLoad? {
        guard options.measuresHalfLoad, let hub = subjects.first(where: { $0.name == ProgramUnderTest.hubName }) else {
            return nil
        }
        let names = [ProgramUnderTest.unbatchedHubName, ProgramUnderTest.limitName, ProgramUnderTest.relayName]
        return try HalfLoad.measure(hub, beside: subjects.filter { names.contains($0.name) }, options)
    }

    /// Has the hub's clients set calls up and end them; nil if the hub, or this measurement, is left out.
    private static func measureSetups(
        _ subjects: [ProgramUnderTest],
        _ options: Options
    ) throws(BenchmarkError) -> SetupMeasurement? {
        guard options.pairs > 0, let hub = subjects.first(where: \.isHub) else {
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
}
