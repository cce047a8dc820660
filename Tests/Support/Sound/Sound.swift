import Foundation

/// Measurements of received sound: likeness to the original, delay, gaps and tones.
///
/// All sounds are 48 kHz, mono.
public enum Sound {
    /// The position of a recording relative to the original.
    public struct Alignment: Sendable, Equatable {
        /// Samples by which the recording is behind the original; negative if its beginning is cut off.
        public let lag: Int
        /// The correlation over the whole overlap, -1 to 1; 1 means the same but for loudness.
        public let correlation: Double
        /// The number of samples of the original that have a counterpart.
        public let overlap: Int
    }

    /// Finds the lag at which a recording correlates best with the original, and the correlation there.
    ///
    /// The search runs on both sounds at 6 kHz over all lags, then at full rate around the best one.
    ///
    /// - Parameters:
    ///   - recording: The samples that were received.
    ///   - original: The samples that were played, up to a minute.
    /// - Returns: The best alignment; all zeros where either is empty or silent.
    public static func align(_ recording: [Int16], to original: [Int16]) -> Alignment {
        guard !recording.isEmpty, !original.isEmpty else { return Alignment(lag: 0, correlation: 0, overlap: 0) }
        let coarse = coarseLag(decimate(recording), decimate(original)) * decimation
        // Around the coarse lag a stretch of the original is enough to find the lag to the sample.
        let start = loudestSecond(of: original)
        let stretch = start..<min(original.count, start + 24_000)
        let candidates = (coarse - 2 * decimation)...(coarse + 2 * decimation)
        let best = candidates.max {
            correlation(recording, original, lag: $0, over: stretch).value
                < correlation(recording, original, lag: $1, over: stretch).value
        }
        let lag = best ?? coarse
        let whole = correlation(recording, original, lag: lag, over: original.indices)
        return Alignment(lag: lag, correlation: whole.value, overlap: whole.overlap)
    }

    /// Computes the energy of windows one after the other.
    ///
    /// - Parameters:
    ///   - samples: The sound.
    ///   - window: The window's length in samples; a rest shorter than that is left out.
    /// - Returns: The root of the mean square of each window, full scale being 1.
    public static func levels(_ samples: [Int16], window: Int = 960) -> [Double] {
        stride(from: 0, to: samples.count - window + 1, by: window).map { start in
            var sum = 0.0
            for sample in samples[start..<(start + window)] { sum += Double(sample) * Double(sample) }
            return (sum / Double(window)).squareRoot() / 32_768
        }
    }

    /// Finds the stretches without sound.
    ///
    /// - Parameters:
    ///   - samples: The sound.
    ///   - quieterThan: The level below which a window is silent, full scale being 1.
    ///   - window: The resolution in samples; 240 is 5 ms.
    /// - Returns: Ranges of samples, in order, each at least one window long.
    public static func gaps(_ samples: [Int16], quieterThan: Double = 0.003, window: Int = 240) -> [Range<Int>] {
        var gaps: [Range<Int>] = []
        for (index, level) in levels(samples, window: window).enumerated() where level < quieterThan {
            let range = (index * window)..<((index + 1) * window)
            if let last = gaps.last, last.upperBound == range.lowerBound {
                gaps[gaps.count - 1] = last.lowerBound..<range.upperBound
            } else {
                gaps.append(range)
            }
        }
        return gaps
    }

