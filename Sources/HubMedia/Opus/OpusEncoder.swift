import COpus

/// An Opus encoder for 48 kHz mono, owned by one caller at a time.
///
/// It may be moved to another thread, but only one may use it at a time, which its being noncopyable ensures.
/// Encoding into a caller's buffer allocates nothing.
public struct OpusEncoder: ~Copyable, @unchecked Sendable {
    /// The buffer size that is enough for any packet, in bytes (libopus recommends 4000).
    public static let maximumPacketByteCount = 4_000

    /// The number of samples at 48 kHz that each call must supply.
    public private(set) var samplesPerPacket: Int

    /// The encoder's delay in samples at 48 kHz: the pre-skip of a file (RFC 7845 section 5.1).
    public let lookaheadInSamples: Int

    private let handle: OpaquePointer

    /// Creates an encoder.
    ///
    /// - Parameter settings: The application, bit rate, complexity, frame duration, DTX and FEC.
    /// - Throws: ``MediaError`` with code `invalidArgument` for a value out of range, or `codec`.
    public init(_ settings: OpusEncoderSettings = OpusEncoderSettings()) throws(MediaError) {
        try Self.check(settings.bitsPerSecond, in: 6_000...510_000, name: "the bit rate", unit: " bits a second")
        try Self.check(settings.complexity, in: 0...10, name: "the complexity", unit: "")
        try Self.check(settings.expectedLossPercent, in: 0...100, name: "the expected loss", unit: " per cent")
        let application =
            switch settings.application {
            case .voice: OPUS_APPLICATION_VOIP
            case .audio: OPUS_APPLICATION_AUDIO
            case .lowDelay: OPUS_APPLICATION_RESTRICTED_LOWDELAY
            }
        var status = OPUS_OK
        let made = opus_encoder_create(Int32(AudioFormat.samplesPerSecond), 1, application, &status)
        guard let made else { throw MediaError.opus("make an encoder", status) }

        var lookahead: opus_int32 = 0
        let fec = settings.expectedLossPercent > 0
        let results = [
            hub_opus_encoder_set_bitrate(made, Int32(settings.bitsPerSecond)),
            hub_opus_encoder_set_complexity(made, Int32(settings.complexity)),
            hub_opus_encoder_set_dtx(made, settings.usesDiscontinuousTransmission ? 1 : 0),
            hub_opus_encoder_set_inband_fec(made, fec ? 1 : 0),
            hub_opus_encoder_set_packet_loss_percent(made, Int32(settings.expectedLossPercent)),
            hub_opus_encoder_get_lookahead(made, &lookahead),
        ]
        if let refusal = results.first(where: { $0 != OPUS_OK }) {
            opus_encoder_destroy(made)
            throw MediaError.opus("take the encoder's settings", refusal)
        }
        handle = made
        samplesPerPacket = settings.frameDuration.samples
        lookaheadInSamples = Int(lookahead)
    }

    deinit {
        opus_encoder_destroy(handle)
    }

