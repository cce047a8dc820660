import Glibc

/// How busy a loop has been for some seconds: a storm that passes is none of it.
struct SustainedLoad {
    /// The share of the time in which it worked, 0 to 1, what is longer ago counting less.
    private(set) var busyShare: Double = 0

    private var sampledAt: UInt64
    private var busyThen: UInt64 = 0

    /// A loop that begins.
    ///
    /// - Parameter now: Nanoseconds, here and below.
    init(at now: UInt64) {
        sampledAt = now
    }

    /// Takes a sample.
    ///
    /// - Parameters:
    ///   - busyNanoseconds: Of work in all.
    ///   - now: See there.
    mutating func sample(busyNanoseconds: UInt64, at now: UInt64) {
        let length = Double(now &- sampledAt)
        guard length > 0 else { return }
        let share = min(1, Double(busyNanoseconds &- busyThen) / length)
        busyShare += (share - busyShare) * (1 - exp(-length / Self.memory))
        sampledAt = now
        busyThen = busyNanoseconds
    }

    /// Nanoseconds.
    ///
    /// Longer: longer storms pass; overload is seen later.
    private static let memory = 3e9
}
