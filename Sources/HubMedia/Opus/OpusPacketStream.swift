/// An Opus packet ready to be sent, with the time it fills.
public struct TimedOpusPacket: Sendable, Equatable {
    /// The packet; empty where discontinuous transmission has nothing to send.
    public let bytes: [UInt8]

    /// The samples at 48 kHz by which the RTP timestamp advances and the sender's clock goes on.
    public let durationInSamples: Int
}

/// Makes any source a stream of Opus packets: samples are encoded, packets are passed on.
///
/// The durations may change within a stream; the receiver reads them from each packet (RFC 7587 section 4.2).
public final class OpusPacketStream {
    private let source: any SoundSource
    private var encoder: OpusEncoder
    private let skipsSilence: Bool
    private var pending: [Int16] = []
    private var waiting: TimedOpusPacket?
    private var isAtEnd = false

    /// Makes a stream at the beginning of a source.
    ///
    /// - Parameters:
    ///   - source: Where the sound comes from; nobody else may read it.
    ///   - settings: How samples are encoded.
    /// - Throws: ``MediaError`` if the settings are outside their ranges.
    public init(_ source: any SoundSource, settings: OpusEncoderSettings = OpusEncoderSettings()) throws(MediaError) {
        self.source = source
        encoder = try OpusEncoder(settings)
        skipsSilence = settings.usesDiscontinuousTransmission
    }

    /// Gives the next packet, to be sent when the ones before have lasted their time.
    ///
    /// - Returns: The packet; `nil` at the end. Its bytes are empty where nothing needs to be sent for that time.
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

    /// Changes the bit rate of what is encoded from here on.
    ///
    /// - Parameter bitsPerSecond: 6,000 to 510,000.
    /// - Throws: ``MediaError`` with code `invalidArgument` for a value outside.
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
