/// A token bucket: a burst at once, and a constant rate in the long run.
///
/// Occasional requests are always granted; continuous ones are granted at the refill rate.
struct TokenBucket {
    private let burst: Double
    private let perSecond: Double
    private var tokens: Double
    private var countedAt: Int64

    /// Creates a full bucket.
    ///
    /// - Parameters:
    ///   - burst: The capacity of the bucket, in tokens.
    ///   - perSecond: The refill rate, in tokens per second.
    ///   - now: The monotonic time in nanoseconds, here and below.
    init(burst: Double, perSecond: Double, at now: Int64) {
        self.burst = burst
        self.perSecond = perSecond
        tokens = burst
        countedAt = now
    }

    /// Takes one token if there is one.
    ///
    /// - Parameter now: The monotonic time in nanoseconds.
    /// - Returns: True if a token was taken; false if less than one was left.
    mutating func consume(at now: Int64) -> Bool {
        fill(at: now)
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }

    /// Takes tokens even if there are too few; the debt is refilled first.
    ///
    /// - Parameters:
    ///   - amount: The number of tokens, at least 0.
    ///   - debt: The largest debt in tokens, at least 0; nil: the capacity of the bucket.
    ///   - now: The monotonic time in nanoseconds.
    mutating func overdraw(_ amount: Double = 1, upTo debt: Double? = nil, at now: Int64) {
        fill(at: now)
        tokens = max(-(debt ?? burst), tokens - amount)
    }

    /// Computes the fill level as a share of the capacity, -1 to 1; negative values are debt.
    ///
    /// - Parameter now: The monotonic time in nanoseconds.
    /// - Returns: The fill level divided by the capacity; less than -1 only where a larger debt was allowed.
    mutating func fillLevel(at now: Int64) -> Double {
        fill(at: now)
        return tokens / burst
    }

    /// Computes the time until one token is available.
    ///
    /// - Parameter now: The monotonic time in nanoseconds.
    /// - Returns: The time in seconds; 0 if one is available now.
    mutating func delay(at now: Int64) -> Double {
        fill(at: now)
        return max(0, (1 - tokens) / perSecond)
    }

    /// Indicates that the bucket is full, so that it need not be stored.
    ///
    /// - Parameter now: The monotonic time in nanoseconds.
    /// - Returns: True if it is full.
    mutating func isFull(at now: Int64) -> Bool {
        fill(at: now)
        return tokens >= burst
    }

    private mutating func fill(at now: Int64) {
        tokens = min(burst, tokens + Double(max(0, now &- countedAt)) / 1_000_000_000 * perSecond)
        countedAt = now
    }
}
