/// A destination of received audio: a file or a pipe.
///
/// A sink accepts samples and packets, and converts each to the kind that it stores. A caller that has both chooses by
/// ``AudioFrameSink/storesPackets``.
public protocol AudioFrameSink: AnyObject {
    /// True if packets are stored unchanged, so that appending packets loses nothing.
    var storesPackets: Bool { get }

    /// Appends samples.
    ///
    /// - Parameter samples: Any number of samples at 48 kHz, mono; the buffer is not used after the call.
    /// - Throws: ``MediaError`` with code `inputOutput`, `codec`, or `invalidArgument` for a full or closed sink.
    func append(_ samples: UnsafeBufferPointer<Int16>) throws(MediaError)

    /// Appends a received packet.
    ///
    /// - Parameters:
    ///   - packet: A whole Opus packet; other data is skipped.
    ///   - gap: The number of samples at 48 kHz that are missing before it, by the RTP timestamps.
    /// - Throws: ``MediaError`` with code `inputOutput`, `codec`, or `invalidArgument` for a full or closed sink.
    func append(packet: UnsafeRawBufferPointer, afterGapOfSamples gap: Int) throws(MediaError)

    /// Brings the file up to date before a pause, for readers and in case that the process is killed.
    ///
    /// - Throws: ``MediaError`` with code `inputOutput`.
    func flush() throws(MediaError)

    /// Writes the remaining data; later calls do nothing.
    ///
    /// - Throws: ``MediaError`` with code `inputOutput` or `codec`.
    func close() throws(MediaError)
}

extension AudioFrameSink {
    /// Does nothing.
    public func flush() throws(MediaError) {}
}

extension AudioFrameSink {
    /// Appends samples.
    ///
    /// - Parameter samples: Any number of samples at 48 kHz, mono.
    /// - Throws: ``MediaError`` with code `inputOutput`, `codec`, or `invalidArgument` for a full or closed sink.
    public func append(_ samples: [Int16]) throws(MediaError) {
        let result = samples.withUnsafeBufferPointer { samples in
            Result { () throws(MediaError) in try append(samples) }
        }
        try result.get()
    }
}

/// Opens a sink, chosen by the extension of its path; an existing file is truncated.
///
/// - Parameter path: A `.wav` file, an `.ogg` or `.opus` file, or `-` for raw 48 kHz 16-bit mono on standard output.
/// - Returns: An empty sink.
/// - Throws: ``MediaError`` naming the file: `inputOutput`, or `unsupportedFormat` for an unknown extension.
public func openAudioSink(_ path: String) throws(MediaError) -> any AudioFrameSink {
    switch AudioFileKind(path) {
    case .standardStream: RawAudioSink(descriptor: 1, name: "standard output")
    case .wav: try WAVSink(path: path)
    case .ogg: try OggOpusSink(path: path)
    case nil: throw AudioFileKind.unknownEnding(path)
    }
}

/// A sink that writes a WAV file.
public final class WAVSink: AudioFrameSink {
    private var writer: WAVWriter
    private var packets = PacketDecoder()

    /// Creates the file.
    ///
    /// - Parameter path: The file's path.
    /// - Throws: ``MediaError`` with code `inputOutput` naming the file.
    public init(path: String) throws(MediaError) {
        writer = try WAVWriter(path: path)
    }

    /// Always false: packets are decoded.
    public var storesPackets: Bool { false }

    /// Appends samples.
    ///
    /// - Parameter samples: Any number of samples at 48 kHz, mono.
    /// - Throws: ``MediaError`` with code `inputOutput`, or `invalidArgument` once the file is full (about 12 hours).
    public func append(_ samples: UnsafeBufferPointer<Int16>) throws(MediaError) {
        try writer.append(samples)
    }

    /// Decodes and appends a packet, concealing the gap before it.
    ///
    /// - Parameters:
    ///   - packet: A whole Opus packet.
    ///   - gap: The number of samples at 48 kHz that are missing before the packet.
    /// - Throws: ``MediaError`` with code `inputOutput` or `codec`, or `invalidArgument` once the file is full.
    public func append(packet: UnsafeRawBufferPointer, afterGapOfSamples gap: Int) throws(MediaError) {
        try writer.append(try packets.decode(packet, afterGapOfSamples: gap))
    }

    /// Writes the header for the samples so far.
    ///
    /// - Throws: ``MediaError`` with code `inputOutput`.
    public func flush() throws(MediaError) {
        try writer.flush()
    }

    /// Writes the final header.
    ///
    /// - Throws: ``MediaError`` with code `inputOutput`.
    public func close() throws(MediaError) {
        try writer.close()
    }
}

/// A decoder of a stream of packets with gaps, for sinks that store samples.
struct PacketDecoder: ~Copyable {
    private var decoder: OpusDecoder?

    /// Returns the gap (concealed for 100 ms, then silent) and the packet's samples; empty for data that is not Opus.
    mutating func decode(
        _ packet: UnsafeRawBufferPointer,
        afterGapOfSamples gap: Int
    ) throws(MediaError) -> [Int16] {
        guard OpusPacket.durationInSamples(of: packet) != nil else { return [] }
        if decoder == nil { decoder = try OpusDecoder() }
        let concealed = min(max(0, gap), 4_800) / 120 * 120
        let room = max(0, gap) + OpusDecoder.maximumSampleCount
        var samples = [Int16](repeating: 0, count: room)
        let result = samples.withUnsafeMutableBufferPointer { samples in
            Result { () throws(MediaError) in
                try decoder?.conceal(into: UnsafeMutableBufferPointer(rebasing: samples.prefix(concealed)))
                let target = UnsafeMutableBufferPointer(rebasing: samples.dropFirst(max(0, gap)))
                return try decoder?.decode(packet, into: target) ?? 0
            }
        }
        samples.removeLast(OpusDecoder.maximumSampleCount - (try result.get()))
        return samples
    }
}
