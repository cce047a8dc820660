import Foundation
import HubMedia

/// The spectrum of 20 ms of sound in some frequency bands, by which music and speech are recognized.
enum Spectrogram {
    /// The measured frequencies from 90 to 6000 Hz, evenly spaced on a logarithmic scale.
    static let bands: [Goertzel] = (0..<bandCount).map { band in
        let share = Double(band) / Double(bandCount - 1)
        return Goertzel(hertz: 90 * pow(6_000 / 90, share), samplesPerSecond: ToneDetector.samplesPerSecond)
    }

    static let bandCount = 24

    /// Returns the shape of a frame: a vector of length 1, or zero for silence.
    static func shape(of samples: UnsafeBufferPointer<Float>) -> [Float] {
        let loudness = bands.map { Float($0.amplitude(in: samples)) }
        let length = loudness.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return length < quietest ? [Float](repeating: 0, count: bandCount) : loudness.map { $0 / length }
    }

    /// The length of a vector below which a frame counts as silence.
    private static let quietest: Float = 0.004
}

/// The spectral shapes of a loop of sound: the hub's music, or a file that a party plays.
///
/// A few consecutive frames are recognized by their shapes, at any position of the loop.
final class Fingerprint: Sendable {
    /// The shape of each frame.
    private let shapes: [[Float]]

    /// Creates the fingerprint of a loop of Opus packets of 20 ms.
    ///
    /// - Parameter packets: The packets in their order.
    /// - Throws: ``MediaError`` if libopus fails.
    init(_ packets: [[UInt8]]) throws {
        var decoder = try OpusDecoder(samplesPerSecond: ToneDetector.samplesPerSecond)
        var shapes: [[Float]] = []
        // Twice, so that the beginning is decoded with the end's state before it.
        for packet in packets + packets {
            let samples = try decoder.decode(packet).map { Float($0) / 32_768 }
            shapes.append(samples.withUnsafeBufferPointer { Spectrogram.shape(of: $0) })
        }
        self.shapes = Array(shapes.suffix(packets.count))
    }

    /// Searches the loop for consecutive frames.
    ///
    /// - Parameters:
    ///   - frames: The shapes of consecutive frames, the newest last.
    ///   - guess: The likely position of the newest frame; nil: unknown.
    /// - Returns: The position of the newest frame; nil: the frames are not from this loop.
    func position(of frames: [[Float]], guess: Int?) -> Int? {
        guard !shapes.isEmpty, !frames.isEmpty else { return nil }
        if let guess, matches(frames, endingAt: guess) { return guess % shapes.count }
        return shapes.indices.first { matches(frames, endingAt: $0) }
    }

    private func matches(_ frames: [[Float]], endingAt position: Int) -> Bool {
        var sounding = 0
        for (back, frame) in frames.reversed().enumerated() {
            let index = (position - back) % shapes.count
            let shape = shapes[index < 0 ? index + shapes.count : index]
            let similarity = zip(shape, frame).reduce(Float(0)) { $0 + $1.0 * $1.1 }
            let isSilent = frame.allSatisfy { $0 == 0 }
            if isSilent { continue }
            guard similarity > Self.minimumSimilarity else { return false }
            sounding += 1
        }
        return sounding > 0
    }

    /// The minimum similarity: a higher one avoids false matches, a lower one tolerates more of the codec's noise.
    private static let minimumSimilarity: Float = 0.9
}
