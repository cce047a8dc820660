public import HubClient
import HubMedia

/// Packets of pure tones, by which a listener can tell who spoke.
public enum TestTone {
    /// Opus packets of 20 ms.
    public static func packets(hertz: Double, count: Int) throws -> [[UInt8]] {
        var tone = Tone(hertz: hertz)
        var settings = OpusEncoderSettings()
        settings.application = .audio
        var encoder = try OpusEncoder(settings)
        return try (0..<count).map { _ in try encoder.encode(tone.next(AudioFormat.samplesPerFrame)) }
    }

    /// The frequency that is heard in packets, the first ones left out, where the codec settles; nil: nothing.
    public static func heard(in packets: [ReceivedAudio]) throws -> Double? {
        var decoder = try OpusDecoder()
        var samples: [Int16] = []
        for packet in packets { samples += try decoder.decode(packet.payload) }
        return Sound.dominantFrequency(Array(samples.dropFirst(2 * AudioFormat.samplesPerFrame)))
    }
}
