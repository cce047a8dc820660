/// Times in nanoseconds, all kept, so that percentiles are exact.
package struct Samples {
    private var values: [UInt32] = []

    /// No times yet; `capacity` of them can be added without an allocation.
    package init(capacity: Int = 0) {
        values.reserveCapacity(capacity)
    }

    /// Adds a time in nanoseconds; more than 4.2 seconds counts as that.
    package mutating func add(nanoseconds: UInt64) {
        values.append(UInt32(clamping: nanoseconds))
    }

    /// Adds all of the other's times.
    package mutating func add(_ other: Samples) {
        values += other.values
    }

    /// Returns the percentiles, by the nearest-rank method.
    package func percentiles() -> Percentiles {
        let sorted = values.sorted()
        /// The smallest value that `share` of all do not exceed.
        func rank(_ share: Double) -> Double {
            guard !sorted.isEmpty else {
                return 0
            }
            let index = Int((share * Double(sorted.count)).rounded(.up)) - 1
            return Double(sorted[min(max(index, 0), sorted.count - 1)]) / 1000
        }
        return Percentiles(p50: rank(0.5), p90: rank(0.9), p99: rank(0.99), p999: rank(0.999), max: rank(1))
    }
}

/// A distribution of times in microseconds: half of them are at most `p50`, and so on.
package struct Percentiles: Codable, Equatable {
    /// Half are at most this.
    package var p50: Double
    /// Nine of ten are at most this.
    package var p90: Double
    /// 99 of a hundred are at most this.
    package var p99: Double
    /// 999 of a thousand are at most this.
    package var p999: Double
    /// The longest.
    package var max: Double
}
