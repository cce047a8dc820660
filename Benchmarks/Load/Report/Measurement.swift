import BenchmarkClient
import BenchmarkSupport

/// What one program showed with one load, all its slices together.
struct Measurement: Codable {
    /// How the generator itself did, without which the other figures mean nothing.
    struct Generator: Codable {
        /// How late packets were sent.
        var latenessMicroseconds: Percentiles
        /// Its CPU time, as a share of one core.
        var cpuShare: Double
        /// Whether the figures may be believed.
        var keptPace: Bool
    }

    /// The packets of all slices from the first to the last.
    struct Packets: Codable {
        /// Sent by the clients.
        var sent: Int
        /// Received by the right ones.
        var received: Int
        /// Sent and not received.
        var lost: Int
        /// Not sent because the generator was behind.
        var skipped: Int
        /// Not sent because the program's socket was full.
        var refused: Int
        /// Received by the wrong one, or no packets at all.
        var misdirected: Int
    }

    /// Which program.
    var program: String
    /// Whether it is a hub, whose promises are tested.
    var isHub = false
    /// Calls at once, and packets a second.
    var load: Load
    /// Packets relayed in a measured second.
    var packetsPerSecond: Double
    /// CPU time of the program, user and kernel, for each packet it relayed: the median of the slices.
    var cpuMicrosecondsPerPacket: Double
    /// The same for each slice: how far they are apart says what the figure is worth.
    var cpuMicrosecondsPerPacketBySlice: [Double]
    /// The share of that which it spent in the kernel, 0 to 1, all slices together: the clock behind it ticks coarsely.
    var kernelShare: Double
    /// CPU time in the measured time, 1 for one core.
    var busyShare: Double
    /// From the sending client's send to the receiving client's receive.
    var latencyMicroseconds: Percentiles
    /// All packets.
    var packets: Packets
    /// Heap allocations for each packet; nil where they could not be counted.
    var allocationsPerPacket: Double?
    /// RTCP packets and text messages that came for each packet: work the yardstick does not have.
    var otherMessagesPerPacket: Double
    /// What a connected, signed-in client without a call adds to the program's memory.
    var bytesPerIdleConnection: Int
    /// What a client in a call, with audio, adds.
    var bytesPerConnectionInCall: Int
    /// The generator.
    var generator: Generator
    /// System calls for each packet, by name, where they were counted.
    var systemCallsPerPacket: [String: Double]?

    /// The slices of one program with one number of calls.
    init(_ program: String, _ load: Load, _ slices: [Slice]) {
        self.program = program
        self.load = load
        let packets = slices.reduce(0) { $0 + $1.packets }
        let nanoseconds = slices.reduce(0) { $0 + $1.nanoseconds }
        /// The figure for each packet.
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

    /// Whether the program passed on what it was sent: 999 of a thousand packets, none refused by a full socket.
    ///
    /// One that does not is beyond its limit: what it drops costs it nothing, and its latency is that of full buffers.
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

    /// It kept pace when 99 of 100 packets were at most 5 ms late, a quarter of a packet, and next to none left out.
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
