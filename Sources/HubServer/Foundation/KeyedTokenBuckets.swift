/// Token buckets by key; full ones are evicted when there are many keys.
struct KeyedTokenBuckets<Name: Hashable> {
    private let burst: Double
    private let perSecond: Double
    private var budgets: [Name: TokenBucket] = [:]
    /// The number of keys from which on full buckets are evicted.
    private var size = 1_000

    /// Creates buckets, all of them full.
    ///
    /// - Parameters:
    ///   - burst: The capacity of each bucket, in tokens.
    ///   - perSecond: The refill rate of each bucket, in tokens per second.
    init(burst: Double, perSecond: Double) {
        self.burst = burst
        self.perSecond = perSecond
    }

    /// Takes one token of a key's bucket if there is one.
    ///
    /// - Parameters:
    ///   - name: The key of the bucket.
    ///   - now: The monotonic time in nanoseconds.
    /// - Returns: True if a token was taken; false if less than one was left.
    mutating func consume(of name: Name, at now: Int64) -> Bool {
        remember(name, at: now)
        return budgets[name]?.consume(at: now) ?? true
    }

    /// Takes one token of a key's bucket even if there is none, which leaves a debt.
    ///
    /// - Parameters:
    ///   - name: The key of the bucket.
    ///   - now: The monotonic time in nanoseconds.
    mutating func overdraw(of name: Name, at now: Int64) {
        remember(name, at: now)
        budgets[name]?.overdraw(at: now)
    }

    /// Computes the time until a key's bucket has a token.
    ///
    /// - Parameters:
    ///   - name: The key of the bucket.
    ///   - now: The monotonic time in nanoseconds.
    /// - Returns: The time in seconds; 0 if one is available now.
    func delay(of name: Name, at now: Int64) -> Double {
        // A copy is used, as a query must not change the stored bucket.
        var budget = budgets[name]
        return budget?.delay(at: now) ?? 0
    }

    private mutating func remember(_ name: Name, at now: Int64) {
        guard budgets[name] == nil else { return }
        if budgets.count >= size { forgetRested(at: now) }
        budgets[name] = TokenBucket(burst: burst, perSecond: perSecond, at: now)
    }

    private mutating func forgetRested(at now: Int64) {
        for name in Array(budgets.keys) where budgets[name]?.isFull(at: now) == true { budgets[name] = nil }
        // Each eviction scans all buckets, so the next one waits until their number has doubled.
        size = max(1_000, 2 * budgets.count)
    }
}
