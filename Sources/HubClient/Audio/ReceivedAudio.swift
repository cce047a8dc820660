public import HubEngine
package import HubWire

/// A received audio packet; `payload` is one Opus packet (RFC 7587).
public struct ReceivedAudio: Sendable {
    /// The SSRC of the source; the notification `audioSources` assigns it to a party.
    public var ssrc: UInt32
    /// The RTP sequence number, modulo 65,536.
    public var sequenceNumber: UInt16
    /// The RTP timestamp of the packet's first sample: 48,000 a second, modulo 2^32.
    public var timestamp: UInt32
    /// Indicates that a talk spurt begins.
    public var marker: Bool
    /// The contributing sources (CSRC) of a mixed stream.
    public var contributingSources: [UInt32]
    /// The Opus packet.
    public var payload: [UInt8]
    /// The time of arrival on the machine's monotonic clock.
    public var arrival: Instant

    /// Creates a packet from its parts, for tests.
    package init(ssrc: UInt32, sequenceNumber: UInt16, timestamp: UInt32, payload: [UInt8], arrival: Instant) {
        self.ssrc = ssrc
        self.sequenceNumber = sequenceNumber
        self.timestamp = timestamp
        self.payload = payload
        self.arrival = arrival
        marker = false
        contributingSources = []
    }

    /// Copies a packet from the bytes of a message.
    package init(_ packet: RTPPacket, in bytes: UnsafeRawBufferPointer, at arrival: Instant) {
        ssrc = packet.ssrc
        sequenceNumber = packet.sequenceNumber
        timestamp = packet.timestamp
        marker = packet.marker
        contributingSources = (0..<packet.contributingSourceCount).map { index in
            let offset = RTPPacket.headerSize + 4 * index
            return bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
        }
        payload = Array(bytes[packet.payloadRange])
        self.arrival = arrival
    }
}
