/// The fan-out limiters by rate-limit key; one without sessions and with full buckets is discarded.
struct FanOutLimiters {
    let limits: FanOutLimiter.Limits
    private var limiterByKey: [RateLimitKey: FanOutLimiter] = [:]
    /// The number of limiters from which on unused ones are discarded.
    private var evictionThreshold = 1_000

    init(_ limits: FanOutLimiter.Limits) {
        self.limits = limits
    }

    /// Returns the limiter of a key; makes one if there is none.
    ///
    /// - Parameters:
    ///   - rateLimitKey: The party that is charged.
    ///   - now: Nanoseconds of a clock that never goes back.
    /// - Returns: The same object as long as the key has a session or a bucket that is not full.
    mutating func fanOut(of rateLimitKey: RateLimitKey, at now: Int64) -> FanOutLimiter {
        if let known = limiterByKey[rateLimitKey] { return known }
        if limiterByKey.count >= evictionThreshold {
            limiterByKey = limiterByKey.filter { !$0.value.isUnused(at: now) }
            evictionThreshold = max(1_000, 2 * limiterByKey.count)
        }
        let fanOut = FanOutLimiter(limits, at: now)
        limiterByKey[rateLimitKey] = fanOut
        return fanOut
    }
}
