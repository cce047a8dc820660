/// An Opus packet to send, with its duration.
public struct TimedOpusPacket: Sendable, Equatable {
    /// The packet; empty if discontinuous transmission has nothing to send.
    public let bytes: [UInt8]

    /// The duration in samples at 48 kHz, by which the RTP timestamp and the sender's clock advance.
    public let durationInSamples: Int
}

/// A stream of Opus packets from any source: samples are encoded, packets are returned as they are.
///
/// The durations may change within a stream; the receiver reads them from each packet (RFC 7587 section 4.2).
public final class OpusPacketStream {
    private let source: any AudioFrameSource
    private var encoder: OpusEncoder
    private let skipsSilence: Bool
    private var pending: [Int16] = []
    private var waiting: TimedOpusPacket?
    private var isAtEnd = false

    /// Creates a stream at the beginning of a source.
    ///
    /// - Parameters:
    ///   - source: The source of the audio; only the stream may read it.
    ///   - settings: The encoder's settings for samples.
    /// - Throws: ``MediaError`` with code `invalidArgument` for settings out of range, or `codec`.
    public init(_ source: any AudioFrameSource, settings: OpusEncoderSettings = OpusEncoderSettings())
        throws(MediaError)
    {
        self.source = source
        encoder = try OpusEncoder(settings)
        skipsSilence = settings.usesDiscontinuousTransmission
    }

    /// Returns the next packet, to be sent when the earlier ones have been played.
    ///
    /// - Returns: The packet; `nil` at the end. Its bytes are empty if nothing needs to be sent for its duration.
    /// - Throws: ``MediaError`` from the source or the encoder.
    public func nextPacket() throws(MediaError) -> TimedOpusPacket? {
        while pending.count < encoder.samplesPerPacket, waiting == nil, !isAtEnd {
            switch try source.nextFrame() {
            case .samples(let samples): pending.append(contentsOf: samples)
            case .packet(let bytes, let duration): waiting = TimedOpusPacket(bytes: bytes, durationInSamples: duration)
            case nil: isAtEnd = true
            }
        }
        guard pending.isEmpty else { return try encodePending() }
        defer { waiting = nil }
        return waiting
    }

    /// Changes the bit rate of samples encoded from now on.
    ///
    /// - Parameter bitsPerSecond: The bit rate in bits per second, 6,000 to 510,000.
    /// - Throws: ``MediaError`` with code `invalidArgument` for a value out of range, or `codec`.
    public func setBitsPerSecond(_ bitsPerSecond: Int) throws(MediaError) {
        try encoder.setBitsPerSecond(bitsPerSecond)
    }

    private func encodePending() throws(MediaError) -> TimedOpusPacket {
        let wanted = encoder.samplesPerPacket
        var samples = Array(pending.prefix(wanted))
        pending.removeFirst(samples.count)
        samples.append(contentsOf: repeatElement(0, count: wanted - samples.count))
        let bytes = try encoder.encode(samples)
        let needNotBeSent = skipsSilence && bytes.count <= 2
        return TimedOpusPacket(bytes: needNotBeSent ? [] : bytes, durationInSamples: wanted)
    }
}
