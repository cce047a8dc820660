/// The sender's and receivers' reports in an RTCP message (RFC 3550 section 6.4); packets of other types are skipped.
public struct RTCPReports: Hashable, Sendable {
    /// The reason why bytes are no RTCP message.
    public enum Fault: Error, Hashable, Sendable, CaseIterable {
        /// Fewer bytes than a packet's header has, or than it says.
        case truncated
        /// Not version 2.
        case wrongVersion
        /// A packet that is no RTCP packet: its type is not in 192 to 223.
        case wrongType
        /// Padding before the last packet, of no or of too great a length, or not of whole words.
        case wrongPadding
    }

    /// The sender information of a sender report.
    public struct SenderInfo: Hashable, Sendable {
        /// The SSRC of the sender.
        public var ssrc: UInt32
        /// The time of the report: NTP's 32 bits of seconds since 1900 and 32 of fraction.
        public var ntpTimestamp: UInt64
        /// The same time in RTP timestamp units.
        public var rtpTimestamp: UInt32
        /// The number of packets sent.
        public var packetCount: UInt32
        /// The number of payload bytes sent.
        public var octetCount: UInt32

        /// Creates sender information.
        public init(ssrc: UInt32, ntpTimestamp: UInt64, rtpTimestamp: UInt32, packetCount: UInt32, octetCount: UInt32) {
            self.ssrc = ssrc
            self.ntpTimestamp = ntpTimestamp
            self.rtpTimestamp = rtpTimestamp
            self.packetCount = packetCount
            self.octetCount = octetCount
        }

        /// The middle 32 bits of the NTP timestamp, which a reception report returns as `lastSenderReport`.
        public var middleOfNTPTimestamp: UInt32 { UInt32(truncatingIfNeeded: ntpTimestamp >> 16) }
    }

    /// The last sender report's sender information.
    public var sender: SenderInfo?
    /// All report blocks, in their order.
    public var reportBlocks: [ReceptionReport]

    /// Parses an RTCP message: one packet, or several (a compound packet); any bytes may be given.
    public init(parsing bytes: Span<UInt8>) throws(Fault) {
        reportBlocks = []
        var start = 0
        repeat {
            guard bytes.count - start >= 4 else { throw .truncated }
            guard bytes[start] >> 6 == 2 else { throw .wrongVersion }
            guard RTPPacket.isRTCP(secondByte: bytes[start + 1]) else { throw .wrongType }
            let end = start + 4 + 4 * Int(bytes.uint16(at: start + 2))
            guard end <= bytes.count else { throw .truncated }
            var contentEnd = end
            if bytes[start] & 0x20 != 0 {
                let padding = Int(bytes[end - 1])
                guard end == bytes.count, padding > 0, padding % 4 == 0, padding <= end - start - 4 else {
                    throw .wrongPadding
                }
                contentEnd -= padding
            }
            try readPacket(bytes, start..<contentEnd)
            start = end
        } while start < bytes.count
    }

    private mutating func readPacket(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(Fault) {
        let count = Int(bytes[range.lowerBound] & 0x1F)
        var next = range.lowerBound + 8
        switch bytes[range.lowerBound + 1] {
        case PacketType.senderReport:
            guard range.upperBound >= next + 20 else { throw .truncated }
            sender = SenderInfo(
                ssrc: bytes.uint32(at: next - 4),
                ntpTimestamp: UInt64(bytes.uint32(at: next)) << 32 | UInt64(bytes.uint32(at: next + 4)),
                rtpTimestamp: bytes.uint32(at: next + 8),
                packetCount: bytes.uint32(at: next + 12),
                octetCount: bytes.uint32(at: next + 16)
            )
            next += 20
        case PacketType.receiverReport:
            break
        default:
            return
        }
        guard range.upperBound >= next + count * ReceptionReport.size else { throw .truncated }
        for _ in 0..<count {
            reportBlocks.append(ReceptionReport(bytes, at: next))
            next += ReceptionReport.size
        }
    }

    /// Appends a receiver report with one report block to `bytes` (RFC 3550 section 6.4.2).
    ///
    /// A packet by itself, without the source description that RFC 3550 requires beside it: RFC 5506 allows that, and a
    /// description would have nothing that the client lacks.
    public static func appendReceiverReport(
        from ssrc: UInt32,
        _ reception: ReceptionReport,
        to bytes: inout [UInt8]
    ) {
        bytes.append(0x80 | 1)
        bytes.append(PacketType.receiverReport)
        bytes.append(bigEndian: 7 as UInt16)
        bytes.append(bigEndian: ssrc)
        reception.append(to: &bytes)
    }

    /// Appends a sender report without report blocks to `bytes` (RFC 3550 section 6.4.1).
    public static func appendSenderReport(_ sender: SenderInfo, to bytes: inout [UInt8]) {
        bytes.append(0x80)
        bytes.append(PacketType.senderReport)
        bytes.append(bigEndian: 6 as UInt16)
        bytes.append(bigEndian: sender.ssrc)
        bytes.append(bigEndian: UInt32(truncatingIfNeeded: sender.ntpTimestamp >> 32))
        bytes.append(bigEndian: UInt32(truncatingIfNeeded: sender.ntpTimestamp))
        bytes.append(bigEndian: sender.rtpTimestamp)
        bytes.append(bigEndian: sender.packetCount)
        bytes.append(bigEndian: sender.octetCount)
    }
}

/// RTCP's packet types (RFC 3550 section 12.1).
private enum PacketType {
    static let senderReport: UInt8 = 200
    static let receiverReport: UInt8 = 201
}
