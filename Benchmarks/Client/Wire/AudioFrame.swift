/// A client's audio: one WebSocket frame with one RTP packet of 20 ms, of which a few bytes change for each packet.
///
/// The packet is 12 bytes of RTP header and 80 of payload, what Opus makes at 32 kb/s. The payload is a valid Opus
/// packet (RFC 6716, 3: the byte 0x78 says hybrid, full band, 20 ms, mono, one frame); the frame's first eight bytes
/// carry the time of sending.
package struct AudioFrame {
    /// Bytes of the RTP packet.
    package static let packetLength = 92
    /// The clock rate of Opus, in samples a second.
    private static let clockRate: UInt32 = 48_000
    private static let payloadType: UInt8 = 111
    private static let timeOffset = 13
    private static let headLength = ClientFrame.headLength(payloadLength: packetLength)

    /// The masked frame as it goes on the wire.
    package private(set) var bytes: [UInt8]
    private var sequence: UInt16 = 0
    private var timestamp: UInt32 = 0

    /// The packets sent in a second, 1 to 50; at fewer than 50, timestamps still advance with the time.
    package var packetsPerSecond: UInt32 = 50

    /// The frames of a client that sends with `ssrc`.
    package init(ssrc: UInt32) {
        var packet: [UInt8] = [0x80, Self.payloadType, 0, 0, 0, 0, 0, 0]
        packet += withUnsafeBytes(of: ssrc.bigEndian, Array.init)
        packet.append(0x78)
        packet += (packet.count..<Self.packetLength).map { UInt8($0) }
        bytes = ClientFrame.encode(.binary, packet)
    }

    /// Makes `bytes` the next packet, sent at `time`, in nanoseconds of the monotonic clock.
    package mutating func advance(sentAt time: UInt64) {
        sequence &+= 1
        timestamp &+= Self.clockRate / packetsPerSecond
        put(sequence, at: 2)
        put(timestamp, at: 4)
        put(time, at: Self.timeOffset)
    }

    /// Advances the timestamp by one packet that is not sent, as a client does whose socket is full.
    package mutating func skip() {
        timestamp &+= Self.clockRate / packetsPerSecond
    }

    /// Indicates that the payload of a packet arrived unchanged; its header and its time of sending are not compared.
    package static func isWhole(_ packet: UnsafeRawBufferPointer) -> Bool {
        packet.count == packetLength && packet[12] == 0x78
            && (timeOffset + 8..<packetLength).allSatisfy { packet[$0] == UInt8($0) }
    }

    /// Writes a field in network order and masked.
    private mutating func put<Field: FixedWidthInteger>(_ value: Field, at offset: Int) {
        for place in 0..<(Field.bitWidth / 8) {
            let byte = UInt8(truncatingIfNeeded: value >> (Field.bitWidth - 8 - 8 * place))
            bytes[Self.headLength + offset + place] = byte ^ ClientFrame.maskByte(at: offset + place)
        }
    }
}

/// The generator's view of a binary message that it receives.
package enum ReceivedPacket: Equatable {
    /// A packet made by `AudioFrame`, with its time of sending in nanoseconds of the monotonic clock.
    case audio(ssrc: UInt32, sentAt: UInt64)
    /// An RTCP packet, distinguished from RTP as in RFC 5761, 4.
    case report
    case unknown

    /// Reads a binary message.
    package static func read(_ bytes: UnsafeRawBufferPointer) -> ReceivedPacket {
        guard bytes.count >= 8, bytes[0] >> 6 == 2 else {
            return .unknown
        }
        if (192...223).contains(bytes[1]) {
            return .report
        }
        guard bytes.count == AudioFrame.packetLength, bytes[1] & 0x7f == 111 else {
            return .unknown
        }
        return .audio(
            ssrc: UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)),
            sentAt: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 13, as: UInt64.self))
        )
    }
}
