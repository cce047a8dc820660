import BenchmarkSupport

/// The figures of calls set up and ended over the wire, over all slices.
struct SetupMeasurement: Codable {
    /// Pairs that called each other at the same time.
    var pairs: Int
    /// Calls set up and ended in a second.
    var callsPerSecond: Double
    /// CPU time of the hub, user and kernel, for each call: the median of the slices.
    var cpuMicrosecondsPerCall: Double
    /// The same for each slice.
    var cpuMicrosecondsPerCallBySlice: [Double]
    /// The calls that one core of the hub's sets up and ends in a second of its CPU time.
    var callsPerSecondOfOneCore: Double
    /// Messages that the hub sent for each call.
    var messagesPerCall: Double
    /// Heap allocations of the hub for each call, libraries included; nil if they could not be counted.
    var allocationsPerCall: Double?

    /// The figures of those slices with that number of pairs.
    init(pairs: Int, _ slices: [SetupSlice]) {
        self.pairs = pairs
        let calls = slices.reduce(0) { $0 + $1.calls }
        let nanoseconds = slices.reduce(0) { $0 + $1.nanoseconds }
        callsPerSecond = Double(calls) / Double(max(nanoseconds, 1)) * 1e9
        cpuMicrosecondsPerCallBySlice = slices.map { Double($0.cpuNanoseconds) / Double(max($0.calls, 1)) / 1000 }
        cpuMicrosecondsPerCall = median(cpuMicrosecondsPerCallBySlice)
        callsPerSecondOfOneCore = 1_000_000 / cpuMicrosecondsPerCall
        messagesPerCall = Double(slices.reduce(0) { $0 + $1.messages }) / Double(max(calls, 1))
        let allocations = slices.compactMap(\.allocations)
        allocationsPerCall =
            allocations.count == slices.count ? Double(allocations.reduce(0, +)) / Double(max(calls, 1)) : nil
    }

    /// The threshold: at least 2500 calls in a second of one core.
    var check: Check {
        Check(
            name: "calls set up and ended a second on one core of the hub's",
            value: callsPerSecondOfOneCore,
            limit: 2500,
            isLowest: true
        )
    }

    /// The figures as a table.
    var table: Table {
        let slices = cpuMicrosecondsPerCallBySlice.map { fixed($0, 0) }.joined(separator: " ")
        return Table(lines: [
            [
                "pairs", "set up and ended", "calls/s", "CPU us/call", "slices", "calls/s of one core", "messages/call",
                "allocations/call",
            ],
            [
                String(pairs), ProgramUnderTest.hubName, fixed(callsPerSecond, 0), fixed(cpuMicrosecondsPerCall, 0),
                slices, fixed(callsPerSecondOfOneCore, 0), fixed(messagesPerCall, 1),
                allocationsPerCall.map { fixed($0, 1) } ?? "?",
            ],
        ])
    }
}
