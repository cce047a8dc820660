/// A report block: a receiver's statistics of one source (RFC 3550 section 6.4.1).
public struct ReceptionReport: Hashable, Sendable {
    /// The SSRC of the source.
    public var ssrc: UInt32
    /// The fraction of packets lost since the last report, in 256ths.
    public var fractionLost: UInt8
    /// The cumulative number of packets lost, a signed 24-bit number; negative if packets were duplicated.
    public var cumulativeLost: Int32
    /// The highest sequence number received, with the number of its cycles in the upper 16 bits.
    public var extendedHighestSequenceNumber: UInt32
    /// The interarrival jitter in timestamp units.
    public var jitter: UInt32
    /// The middle 32 bits of the NTP time in the last sender report; 0: there was none.
    public var lastSenderReport: UInt32
    /// The time since that report, in 65,536ths of a second; 0: there was none.
    public var delaySinceLastSenderReport: UInt32

    /// Creates a report block.
    public init(
        ssrc: UInt32,
        fractionLost: UInt8 = 0,
        cumulativeLost: Int32 = 0,
        extendedHighestSequenceNumber: UInt32 = 0,
        jitter: UInt32 = 0,
        lastSenderReport: UInt32 = 0,
        delaySinceLastSenderReport: UInt32 = 0
    ) {
        self.ssrc = ssrc
        self.fractionLost = fractionLost
        self.cumulativeLost = cumulativeLost
        self.extendedHighestSequenceNumber = extendedHighestSequenceNumber
        self.jitter = jitter
        self.lastSenderReport = lastSenderReport
        self.delaySinceLastSenderReport = delaySinceLastSenderReport
    }

    static let size = 24

    /// Parses a report block; the caller has checked that its 24 bytes are there.
    init(_ bytes: Span<UInt8>, at start: Int) {
        let loss = bytes.uint32(at: start + 4)
        self.init(
            ssrc: bytes.uint32(at: start),
            fractionLost: UInt8(truncatingIfNeeded: loss >> 24),
            cumulativeLost: Int32(bitPattern: loss << 8) >> 8,
            extendedHighestSequenceNumber: bytes.uint32(at: start + 8),
            jitter: bytes.uint32(at: start + 12),
            lastSenderReport: bytes.uint32(at: start + 16),
            delaySinceLastSenderReport: bytes.uint32(at: start + 20)
        )
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(bigEndian: ssrc)
        let lost = UInt32(bitPattern: max(-0x80_0000, min(0x7F_FFFF, cumulativeLost)))
        bytes.append(bigEndian: UInt32(fractionLost) << 24 | lost & 0xFF_FFFF)
        bytes.append(bigEndian: extendedHighestSequenceNumber)
        bytes.append(bigEndian: jitter)
        bytes.append(bigEndian: lastSenderReport)
        bytes.append(bigEndian: delaySinceLastSenderReport)
    }
}
