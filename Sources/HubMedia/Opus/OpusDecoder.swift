import COpus

/// An Opus decoder with mono output, 48 kHz by default, owned by one caller at a time.
///
/// It may be moved to another thread, but only one may use it at a time, which its being noncopyable ensures. Decoding
/// into a caller's buffer allocates nothing. Stereo packets are mixed down to mono.
public struct OpusDecoder: ~Copyable, @unchecked Sendable {
    /// The buffer size that is enough for any packet, in samples (120 ms at 48 kHz).
    public static let maximumSampleCount = OpusPacket.maximumDurationInSamples

    private let handle: OpaquePointer

    /// Creates a mono decoder.
    ///
    /// - Parameters:
    ///   - gain: The gain to apply in 1/256 dB, as in OpusHead (RFC 7845 section 5.1); 0 changes nothing.
    ///   - samplesPerSecond: The output rate in Hz: 48,000, or for less work 8,000, 12,000, 16,000 or 24,000.
    /// - Throws: ``MediaError`` with code `codec` if libopus reports an error.
    public init(gain: Int16 = 0, samplesPerSecond: Int = AudioFormat.samplesPerSecond) throws(MediaError) {
        var status = OPUS_OK
        let made = opus_decoder_create(Int32(clamping: samplesPerSecond), 1, &status)
        guard let made else { throw MediaError.opus("make a decoder", status) }
        if gain != 0 { _ = hub_opus_decoder_set_gain(made, Int32(gain)) }
        handle = made
    }

    deinit {
        opus_decoder_destroy(handle)
    }

    /// Decodes one packet into the caller's buffer, without allocating.
    ///
    /// - Parameters:
    ///   - packet: One whole Opus packet; other data is refused and leaves the decoder unchanged.
    ///   - samples: The output buffer; ``maximumSampleCount`` samples are always enough.
    /// - Returns: The number of samples written.
    /// - Throws: ``MediaError`` with code `codec` for a packet that is empty, not valid, or longer than the buffer.
    public mutating func decode(
        _ packet: UnsafeRawBufferPointer,
        into samples: UnsafeMutableBufferPointer<Int16>
    ) throws(MediaError) -> Int {
        try run(packet, into: samples, decodingFEC: false)
    }

    /// Decodes the in-band FEC copy of the *lost packet before* this one, or conceals the loss if there is none.
    ///
    /// Call it before this packet itself is decoded (RFC 6716 section 2.1.7).
    ///
    /// - Parameters:
    ///   - packet: The first packet after the loss.
    ///   - samples: Filled completely; its count is the length of the loss, a multiple of 120 samples up to 5760.
    /// - Throws: ``MediaError`` with code `codec` for a packet that is not valid or a length that is not allowed.
    public mutating func decodeLost(
        before packet: UnsafeRawBufferPointer,
        into samples: UnsafeMutableBufferPointer<Int16>
    ) throws(MediaError) {
        _ = try run(packet, into: samples, decodingFEC: true)
    }

    /// Continues the last audio with synthetic audio that fades out (packet loss concealment).
    ///
    /// - Parameter samples: Filled completely; its count must be a multiple of 120 (2.5 ms), up to 5760.
    /// - Throws: ``MediaError`` with code `codec` for a length that is not allowed.
    public mutating func conceal(into samples: UnsafeMutableBufferPointer<Int16>) throws(MediaError) {
        guard !samples.isEmpty, let target = samples.baseAddress else { return }
        let result = opus_decode(handle, nil, 0, target, Int32(clamping: samples.count), 0)
        guard result == samples.count else { throw MediaError.opus("conceal \(samples.count) samples", result) }
    }

    /// Decodes one packet into a new array.
    ///
    /// - Parameter packet: One whole Opus packet.
    /// - Returns: 120 to 5760 samples.
    /// - Throws: ``MediaError`` with code `codec` for a packet that is empty or not valid.
    public mutating func decode(_ packet: [UInt8]) throws(MediaError) -> [Int16] {
        var samples = [Int16](repeating: 0, count: Self.maximumSampleCount)
        let count: Int
        do {
            count = try packet.withUnsafeBytes { source in
                try samples.withUnsafeMutableBufferPointer { try decode(source, into: $0) }
            }
        } catch let error as MediaError {
            throw error
        } catch {
            throw MediaError(.codec, "the decoder failed: \(error)")
        }
        return Array(samples.prefix(count))
    }

    /// Resets the decoder's state, for the start of another stream.
    public mutating func reset() {
        _ = hub_opus_decoder_reset(handle)
    }

    private func run(
        _ packet: UnsafeRawBufferPointer,
        into samples: UnsafeMutableBufferPointer<Int16>,
        decodingFEC: Bool
    ) throws(MediaError) -> Int {
        // libopus treats an empty packet as a lost one, and would conceal it without an error.
        let bytes = packet.bindMemory(to: UInt8.self)
        guard OpusPacket.durationInSamples(of: bytes.span) != nil,
            let source = bytes.baseAddress,
            let target = samples.baseAddress
        else { throw MediaError(.codec, "a packet of \(packet.count) bytes is not Opus (RFC 6716 section 3.4)") }
        let room = Int32(clamping: samples.count)
        let result = opus_decode(handle, source, opus_int32(clamping: bytes.count), target, room, decodingFEC ? 1 : 0)
        guard result > 0 else { throw MediaError.opus("decode a packet of \(packet.count) bytes", result) }
        return Int(result)
    }
}

/// The results of libopus itself for a packet, for tests that compare ``OpusPacket`` with them.
package enum OpusLibrary {
    /// Returns the duration in samples at 48 kHz if `opus_packet_parse` accepts the packet, else `nil`.
    package static func durationInSamples(of bytes: UnsafeRawBufferPointer) -> Int? {
        let bytes = bytes.bindMemory(to: UInt8.self)
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return nil }
        var sizes = [opus_int16](repeating: 0, count: 48)
        let length = opus_int32(clamping: bytes.count)
        guard opus_packet_parse(start, length, nil, nil, &sizes, nil) > 0 else { return nil }
        let samples = opus_packet_get_nb_samples(start, length, Int32(AudioFormat.samplesPerSecond))
        return samples > 0 ? Int(samples) : nil
    }
}
