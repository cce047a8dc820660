/// The layout of the frames in an Opus packet; each initialiser parses one frame count code (RFC 6716 section 3.2).
struct FrameLayout {
    /// The number of frames, 1 to 48.
    let count: Int

    /// The offset of the first frame in bytes.
    let firstOffset: Int

    /// The length of the first frame in bytes.
    let firstByteCount: Int

    /// Parses code 0: one frame fills the packet (section 3.2.2).
    init?(oneFrameOf byteCount: Int) {
        guard byteCount <= OpusPacket.maximumFrameByteCount else { return nil }  // R2
        count = 1
        firstOffset = 1
        firstByteCount = byteCount
    }

    /// Parses code 1: two frames of one length (section 3.2.3).
    init?(twoEqualFramesIn byteCount: Int) {
        guard byteCount % 2 == 0, byteCount / 2 <= OpusPacket.maximumFrameByteCount else { return nil }  // R3, R2
        count = 2
        firstOffset = 1
        firstByteCount = byteCount / 2
    }

    /// Parses code 2: two frames, the first preceded by its length (section 3.2.4).
    init?(twoFramesIn bytes: Span<UInt8>) {
        guard let first = FrameLength(in: bytes, at: 1) else { return nil }  // R4
        let last = bytes.count - first.end - first.value
        guard last >= 0, last <= OpusPacket.maximumFrameByteCount else { return nil }
        count = 2
        firstOffset = first.end
        firstByteCount = first.value
    }

    /// Parses code 3: a count byte, optional padding, then frames of one length or of given lengths (section 3.2.5).
    init?(manyFramesIn bytes: Span<UInt8>, samplesPerFrame: Int) {
        guard bytes.count >= 2 else { return nil }  // R6, R7
        let countByte = bytes[1]
        let count = Int(countByte & 0x3F)
        guard count >= 1, count * samplesPerFrame <= OpusPacket.maximumDurationInSamples else { return nil }  // R5

        var start = 2
        var end = bytes.count
        if countByte & 0x40 != 0 {
            guard let padding = Self.padding(in: bytes, from: &start) else { return nil }
            end -= padding
            guard start <= end else { return nil }
        }

        if countByte & 0x80 == 0 {
            let (length, rest) = (end - start).quotientAndRemainder(dividingBy: count)
            guard rest == 0, length <= OpusPacket.maximumFrameByteCount else { return nil }  // R6
            firstByteCount = length
        } else {
            var sum = 0
            var first: Int?
            for _ in 1..<count {
                guard let length = FrameLength(in: bytes, at: start, before: end) else { return nil }  // R7
                start = length.end
                sum += length.value
                if first == nil { first = length.value }
            }
            let last = end - start - sum
            guard last >= 0, last <= OpusPacket.maximumFrameByteCount else { return nil }
            firstByteCount = first ?? last
        }
        self.count = count
        firstOffset = start
    }

    /// Reads the padding length: 255 means 254 bytes and another length byte (section 3.2.5).
    private static func padding(in bytes: Span<UInt8>, from start: inout Int) -> Int? {
        var padding = 0
        while start < bytes.count {
            let length = bytes[start]
            start += 1
            guard length == 255 else { return padding + Int(length) }
            padding += 254
        }
        return nil
    }
}

/// The length of one frame, coded in one or two bytes (RFC 6716 section 3.2.1).
private struct FrameLength {
    /// The length in bytes, 0 to 1275.
    let value: Int

    /// The offset of the byte after the length.
    let end: Int

    init?(in bytes: Span<UInt8>, at start: Int, before limit: Int? = nil) {
        let limit = min(limit ?? bytes.count, bytes.count)
        guard start < limit else { return nil }
        let first = Int(bytes[start])
        guard first >= 252 else {
            value = first
            end = start + 1
            return
        }
        guard start + 1 < limit else { return nil }
        value = first + 4 * Int(bytes[start + 1])
        end = start + 2
    }
}
