import BenchmarkClient
import BenchmarkSupport

/// The figures of one program with one load, over all its slices.
struct Measurement: Codable {
    /// The figures of the generator itself, which show if the others are valid.
    struct Generator: Codable {
        /// The delays with which packets were sent, in microseconds.
        var latenessMicroseconds: Percentiles
        /// Its CPU time, as a share of one core.
        var cpuShare: Double
        /// Indicates that the generator kept pace, so that the figures are valid.
        var keptPace: Bool
    }

    /// The packets of all slices from the first to the last.
    struct Packets: Codable {
        /// Sent by the clients.
        var sent: Int
        /// Received by the right clients.
        var received: Int
        /// Sent and not received.
        var lost: Int
        /// Not sent because the generator was behind.
        var skipped: Int
        /// Not sent because the program's socket was full.
        var refused: Int
        /// Received by the wrong client, or not packets at all.
        var misdirected: Int
    }

    /// The name of the program.
    var program: String
    /// The version of TLS and the cipher; nil in clear.
    var encryption: String?
    /// The calls at once, and each client's packets a second.
    var load: Load
    /// Packets relayed in a measured second.
    var packetsPerSecond: Double
    /// CPU time of the program, user and kernel, for each packet it relayed: the median of the slices.
    var cpuMicrosecondsPerPacket: Double
    /// The same for each slice; their spread shows the precision of the median.
    var cpuMicrosecondsPerPacketBySlice: [Double]
    /// The share of that spent in the kernel, 0 to 1, over all slices, since the clock behind it is coarse.
    var kernelShare: Double
    /// CPU time within the measured time as a share of one core.
    var busyShare: Double
    /// The time from the sending client's send to the receiving client's receive, in microseconds.
    var latencyMicroseconds: Percentiles
    /// The counts of packets.
    var packets: Packets
    /// Heap allocations a packet; nil if they could not be counted.
    var allocationsPerPacket: Double?
    /// RTCP packets and text messages received for each packet: work that the bare relays do not have.
    var otherMessagesPerPacket: Double
    /// The memory that a connected, signed-in client without a call adds to the program's.
    var bytesPerIdleConnection: Int
    /// The memory that a client in a call, with audio, adds to the program's.
    var bytesPerConnectionInCall: Int
    /// The generator's own figures.
    var generator: Generator
    /// System calls a packet, by name, if they were counted.
    var systemCallsPerPacket: [String: Double]?

    /// The figures of one program's slices with one load.
    init(_ program: String, _ load: Load, _ slices: [Slice]) {
        self.program = program
        self.load = load
        encryption = slices.first?.encryption
        let packets = slices.reduce(0) { $0 + $1.packets }
        let nanoseconds = slices.reduce(0) { $0 + $1.nanoseconds }
        /// The value divided by the number of packets.
        func each(_ value: some BinaryInteger) -> Double {
            Double(value) / Double(max(packets, 1))
        }
        packetsPerSecond = Double(packets) / Double(max(nanoseconds, 1)) * 1e9
        cpuMicrosecondsPerPacketBySlice = slices.map { Double($0.cpuNanoseconds) / Double(max($0.packets, 1)) / 1000 }
        cpuMicrosecondsPerPacket = median(cpuMicrosecondsPerPacketBySlice)
        let ticks = slices.reduce((0, 0)) { ($0.0 + $1.modes.user, $0.1 + $1.modes.system) }
        kernelShare = Double(ticks.1) / Double(max(ticks.0 + ticks.1, 1))
        busyShare = Double(slices.reduce(0) { $0 + $1.cpuNanoseconds }) / Double(max(nanoseconds, 1))
        latencyMicroseconds = Self.percentiles(slices, \.latency)
        self.packets = Self.packets(slices)
        let allocations = slices.compactMap(\.allocations)
        allocationsPerPacket = allocations.count == slices.count ? each(allocations.reduce(0, +)) : nil
        otherMessagesPerPacket = each(slices.reduce(0) { $0 + $1.otherMessages })
        let memories = slices.map(\.residentBytes)
        let clients = max(2 * load.calls * slices.count, 1)
        bytesPerIdleConnection = memories.reduce(0) { $0 + $1.idle - $1.empty } / clients
        bytesPerConnectionInCall = memories.reduce(0) { $0 + $1.inCalls - $1.empty } / clients
        generator = Self.generator(slices, self.packets)
    }

    /// Indicates that the program relayed 999 of a thousand packets, those refused by a full socket counted as lost.
    ///
    /// A program that does not is beyond its limit: packets it drops cost it nothing, and its latency is that of full
    /// buffers.
    var isCarried: Bool {
        (packets.lost + packets.refused) * 1000 <= packets.sent + packets.refused
    }

    private static func percentiles(_ slices: [Slice], _ samples: KeyPath<Slice, Samples>) -> Percentiles {
        var all = Samples()
        for slice in slices {
            all.add(slice[keyPath: samples])
        }
        return all.percentiles()
    }

    private static func packets(_ slices: [Slice]) -> Packets {
        func sum(_ count: KeyPath<AudioRun.Counts, Int>) -> Int {
            slices.reduce(0) { $0 + $1.counts[keyPath: count] }
        }
        return Packets(
            sent: sum(\.sent),
            received: sum(\.received),
            lost: sum(\.sent) - sum(\.received),
            skipped: sum(\.skipped),
            refused: sum(\.refused),
            misdirected: sum(\.misdirected)
        )
    }

    /// Summarises the generator's figures.
    ///
    /// It kept pace if 99 of 100 packets were at most 5 ms late, a quarter of a packet's duration, and at most one in
    /// 1000 was left out.
    private static func generator(_ slices: [Slice], _ packets: Packets) -> Generator {
        let lateness = percentiles(slices, \.lateness)
        let cpu = slices.reduce(0) { $0 + $1.generatorNanoseconds }
        let time = slices.reduce(0) { $0 + $1.nanoseconds }
        return Generator(
            latenessMicroseconds: lateness,
            cpuShare: Double(cpu) / Double(max(time, 1)),
            keptPace: lateness.p99 <= 5000 && packets.skipped * 1000 <= packets.sent
        )
    }
}