    /// Finds the strongest tone.
    ///
    /// - Parameter samples: The sound, of which only the first 0.7 s count. One second distinguishes 440 from 441 Hz.
    /// - Returns: Hertz, by the peak of the spectrum and its neighbours; `nil` for silence.
    public static func dominantFrequency(_ samples: [Int16]) -> Double? {
        let count = 32_768
        let windowed = samples.prefix(count).enumerated().map { index, sample in
            let phase = 2 * Double.pi * Double(index) / Double(min(count, samples.count))
            return Float(sample) * Float(0.5 - 0.5 * cos(phase))
        }
        guard windowed.contains(where: { $0 != 0 }) else { return nil }
        var spectrum = Spectrum(windowed, count: count)
        spectrum.transform()
        let power = (1..<(count / 2)).map { index in
            let (real, imaginary) = (spectrum.real[index], spectrum.imaginary[index])
            return Double(real * real + imaginary * imaginary)
        }
        guard let peak = power.indices.max(by: { power[$0] < power[$1] }) else { return nil }
        // A parabola through the logarithms of the three highest points puts the peak between two of them.
        var shift = 0.0
        if peak > 0, peak < power.count - 1, power[peak - 1] > 0, power[peak + 1] > 0 {
            let (left, middle, right) = (log(power[peak - 1]), log(power[peak]), log(power[peak + 1]))
            let bend = left - 2 * middle + right
            if bend != 0 { shift = 0.5 * (left - right) / bend }
        }
        return (Double(peak + 1) + shift) * 48_000 / Double(count)
    }

    /// Computes how much of a sound's energy lies at one frequency.
    ///
    /// - Parameters:
    ///   - frequency: The frequency in hertz.
    ///   - samples: The sound; best a second or less, since a tone's phase must hold throughout.
    /// - Returns: 0 (none) to 1 (a pure tone); 0 for silence.
    public static func shareOfEnergy(at frequency: Double, in samples: [Int16]) -> Double {
        let step = 2 * Double.pi * frequency / 48_000
        var (inPhase, quadrature, total) = (0.0, 0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            let (value, angle) = (Double(sample), step * Double(index))
            inPhase += value * cos(angle)
            quadrature += value * sin(angle)
            total += value * value
        }
        guard total > 0 else { return 0 }
        return min(1, 2 * (inPhase * inPhase + quadrature * quadrature) / (total * Double(samples.count)))
    }

    /// The search for the lag runs at an eighth of the rate: 6 kHz preserves the correlation of speech.
    private static let decimation = 8
}

extension Sound {
    /// Averages groups of samples.
    private static func decimate(_ samples: [Int16]) -> [Float] {
        samples.withUnsafeBufferPointer { samples in
            (0..<(samples.count / decimation)).map { index in
                var sum: Float = 0
                for offset in 0..<decimation { sum += Float(samples[index * decimation + offset]) }
                return sum
            }
        }
    }

    /// Finds the peak of the cross-correlation over all lags.
    private static func coarseLag(_ recording: [Float], _ original: [Float]) -> Int {
        var count = 1
        while count < recording.count + original.count { count *= 2 }
        var product = Spectrum(recording, count: count)
        product.transform()
        var other = Spectrum(original, count: count)
        other.transform()
        product.multiply(byConjugateOf: other)
        product.transform(inverse: true)
        guard let peak = product.real.indices.max(by: { product.real[$0] < product.real[$1] }) else { return 0 }
        return peak < recording.count ? peak : peak - count
    }

    private static func loudestSecond(of samples: [Int16]) -> Int {
        let levels = levels(samples, window: 24_000)
        return (levels.indices.max { levels[$0] < levels[$1] } ?? 0) * 24_000
    }

    private static func correlation(
        _ recording: [Int16],
        _ original: [Int16],
        lag: Int,
        over range: Range<Int>
    ) -> (value: Double, overlap: Int) {
        let first = max(range.lowerBound, -lag)
        let last = min(range.upperBound, recording.count - lag)
        guard first < last else { return (0, 0) }
        var (product, left, right) = (0.0, 0.0, 0.0)
        recording.withUnsafeBufferPointer { recording in
            original.withUnsafeBufferPointer { original in
                for index in first..<last {
                    let (x, y) = (Double(recording[index + lag]), Double(original[index]))
                    product += x * y
                    left += x * x
                    right += y * y
                }
            }
        }
        guard left > 0, right > 0 else { return (0, last - first) }
        return (product / (left * right).squareRoot(), last - first)
    }
}
