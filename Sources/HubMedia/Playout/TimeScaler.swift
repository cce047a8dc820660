/// Time scaling: shortens or lengthens audio by whole pitch periods, cross-faded so that it is inaudible.
///
/// The period is the lag (2.5 to 15 ms) with the highest autocorrelation of a block of 30 ms.
enum TimeScaler {
    /// A lag, and the correlation of the audio at that distance.
    struct Period: Equatable {
        /// The lag in samples at 48 kHz, 120 to 720.
        let samples: Int
        /// The normalised correlation, -1 to 1; 1 for silence.
        let correlation: Double
        /// True if the block is too quiet to be audible.
        let isQuiet: Bool
    }

    /// The block that is analysed, in samples: twice the maximum lag.
    static let block = 1_440

    /// Finds the period at a position; `nil` if less than a block follows.
    static func period(in samples: [Int16], at start: Int) -> Period? {
        guard start >= 0, start + block <= samples.count else { return nil }
        return samples.withUnsafeBufferPointer { samples in
            let part = UnsafeBufferPointer(rebasing: samples[start..<(start + block)])
            if isQuiet(part) { return Period(samples: maximumLag, correlation: 1, isQuiet: true) }
            let coarse = best(stride(from: minimumLag, through: maximumLag, by: 4), in: part, step: 4)
            let around = max(minimumLag, coarse.lag - 4)...min(maximumLag, coarse.lag + 4)
            let fine = best(stride(from: around.lowerBound, through: around.upperBound, by: 1), in: part, step: 1)
            return Period(samples: fine.lag, correlation: fine.correlation, isQuiet: false)
        }
    }

    /// Removes one period: the audio at `start` fades into that of a period later.
    static func cut(_ samples: inout [Int16], at start: Int, period: Int) {
        guard period > 0, start >= 0, start + 2 * period <= samples.count else { return }
        for index in 0..<period {
            let (early, late) = (Int(samples[start + index]), Int(samples[start + period + index]))
            samples[start + period + index] = Int16((early * (period - index) + late * index) / period)
        }
        samples.removeSubrange(start..<(start + period))
    }

    /// Inserts one period: after the first period, its successor fades back into it, and continues from there.
    static func stretch(_ samples: inout [Int16], at start: Int, period: Int) {
        guard period > 0, start >= 0, start + 2 * period <= samples.count else { return }
        samples.insert(contentsOf: samples[(start + period)..<(start + 2 * period)], at: start + period)
        for index in 0..<period {
            let (early, late) = (Int(samples[start + index]), Int(samples[start + period + index]))
            samples[start + period + index] = Int16((late * (period - index) + early * index) / period)
        }
    }

    private static func isQuiet(_ samples: UnsafeBufferPointer<Int16>) -> Bool {
        var sum = 0
        for sample in samples { sum += Int(sample) * Int(sample) }
        return sum < samples.count * quietLevel * quietLevel
    }

    private static func best(
        _ lags: some Sequence<Int>,
        in samples: UnsafeBufferPointer<Int16>,
        step: Int
    ) -> (lag: Int, correlation: Double) {
        var best = (lag: minimumLag, correlation: -1.0)
        for lag in lags {
            var (product, early, late) = (0, 0, 0)
            for index in stride(from: 0, to: block - maximumLag, by: step) {
                let (x, y) = (Int(samples[index]), Int(samples[index + lag]))
                product += x * y
                early += x * x
                late += y * y
            }
            guard early > 0, late > 0 else { continue }
            let correlation = Double(product) / (Double(early) * Double(late)).squareRoot()
            if correlation > best.correlation { best = (lag, correlation) }
        }
        return best
    }

    /// 2.5 ms: 400 Hz; shorter periods are found as multiples.
    private static let minimumLag = 120
    /// 15 ms: 67 Hz; longer periods would need more audio in advance.
    private static let maximumLag = 720
    /// 0.003 of full scale; higher: soft speech would be cut regardless of its pitch.
    private static let quietLevel = 98
}
