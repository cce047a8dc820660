/// A sink that writes an Ogg Opus file: packets are stored unchanged, samples are encoded at 32 kb/s.
public final class OggOpusSink: AudioFrameSink {
    private let writer: OggOpusWriter
    private var encoder: OpusEncoder?
    /// The encoder's delay in samples; `nil` while the file contains nothing from the encoder.
    private var lookaheadInSamples: Int?
    private var pending: [Int16] = []

    /// Creates the file.
    ///
    /// - Parameter path: The file's path.
    /// - Throws: ``MediaError`` with code `inputOutput` naming the file.
    public init(path: String) throws(MediaError) {
        writer = try OggOpusWriter(path: path)
    }

    /// Always true: packets are stored unchanged.
    public var storesPackets: Bool { true }

    /// Encodes and appends samples.
    ///
    /// - Parameter samples: Any number of samples at 48 kHz, mono.
    /// - Throws: ``MediaError`` with code `inputOutput` or `codec`.
    public func append(_ samples: UnsafeBufferPointer<Int16>) throws(MediaError) {
        pending.append(contentsOf: samples)
        while pending.count >= AudioFormat.samplesPerFrame { try encodeFrame() }
    }

    /// Stores a packet unchanged, after filling the gap before it (RFC 7845 section 4.1).
    ///
    /// - Parameters:
    ///   - packet: A whole Opus packet.
    ///   - gap: The number of samples at 48 kHz that are missing before the packet.
    /// - Throws: ``MediaError`` with code `inputOutput`.
    public func append(packet: UnsafeRawBufferPointer, afterGapOfSamples gap: Int) throws(MediaError) {
        guard OpusPacket.durationInSamples(of: packet) != nil else { return }
        try writer.appendGap(ofSamples: gap)
        try writer.append(packet)
    }

    /// Encodes the remaining samples and marks the end of the stream.
    ///
    /// - Throws: ``MediaError`` with code `inputOutput` or `codec`.
    public func close() throws(MediaError) {
        guard let delay = lookaheadInSamples else { return try writer.close() }
        lookaheadInSamples = nil
        // The encoder's output is late by its delay: as many more samples must go in before the last one comes out.
        let sampleCount = pending.count
        let missing = sampleCount + delay
        let frames = (missing + AudioFormat.samplesPerFrame - 1) / AudioFormat.samplesPerFrame
        let padded = frames * AudioFormat.samplesPerFrame
        pending.append(contentsOf: repeatElement(0, count: padded - sampleCount))
        while !pending.isEmpty { try encodeFrame() }
        try writer.close(trimmingSamples: padded - missing)
    }

    private func encodeFrame() throws(MediaError) {
        if encoder == nil {
            var settings = OpusEncoderSettings()
            settings.bitsPerSecond = 32_000
            let made = try OpusEncoder(settings)
            lookaheadInSamples = made.lookaheadInSamples
            encoder = consume made
        }
        let frame = Array(pending.prefix(AudioFormat.samplesPerFrame))
        pending.removeFirst(frame.count)
        guard let packet = try encoder?.encode(frame) else { return }
        let result = packet.withUnsafeBytes { packet in
            Result { () throws(MediaError) in try writer.append(packet) }
        }
        _ = try result.get()
    }
}
