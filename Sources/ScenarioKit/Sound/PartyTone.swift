import Foundation
import HubMedia

/// The tones that identify parties: each party of a scenario sends one of its own.
///
/// All are multiples of 50 Hz, so that each is a whole number of cycles in 20 ms and does not affect the others'
/// measures; all lie within an octave, away from the harmonics of one another, of the hub's tone and of most of its
/// music.
enum PartyTone {
    /// The frequencies in Hz, the first ones far apart, since most scenarios have few parties.
    static let frequencies: [Double] = [
        1_600, 2_450, 2_000, 2_900, 1_800, 2_250, 2_700, 3_150, 1_700, 2_100, 2_350, 2_550, 1_900, 2_800, 3_000, 3_250,
    ]

    /// Returns the frequency of a tone by its index, in Hz; nil: there are not so many.
    static func hertz(_ index: Int) -> Double? { frequencies.indices.contains(index) ? frequencies[index] : nil }

    /// The amplitude, full scale being 1: with more, six mixed tones would clip; with less, the codec's noise is near.
    static let amplitude = 0.14

    private static let cache = LoopCache()

    /// Returns the packets of a tone, 20 ms each, encoded once per process.
    ///
    /// - Parameter index: The index of the tone.
    /// - Returns: A loop; nil: there are not so many tones.
    /// - Throws: ``MediaError`` if libopus fails.
    static func loop(_ index: Int) throws -> PreEncodedAudio? {
        guard let hertz = hertz(index) else { return nil }
        return try cache.loop(index) {
            var tone = Tone(hertz: hertz, amplitude: amplitude)
            var settings = OpusEncoderSettings()
            settings.application = .audio
            settings.bitsPerSecond = 32_000
            settings.complexity = 5
            return try PreEncodedAudio(loop: tone.next(AudioFormat.samplesPerFrame * framesInLoop), settings: settings)
        }
    }

    /// The number of frames in a loop: with more the encoder settles, fewer take less time.
    private static let framesInLoop = 25
}

/// A cache of encoded loops.
private final class LoopCache: @unchecked Sendable {
    private let lock = NSLock()
    private var loops: [Int: PreEncodedAudio] = [:]

    func loop(_ index: Int, _ make: () throws -> PreEncodedAudio) rethrows -> PreEncodedAudio {
        try lock.withLock {
            if let loop = loops[index] { return loop }
            let loop = try make()
            loops[index] = loop
            return loop
        }
    }
}
