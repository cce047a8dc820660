import Glibc

/// The hold music: soft plucked chords and a slow tune, computed, so that no copyright applies.
///
/// The loop lasts 12.8 s: four bars of eight plucks, at 150 plucks per minute. Notes that last beyond the end continue
/// at the beginning, so that there is no seam. It is the same in each run.
public enum HoldMusic {
    /// Computes the loop.
    ///
    /// - Returns: 614,400 samples at 48 kHz, mono: 640 frames of 20 ms.
    public static func loop() -> [Int16] {
        var samples = [Float](repeating: 0, count: pluckSamples * plucksPerBar * bars.count)
        for (bar, chord) in bars.enumerated() {
            for step in 0..<plucksPerBar {
                let start = (bar * plucksPerBar + step) * pluckSamples
                pluck(&samples, at: start, note: chord.notes[chord.order[step]], loudness: step == 0 ? 0.9 : 0.6)
                if step == 0 { pluck(&samples, at: start, note: chord.notes[0] - 12, loudness: 0.9) }
                if let note = chord.melody[step] { pluck(&samples, at: start, note: note, loudness: 0.8) }
            }
        }
        let peak = samples.reduce(0) { max($0, abs($1)) }
        return samples.map { Int16(fullScale: $0 / max(peak, 1e-6) * peakLevel) }
    }

    /// A chord and the notes that are played of it.
    private struct Bar {
        /// MIDI note numbers, lowest first.
        let notes: [Int]
        /// The index in `notes` of each pluck.
        let order = [0, 1, 2, 3, 2, 1, 3, 2]
        /// The melody: a MIDI note number for some of the plucks.
        let melody: [Int?]
    }

    /// F major, D minor seven, B flat major, C seven: each leads into the next, and the last into the first.
    private static let bars = [
        Bar(notes: [53, 60, 65, 69], melody: [nil, nil, 72, nil, nil, 76, nil, nil]),
        Bar(notes: [50, 57, 65, 72], melody: [77, nil, nil, nil, 76, nil, nil, nil]),
        Bar(notes: [46, 58, 62, 69], melody: [nil, nil, 74, nil, nil, 72, nil, nil]),
        Bar(notes: [48, 58, 64, 67], melody: [70, nil, nil, 69, nil, nil, 67, nil]),
    ]

    /// Adds a plucked string: partials that decay, the higher the sooner.
    private static func pluck(_ samples: inout [Float], at start: Int, note: Int, loudness: Float) {
        let frequency = 440 * pow(2, Double(note - 69) / 12)
        for partial in 1...4 {
            let angularFrequency = 2 * Double.pi * frequency * Double(partial) / 48_000
            let decay = exp(-Double(partial) / (48_000 * secondsOfDecay))
            // A decaying sine is a linear function of its last two values: x[n] = 2 r cos(w) x[n-1] - r² x[n-2].
            let (first, second) = (Float(2 * decay * cos(angularFrequency)), Float(decay * decay))
            var (last, current) = (Float(0), Float(sin(angularFrequency)) * loudness / Float(partial * partial))
            let count = min(samples.count, Int(48_000 * secondsOfDecay * 6) / partial)
            samples.withUnsafeMutableBufferPointer { samples in
                for index in 0..<count {
                    let place = start + index
                    // The attack of 4 ms makes the pluck soft.
                    let attack = min(1, Float(index) / 192)
                    samples[place < samples.count ? place : place - samples.count] += current * attack
                    (last, current) = (current, first * current - second * last)
                }
            }
        }
    }

    /// The length of a pluck: 0.4 s.
    private static let pluckSamples = 19_200
    private static let plucksPerBar = 8
    /// Longer: notes last longer and blur the chords.
    private static let secondsOfDecay = 0.45
    /// The peak as a share of full scale: about as loud as speech; louder music would startle listeners.
    private static let peakLevel: Float = 0.35
}
