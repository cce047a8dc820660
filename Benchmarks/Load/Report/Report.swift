import BenchmarkSupport
import FoundationEssentials

/// All that a run of the benchmark found out.
struct Report: Codable {
    /// The hub's CPU time a packet as a multiple of the yardstick's.
    struct Ratio: Codable {
        /// Calls at once.
        var calls: Int
        /// 1 is as cheap as the bare relay.
        var cpuPerPacket: Double
    }

    /// Allocations a packet that count as none: what timers allocate now and then shows in the fourth decimal.
    private static let allocationLimit = 0.001
    /// Packets lost of all sent: a program that drops its load would look cheap.
    private static let lossLimit = 0.001

    /// When it was measured.
    var date: Date
    /// The cores there were.
    var cores: Int
    /// Every program with every number of calls.
    var measurements: [Measurement]
    /// The comparison, for each number of calls.
    var ratios: [Ratio]
    /// Calls set up and ended over the wire, where that was measured.
    var setup: SetupMeasurement?
    /// The hub's promises.
    var checks: [Check]

    /// The report on what was measured.
    init(_ measurements: [Measurement], setup: SetupMeasurement?, maximumRatio: Double) {
        date = Date()
        cores = ProcessInfo.processInfo.activeProcessorCount
        self.measurements = measurements
        self.setup = setup
        let hubs = measurements.filter { $0.program == .hub }
        ratios = hubs.compactMap { hub in
            measurements.first { $0.program == .relay && $0.calls == hub.calls }.map {
                Ratio(calls: hub.calls, cpuPerPacket: hub.cpuMicrosecondsPerPacket / $0.cpuMicrosecondsPerPacket)
            }
        }
        checks = hubs.flatMap {
            [
                Check(
                    name: "allocations a packet, \($0.calls) calls",
                    value: $0.allocationsPerPacket,
                    limit: Self.allocationLimit
                ),
                Check(
                    name: "share of packets lost, \($0.calls) calls",
                    value: Double($0.packets.lost) / Double(max($0.packets.sent, 1)),
                    limit: Self.lossLimit
                ),
            ]
        }
        if let most = ratios.max(by: { $0.calls < $1.calls }) {
            checks.append(
                Check(
                    name: "CPU a packet in yardsticks, \(most.calls) calls",
                    value: most.cpuPerPacket,
                    limit: maximumRatio
                )
            )
        }
        if let setup { checks.append(setup.check) }
    }

    /// Whether the generator kept pace throughout.
    var isBelievable: Bool {
        measurements.allSatisfy(\.generator.keptPace)
    }
}
