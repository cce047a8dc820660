/// A source that plays an Ogg Opus file: packets that every receiver accepts are returned as they are, others decoded.
///
/// Such packets are mono, of 10, 20, 40 or 60 ms, with no gain to apply. From the first other packet (stereo, 2.5 or
/// 120 ms, another gain) the rest of that stream is returned as samples, mixed down to mono. Packets that are returned
/// whole include the pre-skip, some milliseconds at the start.
public final class OggOpusSource: AudioFrameSource {
    private var reader: OggOpusReader
    private let alwaysDecodes: Bool
    private var decoder: OpusDecoder?
    private var samples: [Int16] = []
    /// A packet that is returned after the samples before it.
    private var waiting: AudioFrame?
    private var isAtEnd = false

    /// Opens the file.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - decoding: True to return samples in any case.
    /// - Throws: ``MediaError`` naming the file: `inputOutput`, `damaged`, or `unsupportedFormat`.
    public init(path: String, decoding: Bool = false) throws(MediaError) {
        reader = try OggOpusReader(path: path)
        alwaysDecodes = decoding
    }

    /// Returns the next packet, or the next 960 samples.
    ///
    /// - Returns: The frame; `nil` at the end.
    /// - Throws: ``MediaError`` with code `inputOutput`, `damaged`, `unsupportedFormat` or `codec`.
    public func nextFrame() throws(MediaError) -> AudioFrame? {
        let wanted = AudioFormat.samplesPerFrame
        while waiting == nil, !isAtEnd, samples.count < wanted {
            guard let packet = try reader.next() else {
                isAtEnd = true
                break
            }
            try take(packet)
        }
        guard samples.isEmpty else {
            var frame = Array(samples.prefix(wanted))
            samples.removeFirst(frame.count)
            frame.append(contentsOf: repeatElement(0, count: wanted - frame.count))
            return .samples(frame)
        }
        defer { waiting = nil }
        return waiting
    }

    private func take(_ packet: OggOpusPacket) throws(MediaError) {
        if packet.beginsStream { decoder = nil }
        if decoder == nil, canForwardUnchanged(packet) {
            waiting = .packet(packet.bytes, durationInSamples: packet.durationInSamples)
            return
        }
        if decoder == nil { decoder = try OpusDecoder(gain: reader.header.gain) }
        guard let decoded = try decoder?.decode(packet.bytes) else { return }
        samples.append(contentsOf: decoded[packet.audible.clamped(to: decoded.indices)])
    }

    private func canForwardUnchanged(_ packet: OggOpusPacket) -> Bool {
        guard !alwaysDecodes, reader.header.gain == 0, reader.header.channels == 1,
            OpusEncoderSettings.FrameDuration(samples: packet.durationInSamples) != nil,
            let parsed = OpusPacket(parsing: packet.bytes.span)
        else { return false }
        return !parsed.isStereo
    }
}
