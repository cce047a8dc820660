/// Token buckets by key; full ones are evicted when there are many keys.
struct KeyedTokenBuckets<Key: Hashable> {
    private let burst: Double
    private let perSecond: Double
    private var buckets: [Key: TokenBucket] = [:]
    /// The number of keys from which on full buckets are evicted.
    private var evictionThreshold = 1_000

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
    mutating func consume(of name: Key, at now: Int64) -> Bool {
        addIfMissing(name, at: now)
        return buckets[name]?.consume(at: now) ?? true
    }

    /// Takes one token of a key's bucket even if there is none, which leaves a debt.
    ///
    /// - Parameters:
    ///   - name: The key of the bucket.
    ///   - now: The monotonic time in nanoseconds.
    mutating func overdraw(of name: Key, at now: Int64) {
        addIfMissing(name, at: now)
        buckets[name]?.overdraw(at: now)
    }

    /// Computes the time until a key's bucket has a token.
    ///
    /// - Parameters:
    ///   - name: The key of the bucket.
    ///   - now: The monotonic time in nanoseconds.
    /// - Returns: The time in seconds; 0 if one is available now.
    func delay(of name: Key, at now: Int64) -> Double {
        // A copy is used, as a query must not change the stored bucket.
        var bucket = buckets[name]
        return bucket?.delay(at: now) ?? 0
    }

    private mutating func addIfMissing(_ name: Key, at now: Int64) {
        guard buckets[name] == nil else { return }
        if buckets.count >= evictionThreshold { evictFull(at: now) }
        buckets[name] = TokenBucket(burst: burst, perSecond: perSecond, at: now)
    }

    private mutating func evictFull(at now: Int64) {
        for name in Array(buckets.keys) where buckets[name]?.isFull(at: now) == true { buckets[name] = nil }
        // Each eviction scans all buckets, so the next one waits until their number has doubled.
        evictionThreshold = max(1_000, 2 * buckets.count)
    }
}
