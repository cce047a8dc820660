import Foundation
import HubMedia

/// How loud each of some frequencies is in 20 ms of sound: what a piece of music or speech is known again by.
enum Spectrogram {
    /// Frequencies, evenly over the octaves of voices and music.
    static let bands: [Goertzel] = (0..<bandCount).map { band in
        let share = Double(band) / Double(bandCount - 1)
        return Goertzel(hertz: 90 * pow(6_000 / 90, share), samplesPerSecond: Ear.samplesPerSecond)
    }

    static let bandCount = 24

    /// The shape of a frame: of length 1, or zero where there is next to no sound.
    static func shape(of samples: UnsafeBufferPointer<Float>) -> [Float] {
        let loudness = bands.map { Float($0.amplitude(in: samples)) }
        let length = loudness.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return length < quietest ? [Float](repeating: 0, count: bandCount) : loudness.map { $0 / length }
    }

    /// Below this a frame counts as silence.
    private static let quietest: Float = 0.004
}

/// A loop of sound, frame by frame: the hub's music, or a file that a party plays.
///
/// Some frames in a row are found in it again by their shape, wherever in the loop they are.
final class Fingerprint: Sendable {
    /// A frame each.
    private let shapes: [[Float]]

    /// The fingerprint of a loop of Opus packets of 20 ms.
    ///
    /// - Parameter packets: In their order.
    /// - Throws: ``MediaError`` where libopus cannot.
    init(_ packets: [[UInt8]]) throws {
        var decoder = try OpusDecoder(samplesPerSecond: Ear.samplesPerSecond)
        var shapes: [[Float]] = []
        // Twice round, so that the beginning sounds as it does behind the end.
        for packet in packets + packets {
            let samples = try decoder.decode(packet).map { Float($0) / 32_768 }
            shapes.append(samples.withUnsafeBufferPointer { Spectrogram.shape(of: $0) })
        }
        self.shapes = Array(shapes.suffix(packets.count))
    }

    /// Finds frames in the loop.
    ///
    /// - Parameters:
    ///   - frames: Shapes one after the other, the newest last.
    ///   - guess: Where the newest one is likely to be.
    /// - Returns: Where the newest frame is; nil: they are not of this loop.
    func place(of frames: [[Float]], guess: Int?) -> Int? {
        guard !shapes.isEmpty, !frames.isEmpty else { return nil }
        if let guess, matches(frames, endingAt: guess) { return guess % shapes.count }
        return shapes.indices.first { matches(frames, endingAt: $0) }
    }

    private func matches(_ frames: [[Float]], endingAt place: Int) -> Bool {
        var sounding = 0
        for (back, frame) in frames.reversed().enumerated() {
            let index = (place - back) % shapes.count
            let shape = shapes[index < 0 ? index + shapes.count : index]
            let likeness = zip(shape, frame).reduce(Float(0)) { $0 + $1.0 * $1.1 }
            let isSilent = frame.allSatisfy { $0 == 0 }
            if isSilent { continue }
            guard likeness > Self.leastLikeness else { return false }
            sounding += 1
        }
        return sounding > 0
    }

    /// More: less is mistaken for the loop; less: the codec's own noise matters less.
    private static let leastLikeness: Float = 0.9
}
