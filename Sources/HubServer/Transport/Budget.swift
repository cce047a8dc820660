/// So much at once, and so much a second for good: a bucket that fills by the time.
///
/// Who asks now and then is always served; who asks all the time gets what flows in.
struct Budget {
    private let burst: Double
    private let perSecond: Double
    private var left: Double
    private var countedAt: Int64

    /// A full bucket.
    ///
    /// - Parameters:
    ///   - burst: What fits in it.
    ///   - perSecond: What flows in.
    ///   - now: Nanoseconds of a clock that never goes back, here and below.
    init(burst: Double, perSecond: Double, at now: Int64) {
        self.burst = burst
        self.perSecond = perSecond
        left = burst
        countedAt = now
    }

    /// Takes one out; false: there was none.
    ///
    /// - Parameter now: See there.
    /// - Returns: True if there was.
    mutating func spend(at now: Int64) -> Bool {
        fill(at: now)
        guard left >= 1 else { return false }
        left -= 1
        return true
    }

    /// Takes an amount out, whether there is that much or not; the debt must flow in first.
    ///
    /// - Parameters:
    ///   - amount: At least 0.
    ///   - debt: The largest debt, at least 0; nil: as much as fits in the bucket.
    ///   - now: Nanoseconds, as above.
    mutating func overdraw(_ amount: Double = 1, upTo debt: Double? = nil, at now: Int64) {
        fill(at: now)
        left = max(-(debt ?? burst), left - amount)
    }

    /// The share of a full bucket that is left, -1 to 1; less than 0: that much is owed.
    ///
    /// - Parameter now: See there.
    /// - Returns: The share.
    mutating func share(at now: Int64) -> Double {
        fill(at: now)
        return left / burst
    }

    /// How long until there is one.
    ///
    /// - Parameter now: See there.
    /// - Returns: Seconds; 0: there is one.
    mutating func delay(at now: Int64) -> Double {
        fill(at: now)
        return max(0, (1 - left) / perSecond)
    }

    /// Whether it is full, and need not be remembered.
    ///
    /// - Parameter now: See there.
    /// - Returns: True if so.
    mutating func isFull(at now: Int64) -> Bool {
        fill(at: now)
        return left >= burst
    }

    private mutating func fill(at now: Int64) {
        left = min(burst, left + Double(max(0, now &- countedAt)) / 1_000_000_000 * perSecond)
        countedAt = now
    }
}
