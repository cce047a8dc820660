public import HubClient
import HubMedia

/// Packets of pure tones, which identify their sender by the frequency.
public enum TestTone {
    /// Returns Opus packets of 20 ms with a tone.
    public static func packets(hertz: Double, count: Int) throws -> [[UInt8]] {
        var tone = Tone(hertz: hertz)
        var settings = OpusEncoderSettings()
        settings.application = .audio
        var encoder = try OpusEncoder(settings)
        return try (0..<count).map { _ in try encoder.encode(tone.next(AudioFormat.samplesPerFrame)) }
    }

    /// Returns the dominant frequency in hertz; nil for silence.
    ///
    /// The first two frames are left out, in which the codec settles.
    public static func heard(in packets: [ReceivedAudio]) throws -> Double? {
        var decoder = try OpusDecoder()
        var samples: [Int16] = []
        for packet in packets { samples += try decoder.decode(packet.payload) }
        return Sound.dominantFrequency(Array(samples.dropFirst(2 * AudioFormat.samplesPerFrame)))
    }
}
