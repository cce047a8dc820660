/// The parsed header of an RTP packet (RFC 3550 section 5.1); the payload is not copied.
///
/// Parsing allocates nothing, since the hub parses every packet that it receives.
public struct RTPPacket: Hashable, Sendable {
    /// The reason why bytes are no RTP packet.
    public enum Fault: Error, Hashable, Sendable, CaseIterable {
        /// Fewer bytes than the fixed header has.
        case tooShort
        /// Not version 2.
        case wrongVersion
        /// The contributing sources, or the header extension, exceed the packet.
        case truncatedHeader
        /// The padding's length is 0, or exceeds the packet's length after the header.
        case wrongPadding
    }

    /// The size of the fixed header in bytes.
    public static let headerSize = 12

    /// The marker bit, which is set at the begin of a talk spurt.
    public var marker: Bool
    /// The payload type, 0 to 127.
    public var payloadType: UInt8
    /// The sequence number, which counts packets modulo 65,536.
    public var sequenceNumber: UInt16
    /// The sampling instant of the payload's first sample, in timestamp units.
    public var timestamp: UInt32
    /// The synchronization source, which identifies the stream.
    public var ssrc: UInt32
    /// The number of contributing sources, 0 to 15.
    public var contributingSourceCount: Int
    /// Indicates that there is a header extension (RFC 8285).
    public var hasExtension: Bool
    /// Indicates that there is padding after the payload.
    public var hasPadding: Bool
    /// The range of the payload in the packet, without padding; it may be empty.
    public var payloadRange: Range<Int>

    /// Parses the header of a whole packet.
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

    /// Indicates that a binary message is RTCP rather than RTP (RFC 5761 section 4), by its second byte.
    public static func isRTCP(secondByte: UInt8) -> Bool {
        (192...223).contains(secondByte)
    }

    /// Appends a packet to `bytes`: version 2, no padding.
    ///
    /// - Parameters:
    ///   - marker: The marker bit, set at the begin of a talk spurt.
    ///   - payloadType: The payload type, 0 to 127; only the lower seven bits are used.
    ///   - sequenceNumber: The sequence number of the packet.
    ///   - timestamp: The sampling instant of the payload's first sample, in timestamp units.
    ///   - ssrc: The synchronization source of the stream.
    ///   - contributingSources: The SSRCs of the sources in a mixed stream; only the first 15 are used.
    ///   - levels: The audio levels of these sources, in their order, as an element of RFC 6465; empty: none.
    ///   - payload: The bytes of the payload.
    ///   - bytes: The bytes that the packet is appended to.
    public static func append(
        marker: Bool = false,
        payloadType: UInt8,
        sequenceNumber: UInt16,
        timestamp: UInt32,
        ssrc: UInt32,
        contributingSources: [UInt32] = [],
        levels: [AudioLevel] = [],
        payload: Span<UInt8>,
        to bytes: inout [UInt8]
    ) {
        let sources = contributingSources.prefix(15)
        bytes.reserveCapacity(bytes.count + headerSize + 4 * sources.count + 24 + payload.count)
        bytes.append((levels.isEmpty ? 0x80 : 0x90) | UInt8(truncatingIfNeeded: sources.count))
        bytes.append((marker ? 0x80 : 0) | payloadType & 0x7F)
        bytes.append(bigEndian: sequenceNumber)
        bytes.append(bigEndian: timestamp)
        bytes.append(bigEndian: ssrc)
        for source in sources { bytes.append(bigEndian: source) }
        if !levels.isEmpty { AudioLevel.appendExtension(levels, to: &bytes) }
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
