import Foundation
import HubMedia

/// The sound that a device's user has heard, for tests.
public struct HeardAudio: Hashable, Sendable {
    /// The samples, 48,000 a second, mono: those of the times when there was something to hear, one after the other.
    public var samples: [Int16]

    /// Creates a sound from its samples.
    public init(samples: [Int16]) {
        self.samples = samples
    }

    /// The duration.
    public var duration: Duration { .nanoseconds(AudioFormat.nanoseconds(ofSamples: Int64(samples.count))) }

    /// The root of the mean square, 0 (silence) to 1 (full scale).
    public var level: Double {
        guard !samples.isEmpty else { return 0 }
        let power = samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)
        return power.squareRoot() / 32_768
    }

    /// Returns the amplitude of a tone, 0 (none) to 1 (full scale), as of ``AudioInput/tone(hertz:)``.
    ///
    /// - Parameter hertz: The frequency.
    /// - Returns: The mean amplitude over pieces of 20 ms, so that a tone that is there half of the time counts half.
    public func amplitude(ofTone hertz: Double) -> Double {
        let length = AudioFormat.samplesPerFrame
        guard samples.count >= length else { return 0 }
        let measure = Goertzel(hertz: hertz, samplesPerSecond: AudioFormat.samplesPerSecond)
        let pieces = stride(from: 0, through: samples.count - length, by: length).map { start in
            let piece = samples[start..<(start + length)].map { Float($0) / 32_768 }
            return piece.withUnsafeBufferPointer { measure.amplitude(in: $0) }
        }
        return pieces.reduce(0, +) / Double(pieces.count)
    }

    /// Returns true if a tone is there at least half of the time, at a usual loudness.
    ///
    /// - Parameter hertz: The frequency; tones of a test should be 100 Hz and more apart, and no multiples.
    /// - Returns: True if it is heard.
    public func contains(tone hertz: Double) -> Bool { amplitude(ofTone: hertz) > 0.05 }
}

extension CallScreen {
    /// Returns what the user has heard since the last look, if the device's output is ``AudioOutput/memory``.
    public func takeHeard() -> HeardAudio { HeardAudio(samples: system.audio.takeHeard()) }
}
