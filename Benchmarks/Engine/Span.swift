import BenchmarkSupport

/// What doing something a number of times took.
struct Span: Codable {
    /// How often it was done.
    var count = 0
    /// Time on the monotonic clock.
    var nanoseconds: UInt64 = 0
    /// The thread's CPU time: what others take of the machine is not in it.
    var cpuNanoseconds: UInt64 = 0
    /// Calls of the allocator; 0 where they are not counted.
    var allocations: UInt64 = 0

    /// Adds what doing `work` took, which does it `count` times.
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

    /// Both together, done as often as either.
    static func + (left: Span, right: Span) -> Span {
        Span(
            count: left.count,
            nanoseconds: left.nanoseconds + right.nanoseconds,
            cpuNanoseconds: left.cpuNanoseconds + right.cpuNanoseconds,
            allocations: left.allocations + right.allocations
        )
    }

    /// Microseconds each, by the monotonic clock.
    var microsecondsEach: Double { Double(nanoseconds) / Double(max(count, 1)) / 1000 }
    /// CPU microseconds each.
    var cpuMicrosecondsEach: Double { Double(cpuNanoseconds) / Double(max(count, 1)) / 1000 }
    /// Allocations each.
    var allocationsEach: Double { Double(allocations) / Double(max(count, 1)) }
}

private struct Reading {
    let allocations = AllocationCounter.allocations
    let cpu = threadNanoseconds()
    let time = monotonicNanoseconds()
}
