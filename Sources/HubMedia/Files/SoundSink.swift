/// Something that keeps the sound that was heard: a file or a pipe.
///
/// A sink takes samples or packets; each kind is turned into what it stores. Whoever has both chooses by
/// ``SoundSink/storesPackets``.
public protocol SoundSink: AnyObject {
    /// Whether packets are stored as they come, so that giving packets loses nothing.
    var storesPackets: Bool { get }

    /// Appends sound.
    ///
    /// - Parameter samples: Any number of samples at 48 kHz, mono; nothing is kept of the buffer after the call.
    /// - Throws: ``MediaError`` with code `inputOutput`.
    func append(_ samples: UnsafeBufferPointer<Int16>) throws(MediaError)

    /// Appends a received packet.
    ///
    /// - Parameters:
    ///   - packet: A whole Opus packet; what is not one is passed over.
    ///   - gap: Samples at 48 kHz that are missing before it, by the RTP timestamps.
    /// - Throws: ``MediaError`` with code `inputOutput`.
    func append(packet: UnsafeRawBufferPointer, afterGapOfSamples gap: Int) throws(MediaError)

    /// Writes what is still to be written; later calls do nothing.
    ///
    /// - Throws: ``MediaError`` with code `inputOutput`.
    func close() throws(MediaError)
}

extension SoundSink {
    /// Appends sound.
    ///
    /// - Parameter samples: Any number of samples at 48 kHz, mono.
    /// - Throws: ``MediaError`` with code `inputOutput`.
    public func append(_ samples: [Int16]) throws(MediaError) {
        let result = samples.withUnsafeBufferPointer { samples in
            Result { () throws(MediaError) in try append(samples) }
        }
        try result.get()
    }
}

/// Opens something to keep sound in, chosen by the ending of its name; a file that is there is emptied.
///
/// - Parameter path: A `.wav` file, an `.ogg` or `.opus` file, or `-` for raw 48 kHz 16-bit mono on standard output.
/// - Returns: An empty sink.
/// - Throws: ``MediaError`` naming the file: it cannot be made, or the ending is unknown.
public func openSoundSink(_ path: String) throws(MediaError) -> any SoundSink {
    switch AudioPath(path) {
    case .standardStream: RawAudioSink(descriptor: 1, name: "standard output")
    case .wav: try WAVSink(path: path)
    case .ogg: try OggOpusSink(path: path)
    case nil: throw AudioPath.unknownEnding(path)
    }
}

/// Keeps sound in a WAV file.
public final class WAVSink: SoundSink {
    private var writer: WAVWriter
    private var packets = PacketDecoding()

    /// Makes the file.
    ///
    /// - Parameter path: The file's path.
    /// - Throws: ``MediaError`` with code `inputOutput` naming the file.
    public init(path: String) throws(MediaError) {
        writer = try WAVWriter(path: path)
    }

    /// Packets are decoded.
    public var storesPackets: Bool { false }

    /// Appends sound.
    ///
    /// - Parameter samples: Any number of samples.
    /// - Throws: ``MediaError`` with code `inputOutput`.
    public func append(_ samples: UnsafeBufferPointer<Int16>) throws(MediaError) {
        try writer.append(samples)
    }

    /// Decodes and appends a packet, concealing the gap before it.
    ///
    /// - Parameters:
    ///   - packet: A whole Opus packet.
    ///   - gap: Samples missing before it.
    /// - Throws: ``MediaError`` with code `inputOutput`.
    public func append(packet: UnsafeRawBufferPointer, afterGapOfSamples gap: Int) throws(MediaError) {
        try writer.append(try packets.decode(packet, afterGapOfSamples: gap))
    }

    /// Writes the final header.
    ///
    /// - Throws: ``MediaError`` with code `inputOutput`.
    public func close() throws(MediaError) {
        try writer.close()
    }
}

/// Decodes a stream of packets with gaps, for sinks that store samples.
struct PacketDecoding: ~Copyable {
    private var decoder: OpusDecoder?

    /// Gives the gap (concealed for 100 ms, silent after) and the packet's sound; nothing for what is not Opus.
    mutating func decode(
        _ packet: UnsafeRawBufferPointer,
        afterGapOfSamples gap: Int
    ) throws(MediaError) -> [Int16] {
        guard OpusPacket.durationInSamples(of: packet) != nil else { return [] }
        if decoder == nil { decoder = try OpusDecoder() }
        let concealed = min(max(0, gap), 4_800) / 120 * 120
        let room = max(0, gap) + OpusDecoder.roomForSound
        var samples = [Int16](repeating: 0, count: room)
        let result = samples.withUnsafeMutableBufferPointer { samples in
            Result { () throws(MediaError) in
                try decoder?.conceal(into: UnsafeMutableBufferPointer(rebasing: samples.prefix(concealed)))
                let target = UnsafeMutableBufferPointer(rebasing: samples.dropFirst(max(0, gap)))
                return try decoder?.decode(packet, into: target) ?? 0
            }
        }
        samples.removeLast(OpusDecoder.roomForSound - (try result.get()))
        return samples
    }
}
