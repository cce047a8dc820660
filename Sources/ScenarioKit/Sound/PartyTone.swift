import Foundation
import HubMedia

/// The tones by which parties are known: each party of a scenario speaks one of its own.
///
/// All are multiples of 50 Hz, so that each is a whole number of cycles in 20 ms and no other one's measure sees it; all
/// lie within an octave, away from the harmonics of one another, of the hub's tone and of most of its music.
enum PartyTone {
    /// Hertz, the first ones far apart, since most scenarios have few parties.
    static let frequencies: [Double] = [
        1_600, 2_450, 2_000, 2_900, 1_800, 2_250, 2_700, 3_150, 1_700, 2_100, 2_350, 2_550, 1_900, 2_800, 3_000, 3_250,
    ]

    /// A party's tone, by its place; nil: there is none for so many.
    static func hertz(_ index: Int) -> Double? { frequencies.indices.contains(index) ? frequencies[index] : nil }

    /// Of full scale: louder, and six of them mixed would be cut off at the top; softer, and the codec's noise is near.
    static let amplitude = 0.14

    private static let cache = LoopCache()

    /// The packets of a party's tone, 20 ms each, encoded once a process.
    ///
    /// - Parameter index: The party's place; nil is given for a party beyond the tones.
    /// - Returns: A loop.
    /// - Throws: ``MediaError`` where libopus cannot.
    static func loop(_ index: Int) throws -> PreparedAudio? {
        guard let hertz = hertz(index) else { return nil }
        return try cache.loop(index) {
            var tone = Tone(hertz: hertz, amplitude: amplitude)
            var settings = OpusEncoderSettings()
            settings.application = .audio
            settings.bitsPerSecond = 32_000
            settings.complexity = 5
            return try PreparedAudio(loop: tone.next(AudioFormat.samplesPerFrame * framesInLoop), settings: settings)
        }
    }

    /// More: the encoder is more settled; fewer: it takes less time.
    private static let framesInLoop = 25
}

/// Loops that were encoded once.
private final class LoopCache: @unchecked Sendable {
    private let lock = NSLock()
    private var loops: [Int: PreparedAudio] = [:]

    func loop(_ index: Int, _ make: () throws -> PreparedAudio) rethrows -> PreparedAudio {
        try lock.withLock {
            if let loop = loops[index] { return loop }
            let loop = try make()
            loops[index] = loop
            return loop
        }
    }
}
