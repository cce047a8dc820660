/// A loop of Opus packets of 20 ms, encoded once and read by everybody at the same position by the clock.
///
/// Reading a packet copies nothing and allocates nothing. The packets follow on one another across the seam, as they
/// were encoded by an encoder that had the loop's end behind it.
public struct PreparedAudio: Sendable {
    /// The number of packets in the loop, at least 1.
    public var count: Int { offsets.count - 1 }

    /// All packets, one after the other.
    private let bytes: [UInt8]
    /// Where each packet begins in `bytes`, and where the last one ends.
    private let offsets: [Int]

    /// Encodes a loop.
    ///
    /// - Parameters:
    ///   - loop: Samples at 48 kHz; a whole number of frames of 960, at least one, whose end goes on at its beginning.
    ///   - settings: How it is encoded; the frame duration is 20 ms in any case.
    /// - Throws: ``MediaError`` with code `invalidArgument` for another length, or what the encoder says.
    public init(loop: [Int16], settings: OpusEncoderSettings = OpusEncoderSettings()) throws(MediaError) {
        let frame = AudioFormat.samplesPerFrame
        guard !loop.isEmpty, loop.count % frame == 0 else {
            throw MediaError(.invalidArgument, "a loop has \(loop.count) samples; it must have a multiple of \(frame)")
        }
        var settings = settings
        settings.frameDuration = .milliseconds20
        settings.usesDiscontinuousTransmission = false
        var encoder = try OpusEncoder(settings)
        // Going through the end first puts the encoder into the state in which it comes round to the beginning.
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

    /// Gives the packet that is due at some time, the same for everybody.
    ///
    /// - Parameter nanoseconds: The time on any clock that all listeners share; it may be negative.
    /// - Returns: The packet's index, 0 up to ``count``.
    public func index(atNanoseconds nanoseconds: Int64) -> Int {
        let (frames, rest) = nanoseconds.quotientAndRemainder(dividingBy: AudioFormat.nanosecondsPerFrame)
        let place = (rest < 0 ? frames - 1 : frames) % Int64(count)
        return Int(place < 0 ? place + Int64(count) : place)
    }

    /// Reads a packet in place.
    ///
    /// - Parameters:
    ///   - index: Any number; it counts on round the loop.
    ///   - body: Is given the packet's bytes, which are valid until it returns.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public func withPacket<Result>(at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
    {
        let place = index % count
        let index = place < 0 ? place + count : place
        return try bytes.withUnsafeBytes { bytes in
            try body(UnsafeRawBufferPointer(rebasing: bytes[offsets[index]..<offsets[index + 1]]))
        }
    }

    /// The memory of the packets, in bytes.
    public var byteCount: Int { bytes.count }

    /// More makes the encoder's state at the seam more exact, and preparing slower.
    private static let framesOfLeadIn = 50
}

extension PreparedAudio {
    /// Encodes a tone for `generic:tone`: one second of 440 Hz, which is a whole number of cycles.
    ///
    /// - Returns: A loop of 50 packets.
    /// - Throws: ``MediaError`` if libopus refuses.
    public static func tone() throws(MediaError) -> PreparedAudio {
        var tone = Tone(hertz: 440)
        return try PreparedAudio(loop: tone.next(AudioFormat.samplesPerSecond))
    }

    /// Encodes the hold music for `generic:music`.
    ///
    /// - Returns: A loop of 640 packets, some 50 kB; making it takes a fraction of a second, so do it once.
    /// - Throws: ``MediaError`` if libopus refuses.
    public static func holdMusic() throws(MediaError) -> PreparedAudio {
        var settings = OpusEncoderSettings()
        settings.application = .audio
        settings.bitsPerSecond = 32_000
        return try PreparedAudio(loop: HoldMusic.loop(), settings: settings)
    }
}
