import BenchmarkClient
import BenchmarkSupport

/// The figures of one server with one number of pairs, over all slices.
struct VoiceResults: Codable {
    /// The name of the program.
    var program: String
    /// Pairs that talked to each other.
    var pairs: Int
    /// Packets relayed in a second.
    var packetsPerSecond: Double
    /// CPU time of the server a packet: the median of the slices.
    var cpuMicrosecondsPerPacket: Double
    /// The same for each slice.
    var cpuMicrosecondsPerPacketBySlice: [Double]
    /// CPU time within the measured time as a share of one core.
    var busyShare: Double
    /// The time from the sending client's send to the receiving client's receive, both ends' TLS included.
    var latencyMicroseconds: Percentiles
    /// Packets sent that did not arrive, and those that a full socket refused.
    var lost: Int
    /// Indicates that the generator kept pace, so that the figures are valid.
    var keptPace: Bool
    /// The version of TLS and the cipher.
    var encryption: String

    /// The figures of one server's slices.
    init(_ program: String, pairs: Int, _ slices: [VoiceSlice]) {
        self.program = program
        self.pairs = pairs
        let nanoseconds = Double(slices.reduce(0) { $0 + $1.nanoseconds })
        packetsPerSecond = Double(slices.reduce(0) { $0 + $1.packets }) / nanoseconds * 1e9
        cpuMicrosecondsPerPacketBySlice = slices.map { Double($0.cpuNanoseconds) / Double(max($0.packets, 1)) / 1000 }
        cpuMicrosecondsPerPacket = median(cpuMicrosecondsPerPacketBySlice)
        busyShare = Double(slices.reduce(0) { $0 + $1.cpuNanoseconds }) / nanoseconds
        var (latency, lateness) = (Samples(), Samples())
        for slice in slices {
            latency.add(slice.latency)
            lateness.add(slice.lateness)
        }
        latencyMicroseconds = latency.percentiles()
        lost = slices.reduce(0) { $0 + $1.counts.sent - $1.counts.received + $1.counts.refused }
        let (sent, skipped) = slices.reduce((0, 0)) { ($0.0 + $1.counts.sent, $0.1 + $1.counts.skipped) }
        keptPace = lateness.percentiles().p99 <= 5000 && skipped * 1000 <= sent
        encryption = slices.first?.encryption ?? ""
    }

    /// The hub's thresholds: CPU time a packet and p99 at most those of the other server.
    func checks(beside other: VoiceResults) -> [Check] {
        [
            Check(
                name: "\(pairs) pairs: CPU a packet in that of \(other.program)",
                value: cpuMicrosecondsPerPacket / other.cpuMicrosecondsPerPacket,
                limit: 1
            ),
            Check(
                name: "\(pairs) pairs: p99 in that of \(other.program)",
                value: latencyMicroseconds.p99 / other.latencyMicroseconds.p99,
                limit: 1
            ),
        ]
    }

    /// All figures as a table.
    static func table(_ figures: [VoiceResults]) -> Table {
        let heading = [
            "pairs", "program", "packets/s", "CPU us/packet", "slices", "busy", "lost", "p50 us", "p99", "p99.9",
            "kept pace", "TLS",
        ]
        let lines = figures.map {
            [
                String($0.pairs), $0.program, fixed($0.packetsPerSecond, 0), fixed($0.cpuMicrosecondsPerPacket, 2),
                $0.cpuMicrosecondsPerPacketBySlice.map { fixed($0, 1) }.joined(separator: " "),
                fixed($0.busyShare * 100, 0) + " %", String($0.lost), fixed($0.latencyMicroseconds.p50, 0),
                fixed($0.latencyMicroseconds.p99, 0), fixed($0.latencyMicroseconds.p999, 0),
                $0.keptPace ? "yes" : "NO", $0.encryption,
            ]
        }
        return Table(lines: [heading] + lines)
    }
}
