/// The audio format inside CallHub: 48 kHz, mono, 16 bits, in frames of 20 ms.
public enum AudioFormat {
    /// The sample rate in Hz; the clock rate of Opus over RTP (RFC 7587 section 4.1).
    public static let samplesPerSecond = 48_000

    /// The samples of a 20 ms frame, the usual packet and the unit of playout.
    public static let samplesPerFrame = 960

    /// The nanoseconds of a 20 ms frame.
    public static let nanosecondsPerFrame: Int64 = 20_000_000

    /// Returns the duration of some samples in nanoseconds, rounded towards zero.
    ///
    /// - Parameter samples: A number of samples at 48 kHz.
    /// - Returns: The duration in nanoseconds; saturates far beyond any call's length.
    public static func nanoseconds(ofSamples samples: Int64) -> Int64 {
        let (whole, rest) = samples.quotientAndRemainder(dividingBy: 48)
        let (scaled, overflow) = whole.multipliedReportingOverflow(by: 1_000_000)
        guard !overflow else { return samples < 0 ? .min : .max }
        let (sum, isBeyond) = scaled.addingReportingOverflow(rest * 1_000_000 / 48)
        return isBeyond ? (samples < 0 ? .min : .max) : sum
    }

    /// Returns the number of samples that fit into a duration, rounded towards zero.
    ///
    /// - Parameter nanoseconds: A duration in nanoseconds.
    /// - Returns: A number of samples at 48 kHz.
    public static func samples(inNanoseconds nanoseconds: Int64) -> Int64 {
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return seconds * 48_000 + rest * 48 / 1_000_000
    }
}
