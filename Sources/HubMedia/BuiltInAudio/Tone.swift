import Glibc

/// A sine generator whose phase continues from one call to the next, so that the pieces form one unbroken tone.
public struct Tone: Sendable {
    private let cyclesPerSample: Double
    private let amplitude: Double
    /// The position in the cycle, 0 to 1.
    private var phase = 0.0

    /// Creates a tone that begins at a zero crossing.
    ///
    /// - Parameters:
    ///   - hertz: The frequency, 0 to 24,000.
    ///   - amplitude: The amplitude, 0 to 1 (full scale); default 0.3.
    public init(hertz: Double, amplitude: Double = 0.3) {
        cyclesPerSample = hertz.isFinite ? min(max(hertz, 0), 24_000) / 48_000 : 0
        self.amplitude = amplitude.isFinite ? min(max(amplitude, 0), 1) * 32_767 : 0
    }

    /// Writes the next samples of the tone.
    ///
    /// - Parameter samples: Filled completely, at 48 kHz.
    public mutating func fill(_ samples: UnsafeMutableBufferPointer<Int16>) {
        for index in samples.indices {
            samples[index] = Int16((sin(2 * .pi * phase) * amplitude).rounded())
            phase += cyclesPerSample
            if phase >= 1 { phase -= 1 }
        }
    }

    /// Returns the next samples of the tone.
    ///
    /// - Parameter count: The number of samples at 48 kHz.
    /// - Returns: The samples.
    public mutating func next(_ count: Int) -> [Int16] {
        var samples = [Int16](repeating: 0, count: max(0, count))
        samples.withUnsafeMutableBufferPointer { fill($0) }
        return samples
    }
}
