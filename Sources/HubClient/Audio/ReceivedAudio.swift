public import HubEngine
import HubWire

/// An audio packet as it arrived; `payload` is one Opus packet (RFC 7587).
public struct ReceivedAudio: Sendable {
    /// Whose packet it is: see the notification `audioSources`.
    public var ssrc: UInt32
    /// Counts the sender's packets, modulo 65,536.
    public var sequenceNumber: UInt16
    /// The sender's clock at the packet's first sample: 48,000 a second, modulo 2^32.
    public var timestamp: UInt32
    /// Whether a talk spurt begins.
    public var marker: Bool
    /// The talkers in a mixed stream.
    public var contributingSources: [UInt32]
    /// The Opus packet.
    public var payload: [UInt8]
    /// When it arrived, on the machine's monotonic clock.
    public var arrival: Instant

    /// A packet of its parts, as a test may need it.
    package init(ssrc: UInt32, sequenceNumber: UInt16, timestamp: UInt32, payload: [UInt8], arrival: Instant) {
        self.ssrc = ssrc
        self.sequenceNumber = sequenceNumber
        self.timestamp = timestamp
        self.payload = payload
        self.arrival = arrival
        marker = false
        contributingSources = []
    }

    init(_ packet: RTPPacket, in bytes: UnsafeRawBufferPointer, at arrival: Instant) {
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
