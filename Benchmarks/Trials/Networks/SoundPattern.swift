import Foundation
import HubSimulation
import HubTestSupport

/// A sound that is nowhere like itself: short sweeps between frequencies by chance, of which each can be found again.
struct SoundPattern {
    private static let sweepSamples = 12_000

    private var random: SeededRandom
    private var sweep: [Int16] = []
    private var place = 0
    private var phase = 0.0

    /// The pattern of that number.
    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    /// The next samples at 48 kHz.
    mutating func next(_ count: Int) -> [Int16] {
        (0..<count).map { _ in
            if place == sweep.count { begin() }
            place += 1
            return sweep[place - 1]
        }
    }

    /// A sweep of a quarter of a second, faded in and out.
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

/// When each stretch of a pattern was heard.
struct HeardPattern {
    /// A stretch that was looked for.
    struct Stretch {
        /// When it was spoken, in seconds from the talk's beginning.
        var second: Double
        /// From mouth to ear; nil: it was not heard, or not as it was.
        var milliseconds: Double?
    }

    /// 150 ms: a jitter buffer that plays a little faster or slower for a while must not make a stretch unlike itself.
    private static let window = 7_200
    /// The longest delay that is found.
    private static let reach = 96_000
    /// How like itself a stretch must be: what is left of it after Opus has 0.9; a third missing leaves about 0.6.
    private static let likeness = 0.6

    /// All stretches that were spoken while it was listened.
    let stretches: [Stretch]

    /// Looks for a pattern in a recording.
    ///
    /// - Parameters:
    ///   - pattern: What was spoken.
    ///   - recording: What was heard.
    ///   - headStart: How much later than the talk the recording began, in samples.
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
