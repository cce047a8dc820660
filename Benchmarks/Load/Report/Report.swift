import BenchmarkClient
import BenchmarkSupport
import FoundationEssentials

/// The results of a run of the benchmark.
struct Report: Codable {
    /// The time of the report.
    var date: Date
    /// The number of cores.
    var cores: Int
    /// The figures of every program with every load.
    var measurements: [Measurement]
    /// The latency at half load, if that was measured.
    var halfLoad: HalfLoad?
    /// Calls set up and ended over the wire, if that was measured.
    var setup: SetupMeasurement?
    /// The hub's thresholds, each with the figure held against it.
    var checks: [Check] = []

    /// The report on those measurements.
    init(_ measurements: [Measurement], halfLoad: HalfLoad?, setup: SetupMeasurement?) {
        date = Date()
        cores = ProcessInfo.processInfo.activeProcessorCount
        self.measurements = measurements
        self.halfLoad = halfLoad
        self.setup = setup
        checks = promises
    }

    /// Indicates that the generator kept pace throughout.
    var isBelievable: Bool {
        measurements.allSatisfy(\.generator.keptPace) && halfLoad?.lines.allSatisfy(\.keptPace) ?? true
    }

    /// Returns the program's CPU time a packet as a multiple of another's; nil if that was not measured at this load.
    func ratio(_ figures: Measurement, to name: String) -> Double? {
        measurements.first { $0.program == name && $0.load == figures.load && $0.program != figures.program }.map {
            figures.cpuMicrosecondsPerPacket / $0.cpuMicrosecondsPerPacket
        }
    }
}
