import BenchmarkClient
import BenchmarkSupport
import FoundationEssentials

/// All that a run of the benchmark found out.
struct Report: Codable {
    /// When it was measured.
    var date: Date
    /// The cores there were.
    var cores: Int
    /// Every program with every load.
    var measurements: [Measurement]
    /// The latency at half load, where that was measured.
    var halfLoad: HalfLoad?
    /// Calls set up and ended over the wire, where that was measured.
    var setup: SetupMeasurement?
    /// The hub's promises.
    var checks: [Check] = []

    /// The report on what was measured.
    init(_ measurements: [Measurement], halfLoad: HalfLoad?, setup: SetupMeasurement?) {
        date = Date()
        cores = ProcessInfo.processInfo.activeProcessorCount
        self.measurements = measurements
        self.halfLoad = halfLoad
        self.setup = setup
        checks = promises
    }

    /// Whether the generator kept pace throughout.
    var isBelievable: Bool {
        measurements.allSatisfy(\.generator.keptPace) && halfLoad?.lines.allSatisfy(\.keptPace) ?? true
    }

    /// The program's CPU time a packet as a multiple of another's with the same load; nil where the other was not measured.
    func ratio(_ figures: Measurement, to name: String) -> Double? {
        measurements.first { $0.program == name && $0.load == figures.load && $0.program != figures.program }.map {
            figures.cpuMicrosecondsPerPacket / $0.cpuMicrosecondsPerPacket
        }
    }
}
