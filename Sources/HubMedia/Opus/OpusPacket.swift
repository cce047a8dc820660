/// The outer shape of an Opus packet: what can be said of it without decoding (RFC 6716 section 3).
///
/// A value of this type exists only for a packet that keeps the rules R1 to R7 of section 3.4, so that every decoder
/// takes it. Parsing reads the few bytes of the headers, allocates nothing and never traps; it is what the relay calls
/// for each packet.
public struct OpusPacket: Sendable, Equatable {
    /// The coding of the frames, which decides what a decoder can do with them (RFC 6716 section 3.1, table 2).
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

    /// The byte at which the first frame begins; equal to the packet's length where that frame is empty and last.
    public let firstFrameOffset: Int

    /// The length of the first frame in bytes, 0 to 1275; 0 and 1 mean that there is nothing to decode.
    public let firstFrameByteCount: Int

    /// The longest time a packet may hold: 120 ms in samples at 48 kHz (RFC 6716 rule R5).
    public static let longestDurationInSamples = 5_760

    /// The largest frame in bytes (RFC 6716 rule R2).
    public static let largestFrameByteCount = 1_275

    /// Reads the headers of a packet; `nil` where a rule of RFC 6716 section 3.4 is broken, as for an empty packet.
    ///
    /// - Parameter bytes: The whole packet and nothing else, as it stands in one RTP payload.
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

    /// Tells how much sound a packet holds, if it is a valid Opus packet at all.
    ///
    /// - Parameter bytes: The whole packet.
    /// - Returns: Samples at 48 kHz, 120 (2.5 ms) to 5760 (120 ms); `nil` for what is not Opus.
    public static func durationInSamples(of bytes: Span<UInt8>) -> Int? {
        OpusPacket(parsing: bytes)?.durationInSamples
    }

    /// Tells how much sound a packet holds, if it is a valid Opus packet at all.
    ///
    /// - Parameter bytes: The whole packet.
    /// - Returns: Samples at 48 kHz, 120 (2.5 ms) to 5760 (120 ms); `nil` for what is not Opus.
    public static func durationInSamples(of bytes: UnsafeRawBufferPointer) -> Int? {
        durationInSamples(of: bytes.bindMemory(to: UInt8.self).span)
    }

    /// The sound in the packet, in samples at 48 kHz, 120 to 5760.
    public var durationInSamples: Int { frameCount * samplesPerFrame }

    /// The sound in one of its frames, in samples at 48 kHz: 120, 240, 480, 960, 1920 or 2880.
    public var samplesPerFrame: Int { Self.samplesPerFrame(of: tableOfContents) }

    /// Whether the frames hold two channels; a mono decoder mixes them down.
    public var isStereo: Bool { tableOfContents & 0x04 != 0 }

    /// The coding of the frames.
    public var mode: Mode {
        switch tableOfContents >> 3 {
        case 0..<12: .silk
        case 12..<16: .hybrid
        default: .celt
        }
    }

    /// Whether the packet asks for concealment or comfort noise: its first frame has no content (RFC 6716 section 2.1.9).
    public var isDiscontinuous: Bool { firstFrameByteCount <= 1 }

    /// Whether the packet carries a copy of the frame before, for a decoder that lost it (RFC 6716 section 4.2.4).
    ///
    /// - Parameter bytes: The packet from which this value was parsed.
    /// - Returns: `true` if the first frame has a low-bit-rate redundancy flag set.
    public func hasErrorCorrection(in bytes: Span<UInt8>) -> Bool {
        guard mode != .celt, firstFrameByteCount > 1, firstFrameOffset < bytes.count else { return false }
        // The header bits of the linear-prediction layer: per channel one voice flag for each 20 ms, then the flag.
        let voiceFlags = max(1, samplesPerFrame / 960)
        let header = bytes[firstFrameOffset]
        let middle = header >> (7 - voiceFlags) & 1
        let side = isStereo ? header >> (6 - 2 * voiceFlags) & 1 : 0
        return middle | side != 0
    }

    /// Gives the length of a frame from the configuration number (RFC 6716 section 3.1, table 2).
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
