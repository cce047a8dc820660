/// The waits between attempts to connect again: none, then doubling up to a limit, each a little shorter by chance.
///
/// The chance keeps the clients of a hub that was started anew from coming all at the same instants.
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

    /// The wait before the attempt that comes now.
    mutating func next() -> Duration {
        defer { failures += 1 }
        guard failures > 0 else { return .zero }
        let full = min(first * (1 << min(failures - 1, 20)), longest)
        return full * (0.6 + 0.4 * chance())
    }

    /// There is a connection: the next loss begins from the start.
    mutating func succeeded() { failures = 0 }

    /// A number from 0 to 1, by xorshift64*.
    private mutating func chance() -> Double {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return Double((state &* 2_685_821_657_736_338_717) >> 11) / Double(UInt64(1) << 53)
    }
}