    /// Encodes one packet into the caller's buffer, without allocating.
    ///
    /// - Parameters:
    ///   - samples: Exactly ``samplesPerPacket`` samples.
    ///   - packet: The output buffer; ``maximumPacketByteCount`` bytes are always enough.
    /// - Returns: The packet's length in bytes; with discontinuous transmission, 1 or 2 need not be sent.
    /// - Throws: ``MediaError`` with code `invalidArgument` for another number of samples or an empty buffer, or
    ///   `codec`.
    public mutating func encode(
        _ samples: UnsafeBufferPointer<Int16>,
        into packet: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> Int {
        try checkCount(samples.count)
        let bytes = packet.bindMemory(to: UInt8.self)
        let room = opus_int32(clamping: bytes.count)
        guard let source = samples.baseAddress, let target = bytes.baseAddress else { throw .emptyPacketBuffer }
        return try Self.length(opus_encode(handle, source, Int32(samples.count), target, room))
    }

    /// Encodes one packet of floating-point samples into the caller's buffer, without allocating.
    ///
    /// - Parameters:
    ///   - samples: Exactly ``samplesPerPacket`` samples, full scale being -1 to 1.
    ///   - packet: The output buffer; ``maximumPacketByteCount`` bytes are always enough.
    /// - Returns: The packet's length in bytes; with discontinuous transmission, 1 or 2 need not be sent.
    /// - Throws: ``MediaError`` with code `invalidArgument` for another number of samples or an empty buffer, or
    ///   `codec`.
    public mutating func encode(
        _ samples: UnsafeBufferPointer<Float>,
        into packet: UnsafeMutableRawBufferPointer
    ) throws(MediaError) -> Int {
        try checkCount(samples.count)
        let bytes = packet.bindMemory(to: UInt8.self)
        let room = opus_int32(clamping: bytes.count)
        guard let source = samples.baseAddress, let target = bytes.baseAddress else { throw .emptyPacketBuffer }
        return try Self.length(opus_encode_float(handle, source, Int32(samples.count), target, room))
    }

    /// Encodes one packet into a new array.
    ///
    /// - Parameter samples: Exactly ``samplesPerPacket`` samples.
    /// - Returns: The packet; with discontinuous transmission, one of 1 or 2 bytes need not be sent.
    /// - Throws: ``MediaError`` with code `invalidArgument` for another number of samples, or `codec`.
    public mutating func encode(_ samples: [Int16]) throws(MediaError) -> [UInt8] {
        var packet = [UInt8](repeating: 0, count: Self.maximumPacketByteCount)
        let length: Int
        do {
            length = try samples.withUnsafeBufferPointer { source in
                try packet.withUnsafeMutableBytes { try encode(source, into: $0) }
            }
        } catch let error as MediaError {
            throw error
        } catch {
            throw MediaError(.codec, "the encoder failed: \(error)")
        }
        return Array(packet.prefix(length))
    }

    /// Changes the bit rate, from the next packet on.
    ///
    /// - Parameter bitsPerSecond: The bit rate in bits per second, 6,000 to 510,000.
    /// - Throws: ``MediaError`` with code `invalidArgument` for a value out of range, or `codec`.
    public mutating func setBitsPerSecond(_ bitsPerSecond: Int) throws(MediaError) {
        try Self.check(bitsPerSecond, in: 6_000...510_000, name: "the bit rate", unit: " bits a second")
        let status = hub_opus_encoder_set_bitrate(handle, Int32(bitsPerSecond))
        guard status == OPUS_OK else { throw MediaError.opus("change the bit rate", status) }
    }

    /// Changes the expected packet loss, to which in-band FEC adapts, from the next packet on.
    ///
    /// - Parameter percent: The expected loss in per cent, 0 (no FEC) to 100.
    /// - Throws: ``MediaError`` with code `invalidArgument` for a value out of range, or `codec`.
    public mutating func setExpectedLossPercent(_ percent: Int) throws(MediaError) {
        try Self.check(percent, in: 0...100, name: "the expected loss", unit: " per cent")
        let switched = hub_opus_encoder_set_inband_fec(handle, percent > 0 ? 1 : 0)
        guard switched == OPUS_OK else { throw MediaError.opus("switch error correction", switched) }
        let status = hub_opus_encoder_set_packet_loss_percent(handle, Int32(percent))
        guard status == OPUS_OK else { throw MediaError.opus("change the expected loss", status) }
    }

    /// Changes the duration of the packets, from the next packet on.
    ///
    /// - Parameter duration: The duration of each packet.
    public mutating func setFrameDuration(_ duration: OpusEncoderSettings.FrameDuration) {
        samplesPerPacket = duration.samples
    }

    /// Changes the complexity, from the next packet on.
    ///
    /// - Parameter complexity: The complexity, 0 to 10.
    /// - Throws: ``MediaError`` with code `invalidArgument` for a value out of range, or `codec`.
    public mutating func setComplexity(_ complexity: Int) throws(MediaError) {
        try Self.check(complexity, in: 0...10, name: "the complexity", unit: "")
        let status = hub_opus_encoder_set_complexity(handle, Int32(complexity))
        guard status == OPUS_OK else { throw MediaError.opus("change the complexity", status) }
    }

    /// Makes packets independent of those before them, so that a decoder of another stream can continue with them.
    ///
    /// - Parameter isIndependent: True: from the next packet on; false: packets depend on one another again.
    public mutating func setIndependentPackets(_ isIndependent: Bool) {
        _ = hub_opus_encoder_set_prediction_disabled(handle, isIndependent ? 1 : 0)
    }

    /// Copies the state of another encoder, so that a decoder of its packets can continue with those of this one.
    ///
    /// - Parameter other: An encoder; both have the same settings afterwards.
    public mutating func copyState(from other: borrowing OpusEncoder) {
        // libopus documents that a shallow copy of a state suffices (opus.h, Opus Encoder).
        UnsafeMutableRawPointer(handle).copyMemory(
            from: UnsafeRawPointer(other.handle),
            byteCount: Int(opus_encoder_get_size(1))
        )
        samplesPerPacket = other.samplesPerPacket
    }

    /// Resets the encoder's state, for the start of another stream; the settings stay.
    public mutating func reset() {
        _ = hub_opus_encoder_reset(handle)
    }

    private func checkCount(_ count: Int) throws(MediaError) {
        guard count == samplesPerPacket else {
            let right = samplesPerPacket
            throw MediaError(.invalidArgument, "the encoder got \(count) samples; it takes \(right) at a time")
        }
    }

    private static func length(_ result: Int32) throws(MediaError) -> Int {
        guard result > 0 else { throw MediaError.opus("encode", result) }
        return Int(result)
    }

    private static func check(
        _ value: Int,
        in range: ClosedRange<Int>,
        name: String,
        unit: String
    ) throws(MediaError) {
        guard range.contains(value) else {
            throw MediaError(
                .invalidArgument,
                "\(name) is \(value)\(unit); it must be from \(range.lowerBound) to \(range.upperBound)"
            )
        }
    }
}

extension MediaError {
    /// The error for an empty output buffer.
    fileprivate static let emptyPacketBuffer = MediaError(.invalidArgument, "the buffer for the packet is empty")

    /// Creates an error from a return code of libopus.
    static func opus(_ purpose: String, _ status: Int32) -> MediaError {
        let text = opus_strerror(status).map { String(cString: $0) } ?? "unknown error"
        return MediaError(.codec, "the Opus library would not \(purpose): \(text)")
    }
}
