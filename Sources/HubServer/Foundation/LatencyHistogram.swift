/// A Prometheus histogram of durations with buckets from 50 microseconds to 250 milliseconds.
///
/// Trivial and of fixed size, for flat memory: an observation costs a few comparisons and two additions.
struct LatencyHistogram: Sendable {
    /// The number of buckets; the last one has no upper bound.
    static let bucketCount = 13

    /// The inclusive upper bounds of the buckets in nanoseconds.
    static let bounds: [UInt64] = [
        50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000,
        100_000_000, 250_000_000,
    ]

    /// The observations by bucket, not cumulative.
    private(set) var counts = InlineArray<13, UInt64>(repeating: 0)
    /// The sum of all observed durations in nanoseconds.
    private(set) var sum: UInt64 = 0

    /// Counts an observation.
    ///
    /// - Parameter nanoseconds: The observed duration in nanoseconds.
    @inline(__always)
    mutating func observe(_ nanoseconds: UInt64) {
        counts[Self.bucket(of: nanoseconds)] &+= 1
        sum &+= nanoseconds
    }

    /// The number of observations.
    var count: UInt64 { counts.indices.reduce(0) { $0 &+ counts[$1] } }

    /// Adds the observations of another histogram.
    ///
    /// - Parameters:
    ///   - left: The histogram to add to.
    ///   - right: The histogram whose observations are added.
    static func += (left: inout LatencyHistogram, right: LatencyHistogram) {
        for index in left.counts.indices { left.counts[index] &+= right.counts[index] }
        left.sum &+= right.sum
    }

    /// Finds a duration's bucket by constants: a table would be initialised lazily, with a check at each observation.
    @inline(__always)
    static func bucket(of nanoseconds: UInt64) -> Int {
        if nanoseconds <= 50_000 { return 0 }
        if nanoseconds <= 100_000 { return 1 }
        if nanoseconds <= 250_000 { return 2 }
        if nanoseconds <= 500_000 { return 3 }
        if nanoseconds <= 1_000_000 { return 4 }
        if nanoseconds <= 2_500_000 { return 5 }
        if nanoseconds <= 5_000_000 { return 6 }
        if nanoseconds <= 10_000_000 { return 7 }
        if nanoseconds <= 25_000_000 { return 8 }
        if nanoseconds <= 50_000_000 { return 9 }
        if nanoseconds <= 100_000_000 { return 10 }
        return nanoseconds <= 250_000_000 ? 11 : 12
    }
}

extension LatencyHistogram {
    /// Estimates the 99th percentile of the observations since an earlier state, by interpolation in a bucket.
    ///
    /// - Parameter earlier: The earlier state.
    /// - Returns: The percentile in nanoseconds, at most the last bound; nil: there were no observations.
    func percentile99(since earlier: LatencyHistogram) -> UInt64? {
        let added = counts.indices.map { counts[$0] &- earlier.counts[$0] }
        let total = added.reduce(0, &+)
        guard total > 0 else { return nil }
        let rank = Double(total) * 0.99
        var below = 0.0
        for (index, bound) in Self.bounds.enumerated() {
            let inside = Double(added[index])
            if below + inside >= rank, inside > 0 {
                let lower = index == 0 ? 0 : Double(Self.bounds[index - 1])
                return UInt64(lower + (Double(bound) - lower) * (rank - below) / inside)
            }
            below += inside
        }
        return Self.bounds.last
    }
}

extension LatencyHistogram: Equatable {
    static func == (left: LatencyHistogram, right: LatencyHistogram) -> Bool {
        left.sum == right.sum && left.counts.indices.allSatisfy { left.counts[$0] == right.counts[$0] }
    }
}
