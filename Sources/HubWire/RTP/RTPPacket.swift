/// The header of an RTP packet (RFC 3550 section 5.1), read; the payload stays where it is.
///
/// Reading allocates nothing: it is done for every packet that the hub takes.
public struct RTPPacket: Hashable, Sendable {
    /// What keeps bytes from being an RTP packet.
    public enum Fault: Error, Hashable, Sendable, CaseIterable {
        /// Fewer bytes than the fixed header has.
        case tooShort
        /// Not version 2.
        case wrongVersion
        /// The contributing sources, or the header extension, go beyond the end.
        case truncatedHeader
        /// The padding's length is 0, or more than there is behind the header.
        case wrongPadding
    }

    /// How many bytes the fixed header has.
    public static let headerSize = 12

    /// Whether a talk spurt begins.
    public var marker: Bool
    /// What the payload is.
    public var payloadType: UInt8
    /// Counts the packets, modulo 65,536.
    public var sequenceNumber: UInt16
    /// When the payload's first sample was taken, in the payload's clock.
    public var timestamp: UInt32
    /// Names the stream.
    public var ssrc: UInt32
    /// How many contributing sources there are: 0 to 15.
    public var contributingSourceCount: Int
    /// Whether there is a header extension (RFC 8285).
    public var hasExtension: Bool
    /// Whether there is padding behind the payload.
    public var hasPadding: Bool
    /// Where the payload lies, without padding; it may be empty.
    public var payloadRange: Range<Int>

    /// Reads the header of a whole packet.
    public init(parsing bytes: Span<UInt8>) throws(Fault) {
        guard bytes.count >= Self.headerSize else { throw .tooShort }
        let first = bytes[0]
        guard first >> 6 == 2 else { throw .wrongVersion }
        let second = bytes[1]
        hasPadding = first & 0x20 != 0
        hasExtension = first & 0x10 != 0
        contributingSourceCount = Int(first & 0x0F)
        marker = second & 0x80 != 0
        payloadType = second & 0x7F
        sequenceNumber = bytes.uint16(at: 2)
        timestamp = bytes.uint32(at: 4)
        ssrc = bytes.uint32(at: 8)
        var start = Self.headerSize + 4 * contributingSourceCount
        if hasExtension {
            guard bytes.count >= start + 4 else { throw .truncatedHeader }
            start += 4 + 4 * Int(bytes.uint16(at: start + 2))
        }
        guard bytes.count >= start else { throw .truncatedHeader }
        var end = bytes.count
        if hasPadding {
            let padding = Int(bytes[end - 1])
            guard padding > 0, padding <= end - start else { throw .wrongPadding }
            end -= padding
        }
        payloadRange = start..<end
    }

    /// Whether a binary message is RTCP rather than RTP (RFC 5761 section 4), by its second byte.
    public static func isRTCP(secondByte: UInt8) -> Bool {
        (192...223).contains(secondByte)
    }

    /// Appends a packet to `bytes`: version 2, no padding, no header extension.
    ///
    /// - Parameters:
    ///   - marker: whether a talk spurt begins.
    ///   - payloadType: what the payload is; its lower seven bits are taken.
    ///   - sequenceNumber: counts the packets.
    ///   - timestamp: when the payload's first sample was taken.
    ///   - ssrc: names the stream.
    ///   - contributingSources: who is in a mixed stream; the first 15 are taken.
    ///   - payload: the payload.
    ///   - bytes: appended to.
    public static func append(
        marker: Bool = false,
        payloadType: UInt8,
        sequenceNumber: UInt16,
        timestamp: UInt32,
        ssrc: UInt32,
        contributingSources: [UInt32] = [],
        payload: Span<UInt8>,
        to bytes: inout [UInt8]
    ) {
        let sources = contributingSources.prefix(15)
        bytes.reserveCapacity(bytes.count + headerSize + 4 * sources.count + payload.count)
        bytes.append(0x80 | UInt8(truncatingIfNeeded: sources.count))
        bytes.append((marker ? 0x80 : 0) | payloadType & 0x7F)
        bytes.append(bigEndian: sequenceNumber)
        bytes.append(bigEndian: timestamp)
        bytes.append(bigEndian: ssrc)
        for source in sources { bytes.append(bigEndian: source) }
        for index in payload.indices { bytes.append(payload[index]) }
    }
}

extension Span<UInt8> {
    /// Two bytes in network order; the caller has checked that they are there.
    func uint16(at index: Int) -> UInt16 {
        UInt16(self[index]) << 8 | UInt16(self[index + 1])
    }

    /// Four bytes in network order; the caller has checked that they are there.
    func uint32(at index: Int) -> UInt32 {
        UInt32(uint16(at: index)) << 16 | UInt32(uint16(at: index + 2))
    }
}

extension [UInt8] {
    mutating func append(bigEndian number: UInt16) {
        append(UInt8(truncatingIfNeeded: number >> 8))
        append(UInt8(truncatingIfNeeded: number))
    }

    mutating func append(bigEndian number: UInt32) {
        append(bigEndian: UInt16(truncatingIfNeeded: number >> 16))
        append(bigEndian: UInt16(truncatingIfNeeded: number))
    }
}
