/// Keeps sound in an Ogg Opus file: packets as they come, samples encoded at 32 kb/s.
public final class OggOpusSink: SoundSink {
    private let writer: OggOpusWriter
    private var encoder: OpusEncoder?
    /// The encoder's delay; `nil` as long as there is nothing of the encoder's in the file.
    private var lookaheadInSamples: Int?
    private var pending: [Int16] = []

    /// Makes the file.
    ///
    /// - Parameter path: The file's path.
    /// - Throws: ``MediaError`` with code `inputOutput` naming the file.
    public init(path: String) throws(MediaError) {
        writer = try OggOpusWriter(path: path)
    }

    /// Packets are stored as they come.
    public var storesPackets: Bool { true }

    /// Encodes and appends sound.
    ///
    /// - Parameter samples: Any number of samples.
    /// - Throws: ``MediaError`` with code `inputOutput` or `codec`.
    public func append(_ samples: UnsafeBufferPointer<Int16>) throws(MediaError) {
        pending.append(contentsOf: samples)
        while pending.count >= AudioFormat.samplesPerFrame { try encodeFrame() }
    }

    /// Stores a packet as it is, after filling the gap before it as RFC 7845 section 4.1 wants.
    ///
    /// - Parameters:
    ///   - packet: A whole Opus packet.
    ///   - gap: Samples missing before it.
    /// - Throws: ``MediaError`` with code `inputOutput`.
    public func append(packet: UnsafeRawBufferPointer, afterGapOfSamples gap: Int) throws(MediaError) {
        guard OpusPacket.durationInSamples(of: packet) != nil else { return }
        try writer.appendGap(ofSamples: gap)
        try writer.append(packet)
    }

    /// Encodes what is left and marks the end of the stream.
    ///
    /// - Throws: ``MediaError`` with code `inputOutput` or `codec`.
    public func close() throws(MediaError) {
        guard let delay = lookaheadInSamples else { return try writer.close() }
        lookaheadInSamples = nil
        // The encoder is behind by its delay: that much more must go in before the last sample comes out.
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
