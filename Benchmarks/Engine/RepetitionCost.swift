import BenchmarkSupport

/// The cost of repeating an operation.
struct RepetitionCost: Codable {
    /// The number of repetitions.
    var count = 0
    /// Time on the monotonic clock.
    var nanoseconds: UInt64 = 0
    /// The thread's CPU time, which leaves out the time that other programs took.
    var cpuNanoseconds: UInt64 = 0
    /// Calls of the allocator; 0 if they are not counted.
    var allocations: UInt64 = 0

    /// Adds the cost of `work`, which performs the operation `count` times.
    mutating func add(
        _ count: Int,
        work: () throws(BenchmarkError) -> Void
    ) throws(BenchmarkError) {
        let before = Reading()
        try work()
        let after = Reading()
        self.count += count
        nanoseconds += after.time - before.time
        cpuNanoseconds += after.cpu - before.cpu
        allocations += after.allocations - before.allocations
    }

    /// Returns the sum of two spans, with the count of either: both operations were done equally often.
    static func + (left: RepetitionCost, right: RepetitionCost) -> RepetitionCost {
        RepetitionCost(
            count: left.count,
            nanoseconds: left.nanoseconds + right.nanoseconds,
            cpuNanoseconds: left.cpuNanoseconds + right.cpuNanoseconds,
            allocations: left.allocations + right.allocations
        )
    }

    /// Microseconds a repetition, by the monotonic clock.
    var microsecondsEach: Double { Double(nanoseconds) / Double(max(count, 1)) / 1000 }
    /// CPU microseconds a repetition.
    var cpuMicrosecondsEach: Double { Double(cpuNanoseconds) / Double(max(count, 1)) / 1000 }
    /// Allocations a repetition.
    var allocationsEach: Double { Double(allocations) / Double(max(count, 1)) }
}

private struct Reading {
    let allocations = AllocationCounter.allocations
    let cpu = threadNanoseconds()
    let time = monotonicNanoseconds()
}
