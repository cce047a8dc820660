import Foundation

/// A measure of one frequency's amplitude in a piece of sound (Goertzel's algorithm).
package struct Goertzel: Hashable, Sendable {
    private let coefficient: Double

    /// Creates a measure of one frequency.
    ///
    /// - Parameters:
    ///   - hertz: The frequency.
    ///   - samplesPerSecond: The sample rate of the sound.
    package init(hertz: Double, samplesPerSecond: Int) {
        coefficient = 2 * cos(2 * .pi * hertz / Double(samplesPerSecond))
    }

    /// Returns the amplitude of a sine of that frequency, full scale being 1.
    ///
    /// - Parameter samples: Whole cycles of all frequencies that are to be distinguished.
    /// - Returns: The amplitude, 0 to 1.
    package func amplitude(in samples: UnsafeBufferPointer<Float>) -> Double {
        var (last, beforeLast) = (Float(0), Float(0))
        let coefficient = Float(coefficient)
        for index in samples.indices {
            let current = samples[index] + coefficient * last - beforeLast
            beforeLast = last
            last = current
        }
        let (one, two) = (Double(last), Double(beforeLast))
        let power = max(0, one * one + two * two - self.coefficient * one * two)
        return 2 * power.squareRoot() / Double(max(samples.count, 1))
    }
}
