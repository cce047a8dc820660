import Glibc

/// An exponential moving average of a loop's utilisation, time constant 3 s.
struct SustainedLoad {
    /// The share of the time in which the loop worked, 0 to 1, weighted by age.
    private(set) var busyShare: Double = 0

    private var sampledAt: UInt64
    private var busyAtLastSample: UInt64 = 0

    /// Creates the average of a loop that starts.
    ///
    /// - Parameter now: The monotonic time in nanoseconds.
    init(at now: UInt64) {
        sampledAt = now
    }

    /// Adds a sample.
    ///
    /// - Parameters:
    ///   - busyNanoseconds: The nanoseconds of work in all (``LoadMeter/busyNanoseconds``).
    ///   - now: The monotonic time in nanoseconds.
    mutating func sample(busyNanoseconds: UInt64, at now: UInt64) {
        let length = Double(now &- sampledAt)
        guard length > 0 else { return }
        let share = min(1, Double(busyNanoseconds &- busyAtLastSample) / length)
        busyShare += (share - busyShare) * (1 - exp(-length / Self.timeConstant))
        sampledAt = now
        busyAtLastSample = busyNanoseconds
    }

    /// The time constant in nanoseconds.
    ///
    /// Longer: longer bursts are tolerated; overload is detected later.
    private static let timeConstant = 3e9
}
