import HubMedia

/// What goes into a device's microphone: a packet of 20 ms each time that one is due.
struct Microphone {
    private enum Source {
        case tone(PreparedAudio)
        case packets([[UInt8]])
        case silence
    }

    private var source = Source.silence
    private var position = 0

    /// A microphone into which nobody speaks.
    init() {}

    /// Hears a tone from now on.
    mutating func hear(_ tone: PreparedAudio?) { source = tone.map(Source.tone) ?? .silence }

    /// Hears a file from now on, from its beginning.
    mutating func hear(_ packets: [[UInt8]]) {
        position = 0
        source = packets.isEmpty ? .silence : .packets(packets)
    }

    /// Hears nothing from now on.
    mutating func hearNothing() { source = .silence }

    /// The next packet; nil: none is sent.
    mutating func next() -> [UInt8]? {
        defer { position += 1 }
        switch source {
        case .tone(let loop): return loop.withPacket(at: position) { Array($0) }
        case .packets(let packets): return packets[position % packets.count]
        case .silence: return nil
        }
    }
}

/// A file of sound as packets of 20 ms.
enum SoundFile {
    /// Reads and encodes a file.
    ///
    /// - Parameter path: Of an Ogg Opus or WAV file.
    /// - Returns: Its packets, of the first minute at most.
    /// - Throws: ``MediaError`` naming the file.
    static func packets(_ path: String) throws -> [[UInt8]] {
        let source = try openSoundSource(path, decoding: true)
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

    /// Frames of 20 ms: a minute.
    private static let longest = 3_000
}
