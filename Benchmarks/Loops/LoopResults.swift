import BenchmarkClient
import BenchmarkSupport

/// The hub's figures with one number of loops and one of calls, over all slices.
struct LoopResults: Codable {
    /// The number of the hub's loops.
    var loops: Int
    /// Calls at once.
    var calls: Int
    /// Packets relayed in a second.
    var packetsPerSecond: Double
    /// Packets that did not arrive.
    var lost: Int
    /// CPU time of all threads a packet.
    var cpuMicrosecondsPerPacket: Double
    /// The shares of a core that the threads took: the busiest, as many as there are loops, then all others together.
    var busy: [Double]
    /// Packets a second of CPU time of the busiest thread, which is saturated first.
    ///
    /// It is the rate that the hub would carry with a core for each loop.
    var capacity: Double
    /// The time from the sending client's send to the receiving client's receive, in microseconds.
    var latencyMicroseconds: Percentiles

    /// The figures of those slices with that number of loops and calls.
    init(loops: Int, calls: Int, _ slices: [LoopSlice]) {
        self.loops = loops
        self.calls = calls
        let packets = Double(slices.reduce(0) { $0 + $1.packets })
        let nanoseconds = Double(slices.reduce(0) { $0 + $1.nanoseconds })
        packetsPerSecond = packets / nanoseconds * 1e9
        lost = slices.reduce(0) { $0 + $1.lost }
        let all = slices.reduce(0) { $0 + $1.threads.reduce(0, +) }
        cpuMicrosecondsPerPacket = Double(all) / packets / 1000
        busy = (0..<loops).map { place in
            Double(slices.reduce(0) { $0 + ($1.threads.dropFirst(place).first ?? 0) }) / nanoseconds
        }
        busy.append(Double(all) / nanoseconds - busy.reduce(0, +))
        capacity = median(slices.map { Double($0.packets) / Double(max($0.threads.first ?? 0, 1)) * 1e9 })
        var latency = Samples()
        for slice in slices { latency.add(slice.latency) }
        latencyMicroseconds = latency.percentiles()
    }

    /// All figures as a table, each as a multiple of the first.
    static func table(_ figures: [LoopResults]) -> Table {
        let heading = [
            "loops", "calls", "packets/s", "lost", "CPU us/packet", "busy loops", "other threads", "packets/s carried",
            "x one loop", "p50 us", "p99",
        ]
        let lines = figures.map { line in
            [
                String(line.loops), String(line.calls), fixed(line.packetsPerSecond, 0), String(line.lost),
                fixed(line.cpuMicrosecondsPerPacket, 2),
                line.busy.dropLast().map { fixed($0 * 100, 0) + " %" }.joined(separator: " "),
                fixed((line.busy.last ?? 0) * 100, 1) + " %", fixed(line.capacity, 0),
                fixed(line.capacity / (figures.first?.capacity ?? 1), 2), fixed(line.latencyMicroseconds.p50, 0),
                fixed(line.latencyMicroseconds.p99, 0),
            ]
        }
        return Table(lines: [heading] + lines)
    }
}
