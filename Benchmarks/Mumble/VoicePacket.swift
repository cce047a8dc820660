/// A client's voice through Mumble's TCP tunnel: frames of 20 ms with 80 bytes of Opus each, as in `AudioFrame`.
///
/// The first bytes of the Opus packet carry the time of sending.
struct VoicePacket {
    /// Opus, to the other users of the channel.
    private static let head: UInt8 = 4 << 5
    private static let opusLength = 80
    /// The offset of the time of sending in the Opus packet: behind its first byte.
    private static let timeOffset = 1
    private static let opus: [UInt8] = [0x78] + (1..<opusLength).map { UInt8($0) }

    private var sequence: UInt64 = 0

    /// Returns the message with the next packet, sent at `time`, in nanoseconds of the monotonic clock.
    mutating func next(sentAt time: UInt64) -> [UInt8] {
        sequence += 2  // Mumble counts in frames of 10 ms.
        var body = [Self.head]
        body.reserveCapacity(Self.opusLength + 8)
        Self.append(sequence % 0x1f_ffff, to: &body)
        Self.append(UInt64(Self.opusLength), to: &body)
        let start = body.count
        body += Self.opus
        withUnsafeBytes(of: time.bigEndian) { bytes in
            body.replaceSubrange((start + Self.timeOffset)..<(start + Self.timeOffset + 8), with: bytes)
        }
        return MumbleMessage.encode(.udpTunnel, body)
    }

    /// Advances the sequence number by one packet that is not sent.
    mutating func skip() {
        sequence += 2
    }

    /// Reads the sender's session and the time of sending from the body of a tunnelled packet; nil for any other body.
    static func read(_ body: UnsafeRawBufferPointer) -> (session: UInt64, sentAt: UInt64)? {
        var rest = body[...]
        guard let first = rest.popFirst(), first >> 5 == head >> 5, let session = number(&rest), number(&rest) != nil,
            let length = number(&rest), length & 0x1fff == opusLength, rest.count >= opusLength
        else { return nil }
        let time = rest.dropFirst(timeOffset).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return (session, time)
    }

    /// Appends a number in Mumble's variable-length encoding, as far as it is needed here: up to 21 bits.
    private static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        switch value {
        case ..<0x80:
            bytes.append(UInt8(value))
        case ..<0x4000:
            bytes += [0x80 | UInt8(value >> 8), UInt8(value & 0xff)]
        default:
            bytes += [0xc0 | UInt8(value >> 16 & 0x1f), UInt8(value >> 8 & 0xff), UInt8(value & 0xff)]
        }
    }

    private static func number(_ rest: inout Slice<UnsafeRawBufferPointer>) -> UInt64? {
        guard let first = rest.popFirst() else { return nil }
        let (more, value): (Int, UInt8) =
            switch first {
            case ..<0x80: (0, first)
            case ..<0xc0: (1, first & 0x3f)
            case ..<0xe0: (2, first & 0x1f)
            default: (3, first & 0x0f)
            }
        guard rest.count >= more else { return nil }
        defer { rest = rest.dropFirst(more) }
        return rest.prefix(more).reduce(UInt64(value)) { $0 << 8 | UInt64($1) }
    }
}
