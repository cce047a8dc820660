import HubMedia

/// The simulated microphone of a device, which supplies a packet every 20 ms.
struct Microphone {
    private enum Source {
        case tone(PreEncodedAudio)
        case packets([[UInt8]])
        case silence
    }

    private var source = Source.silence
    private var position = 0

    /// Creates a silent microphone.
    init() {}

    /// Plays a tone from now on; nil: silence.
    mutating func play(_ tone: PreEncodedAudio?) { source = tone.map(Source.tone) ?? .silence }

    /// Plays a file from now on, from its beginning.
    mutating func play(_ packets: [[UInt8]]) {
        position = 0
        source = packets.isEmpty ? .silence : .packets(packets)
    }

    /// Stops the sound.
    mutating func stop() { source = .silence }

    /// Returns the next packet; nil: none is sent.
    mutating func next() -> [UInt8]? {
        defer { position += 1 }
        switch source {
        case .tone(let loop): return loop.withPacket(at: position) { Array($0) }
        case .packets(let packets): return packets[position % packets.count]
        case .silence: return nil
        }
    }
}

/// A sound file as packets of 20 ms.
enum SoundFile {
    /// Reads and encodes a file.
    ///
    /// - Parameter path: The path of an Ogg Opus or WAV file.
    /// - Returns: The file's packets, of the first minute at most.
    /// - Throws: ``MediaError`` with the file's name.
    static func packets(_ path: String) throws -> [[UInt8]] {
        let source = try openAudioSource(path, decoding: true)
        var settings = OpusEncoderSettings()
        settings.application = .audio
        settings.bitsPerSecond = 32_000
        var encoder = try OpusEncoder(settings)
        var packets: [[UInt8]] = []
        while packets.count < longest, let frame = try source.nextFrame() {
            guard case .samples(let samples) = frame, samples.count == AudioFormat.samplesPerFrame else { continue }
            packets.append(try encoder.encode(samples))
        }
        return packets
    }

    /// The maximum number of frames of 20 ms: a minute.
    private static let longest = 3_000
}
