/// The framing of an Opus packet, parsed without decoding (RFC 6716 section 3).
///
/// A value of this type exists only for a packet that satisfies the rules R1 to R7 of section 3.4, so that every
/// decoder accepts it. Parsing reads the few bytes of the headers, allocates nothing and never traps; the relay does it
/// for each packet.
public struct OpusPacket: Sendable, Equatable {
    /// The coding of the frames, which determines the uses of a packet (RFC 6716 section 3.1, table 2).
    public enum Mode: Sendable, Equatable {
        /// Linear prediction, for speech at low rates.
        case silk
        /// Both together, for speech in full bandwidth.
        case hybrid
        /// Transform coding, for music and short frames.
        case celt
    }

    /// The first byte: configuration (5 bits), stereo (1 bit), frame count code (2 bits).
    public let tableOfContents: UInt8

    /// The number of frames, 1 to 48.
    public let frameCount: Int

    /// The offset of the first frame in bytes; equal to the packet's length if that frame is empty and last.
    public let firstFrameOffset: Int

    /// The length of the first frame in bytes, 0 to 1275; with 0 or 1 there is nothing to decode.
    public let firstFrameByteCount: Int

    /// The longest duration of a packet: 120 ms in samples at 48 kHz (RFC 6716 rule R5).
    public static let maximumDurationInSamples = 5_760

    /// The largest frame in bytes (RFC 6716 rule R2).
    public static let maximumFrameByteCount = 1_275

    /// Parses the headers of a packet; `nil` if it violates a rule of RFC 6716 section 3.4, like an empty packet.
    ///
    /// - Parameter bytes: The whole packet and nothing else, as in one RTP payload.
    public init?(parsing bytes: Span<UInt8>) {
        guard bytes.count >= 1 else { return nil }  // R1
        let tableOfContents = bytes[0]
        let frames: FrameLayout?
        switch tableOfContents & 3 {
        case 0: frames = FrameLayout(oneFrameOf: bytes.count - 1)
        case 1: frames = FrameLayout(twoEqualFramesIn: bytes.count - 1)
        case 2: frames = FrameLayout(twoFramesIn: bytes)
        default: frames = FrameLayout(manyFramesIn: bytes, samplesPerFrame: Self.samplesPerFrame(of: tableOfContents))
        }
        guard let frames else { return nil }
        self.tableOfContents = tableOfContents
        frameCount = frames.count
        firstFrameOffset = frames.firstOffset
        firstFrameByteCount = frames.firstByteCount
    }

    /// Returns the duration of a packet, if it is a valid Opus packet.
    ///
    /// - Parameter bytes: The whole packet.
    /// - Returns: The samples at 48 kHz, 120 (2.5 ms) to 5760 (120 ms); `nil` for data that is not Opus.
    public static func durationInSamples(of bytes: Span<UInt8>) -> Int? {
        OpusPacket(parsing: bytes)?.durationInSamples
    }

    /// Returns the duration of a packet, if it is a valid Opus packet.
    ///
    /// - Parameter bytes: The whole packet.
    /// - Returns: The samples at 48 kHz, 120 (2.5 ms) to 5760 (120 ms); `nil` for data that is not Opus.
    public static func durationInSamples(of bytes: UnsafeRawBufferPointer) -> Int? {
        durationInSamples(of: bytes.bindMemory(to: UInt8.self).span)
    }

    /// The duration of the packet, in samples at 48 kHz, 120 to 5760.
    public var durationInSamples: Int { frameCount * samplesPerFrame }

    /// The duration of one of its frames, in samples at 48 kHz: 120, 240, 480, 960, 1920 or 2880.
    public var samplesPerFrame: Int { Self.samplesPerFrame(of: tableOfContents) }

    /// True if the frames hold two channels; a mono decoder mixes them down.
    public var isStereo: Bool { tableOfContents & 0x04 != 0 }

    /// The coding of the frames.
    public var mode: Mode {
        switch tableOfContents >> 3 {
        case 0..<12: .silk
        case 12..<16: .hybrid
        default: .celt
        }
    }

    /// True if the first frame is empty: a request for concealment or comfort noise (RFC 6716 section 2.1.9).
    public var isDiscontinuous: Bool { firstFrameByteCount <= 1 }

    /// Indicates that the packet carries in-band FEC: a copy of the frame before (RFC 6716 section 4.2.4).
    ///
    /// - Parameter bytes: The packet from which this value was parsed.
    /// - Returns: `true` if the first frame has a low-bit-rate redundancy flag set.
    public func hasErrorCorrection(in bytes: Span<UInt8>) -> Bool {
        guard mode != .celt, firstFrameByteCount > 1, firstFrameOffset < bytes.count else { return false }
        // The header bits of the linear-prediction layer: per channel one voice flag for each 20 ms, then the FEC flag.
        let voiceFlags = max(1, samplesPerFrame / 960)
        let header = bytes[firstFrameOffset]
        let middle = header >> (7 - voiceFlags) & 1
        let side = isStereo ? header >> (6 - 2 * voiceFlags) & 1 : 0
        return middle | side != 0
    }

    /// Returns the duration of a frame from the configuration number (RFC 6716 section 3.1, table 2).
    private static func samplesPerFrame(of tableOfContents: UInt8) -> Int {
        let configuration = Int(tableOfContents >> 3)
        switch configuration {
        case 0..<12:
            let step = configuration & 3
            return step == 3 ? 2_880 : 480 << step
        case 12..<16:
            return 480 << (configuration & 1)
        default:
            return 120 << (configuration & 3)
        }
    }
}
