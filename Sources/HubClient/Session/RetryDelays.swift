/// The delays between attempts to reconnect: none, then doubling up to a maximum, each shortened at random.
///
/// The random part keeps the clients of a restarted hub from all reconnecting at the same instants.
struct RetryDelays {
    private let first: Duration
    private let longest: Duration
    private var failures = 0
    private var state: UInt64

    init(first: Duration, longest: Duration, seed: UInt64) {
        self.first = first
        self.longest = longest
        state = seed | 1
    }

    /// Returns the delay before the next attempt.
    mutating func next() -> Duration {
        defer { failures += 1 }
        guard failures > 0 else { return .zero }
        let full = min(first * (1 << min(failures - 1, 20)), longest)
        return full * (0.6 + 0.4 * random())
    }

    /// Resets the delays after a successful connection.
    mutating func reset() { failures = 0 }

    /// Returns a random number from 0 to 1, by xorshift64*.
    private mutating func random() -> Double {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return Double((state &* 2_685_821_657_736_338_717) >> 11) / Double(UInt64(1) << 53)
    }
}
