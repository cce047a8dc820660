/// A loop of Opus packets of 20 ms, encoded once and played to all listeners at the same position by the clock.
///
/// Reading a packet copies and allocates nothing. The packets also continue across the seam: the encoder's state at the
/// beginning is that after the loop's end.
public struct PreEncodedAudio: Sendable {
    /// The number of packets in the loop, at least 1.
    public var count: Int { offsets.count - 1 }

    /// All packets, one after the other.
    private let bytes: [UInt8]
    /// The offset of each packet in `bytes`, and the end of the last one.
    private let offsets: [Int]

    /// Encodes a loop.
    ///
    /// - Parameters:
    ///   - loop: Samples at 48 kHz: one or more whole frames of 960, the end of which leads into the beginning.
    ///   - settings: The encoder's settings; the frame duration is always 20 ms, without discontinuous transmission.
    /// - Throws: ``MediaError`` with code `invalidArgument` for another length or settings out of range, or `codec`.
    public init(loop: [Int16], settings: OpusEncoderSettings = OpusEncoderSettings()) throws(MediaError) {
        let frame = AudioFormat.samplesPerFrame
        guard !loop.isEmpty, loop.count % frame == 0 else {
            throw MediaError(.invalidArgument, "a loop has \(loop.count) samples; it must have a multiple of \(frame)")
        }
        var settings = settings
        settings.frameDuration = .milliseconds20
        settings.usesDiscontinuousTransmission = false
        var encoder = try OpusEncoder(settings)
        // Encoding the end first puts the encoder into its state at the seam.
        let leadIn = max(0, loop.count - Self.framesOfLeadIn * frame)
        for start in stride(from: leadIn, to: loop.count, by: frame) {
            _ = try encoder.encode(Array(loop[start..<(start + frame)]))
        }
        var bytes: [UInt8] = []
        var offsets = [0]
        for start in stride(from: 0, to: loop.count, by: frame) {
            bytes += try encoder.encode(Array(loop[start..<(start + frame)]))
            offsets.append(bytes.count)
        }
        self.bytes = bytes
        self.offsets = offsets
    }

    /// Creates a loop of encoded packets.
    ///
    /// - Parameters:
    ///   - bytes: All packets, one after the other.
    ///   - offsets: The offset of each packet, and the end of the last one.
    init(bytes: [UInt8], offsets: [Int]) {
        self.bytes = bytes
        self.offsets = offsets
    }

    /// Returns the index of the packet that is due at a time, the same for all listeners.
    ///
    /// - Parameter nanoseconds: The time on any clock that all listeners share; it may be negative.
    /// - Returns: The packet's index, at least 0 and below ``count``.
    public func index(atNanoseconds nanoseconds: Int64) -> Int {
        let (frames, rest) = nanoseconds.quotientAndRemainder(dividingBy: AudioFormat.nanosecondsPerFrame)
        let place = (rest < 0 ? frames - 1 : frames) % Int64(count)
        return Int(place < 0 ? place + Int64(count) : place)
    }

    /// Reads a packet in place.
    ///
    /// - Parameters:
    ///   - index: Any number; it is taken modulo ``count``.
    ///   - body: The function that receives the packet's bytes, which are valid until it returns.
    /// - Returns: The result of `body`.
    /// - Throws: Any error of `body`.
    public func withPacket<Result>(at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
    {
        let place = index % count
        let index = place < 0 ? place + count : place
        return try bytes.withUnsafeBytes { bytes in
            try body(UnsafeRawBufferPointer(rebasing: bytes[offsets[index]..<offsets[index + 1]]))
        }
    }

    /// The memory of the packets and their offsets, in bytes.
    public var byteCount: Int { bytes.count + offsets.count * MemoryLayout<Int>.stride }

    /// More: the encoder's state at the seam is more exact; the preparation takes longer.
    private static let framesOfLeadIn = 50
}

extension PreEncodedAudio {
    /// Creates the loop of `generic:tone`: one second of 440 Hz, which is a whole number of cycles.
    ///
    /// - Returns: A loop of 50 packets.
    /// - Throws: ``MediaError`` with code `codec` if libopus reports an error.
    public static func tone() throws(MediaError) -> PreEncodedAudio {
        var tone = Tone(hertz: 440)
        return try PreEncodedAudio(loop: tone.next(AudioFormat.samplesPerSecond))
    }

    /// Creates the loop of the hold music, `generic:music`.
    ///
    /// - Returns: A loop of 640 packets, some 50 kB; creating it takes a fraction of a second, so do it once.
    /// - Throws: ``MediaError`` with code `codec` if libopus reports an error.
    public static func holdMusic() throws(MediaError) -> PreEncodedAudio {
        var settings = OpusEncoderSettings()
        settings.application = .audio
        settings.bitsPerSecond = 32_000
        return try PreEncodedAudio(loop: HoldMusic.loop(), settings: settings)
    }

    /// Creates the tone for parties on hold: 0.4 s of 440 Hz every ten seconds, quieter than speech, and silence.
    ///
    /// - Returns: A loop of 500 packets.
    /// - Throws: ``MediaError`` with code `codec` if libopus reports an error.
    public static func holdTone() throws(MediaError) -> PreEncodedAudio {
        let (samples, fade) = (AudioFormat.samplesPerSecond * 4 / 10, AudioFormat.samplesPerFrame)
        var tone = Tone(hertz: 440, amplitude: 0.15)
        var loop = tone.next(samples)
        // Without a fade it would click.
        for index in 0..<fade {
            loop[index] = Int16(Int(loop[index]) * index / fade)
            loop[samples - 1 - index] = Int16(Int(loop[samples - 1 - index]) * index / fade)
        }
        loop += [Int16](repeating: 0, count: 10 * AudioFormat.samplesPerSecond - samples)
        var settings = OpusEncoderSettings()
        // Fast, since most of it is silence.
        settings.complexity = 5
        return try PreEncodedAudio(loop: loop, settings: settings)
    }
}
