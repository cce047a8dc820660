import Foundation
import HubSimulation
import HubTestSupport

/// A sound whose every part can be found again: short sweeps between random frequencies.
struct SoundPattern {
    private static let sweepSamples = 12_000

    private var random: SeededRandom
    private var sweep: [Int16] = []
    private var place = 0
    private var phase = 0.0

    /// The pattern of that seed.
    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    /// Returns the next samples at 48 kHz.
    mutating func next(_ count: Int) -> [Int16] {
        (0..<count).map { _ in
            if place == sweep.count { begin() }
            place += 1
            return sweep[place - 1]
        }
    }

    /// Begins a sweep of a quarter of a second, faded in and out.
    private mutating func begin() {
        let ends = (Double.random(in: 250...1_500, using: &random), Double.random(in: 250...1_500, using: &random))
        let count = Self.sweepSamples
        sweep = (0..<count).map { index in
            let way = Double(index) / Double(count)
            phase += 2 * .pi * (ends.0 + (ends.1 - ends.0) * way) / 48_000
            let fade = min(1, Double(min(index, count - 1 - index)) / 480)
            return Int16(9_000 * fade * sin(phase))
        }
        place = 0
    }
}

/// The times at which the stretches of a pattern were received.
struct PatternMatch {
    /// A stretch that was searched for.
    struct Stretch {
        /// The time at which it was sent, in seconds from the beginning of the pattern.
        var second: Double
        /// The mouth-to-ear delay; nil if it was not found, or not as it was sent.
        var milliseconds: Double?
    }

    /// The length of a stretch in samples.
    ///
    /// 150 ms: a jitter buffer that plays a little faster or slower for a while must not make a stretch unlike the
    /// original.
    private static let window = 7_200
    /// The longest delay that can be found, in samples.
    private static let reach = 96_000
    /// The least correlation of a stretch: Opus leaves about 0.9, and with a third missing about 0.6 remains.
    private static let likeness = 0.6

    /// All stretches that were sent while the recording ran.
    let stretches: [Stretch]

    /// Searches for a pattern in a recording.
    ///
    /// - Parameters:
    ///   - pattern: The samples that were sent, at 48 kHz.
    ///   - recording: The samples that were received, at 48 kHz.
    ///   - headStart: The samples of the pattern that were sent before the recording began.
    init(_ pattern: [Int16], in recording: [Int16], headStart: Int) {
        stretches = stride(from: 0, to: pattern.count - Self.window, by: Self.window).compactMap { start in
            let first = start - headStart
            guard first >= 0, first + Self.window + Self.reach <= recording.count else { return nil }
            let found = Sound.align(
                Array(recording[first..<(first + Self.window + Self.reach)]),
                to: Array(pattern[start..<(start + Self.window)])
            )
            let isFound = found.correlation >= Self.likeness && found.lag >= 0
            return Stretch(
                second: Double(start) / 48_000,
                milliseconds: isFound ? Double(found.lag) / 48 : nil
            )
        }
    }
}
