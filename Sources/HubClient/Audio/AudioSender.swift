import HubEngine
import HubWire

/// The outcome of `HubClient.sendAudio`.
public enum AudioOutcome: Hashable, Sendable {
    /// The packet was sent.
    case sent
    /// No audio session is active, so that the packet has no receivers.
    case noSession
    /// The connection is lost at the moment.
    case notConnected
    /// The hub has not reported the packets before it: the path is stalled, and old audio is useless.
    case stalled
}

/// The sender of a client's RTP stream (RFC 3550; protocol.md, Audio): sequence numbers, timestamps, stall detection.
package struct AudioSender {
    private let maximumUnreported: Int
    private var ssrc: UInt32?
    private var socket: Int?
    private var sequenceNumber: UInt16
    private var timestamp: UInt32
    /// Indicates that the next packet starts a talk spurt: after silence, and at the start of a session.
    private var startsTalkSpurt = true
    private var isStalled = false
    /// The highest sequence number that the hub has reported for this SSRC on this connection; nil: none yet.
    private var lastReported: UInt16?
    private var samplesSinceProbe = 0

    /// Creates a sender with initial numbers taken from `start`, which RFC 3550 requires to be random.
    package init(maximumUnreported: Int, start: UInt64) {
        self.maximumUnreported = maximumUnreported
        sequenceNumber = UInt16(truncatingIfNeeded: start)
        timestamp = UInt32(truncatingIfNeeded: start >> 16)
    }

    /// Sets the SSRC of the active audio session and the socket of the connection; nil: none.
    package mutating func adopt(ssrc: UInt32?, socket: Int?) {
        guard ssrc != self.ssrc || socket != self.socket else { return }
        if ssrc != self.ssrc { startsTalkSpurt = true }
        (self.ssrc, self.socket) = (ssrc, socket)
        // Packets in transit on the old connection will never be reported one by one.
        lastReported = nil
        isStalled = false
    }

    /// Builds the RTP packet for an Opus packet, unless it is not to be sent; the timestamp advances either way.
    package mutating func packet(
        _ opus: [UInt8],
        durationInSamples samples: Int
    ) -> (outcome: AudioOutcome, bytes: [UInt8]) {
        defer { timestamp &+= UInt32(truncatingIfNeeded: samples) }
        guard let ssrc else { return (skip(.noSession), []) }
        guard socket != nil else { return (skip(.notConnected), []) }
        updateStall()
        if isStalled {
            samplesSinceProbe += samples
            guard samplesSinceProbe >= samplesBetweenProbes else { return (skip(.stalled), []) }
        }
        samplesSinceProbe = 0
        var bytes: [UInt8] = []
        RTPPacket.append(
            marker: startsTalkSpurt,
            payloadType: opusPayloadType,
            sequenceNumber: sequenceNumber,
            timestamp: timestamp,
            ssrc: ssrc,
            payload: opus.span,
            to: &bytes
        )
        sequenceNumber &+= 1
        startsTalkSpurt = false
        return (.sent, bytes)
    }

    /// Advances the timestamp by a silence, in samples; the next packet starts a talk spurt.
    package mutating func pause(samples: Int) {
        timestamp &+= UInt32(truncatingIfNeeded: samples)
        startsTalkSpurt = true
    }

    /// Records the highest sequence number of a reception report (RFC 3550 6.4.1, extended to 32 bits).
    package mutating func reported(ssrc: UInt32, highest: UInt32) {
        guard ssrc == self.ssrc else { return }
        lastReported = UInt16(truncatingIfNeeded: highest)
    }

    private mutating func skip(_ outcome: AudioOutcome) -> AudioOutcome {
        startsTalkSpurt = true
        return outcome
    }

    /// Updates the stall state; without any report there is no stall, since the hub may send none.
    private mutating func updateStall() {
        guard let lastReported else { return }
        let unreported = Int(sequenceNumber &- 1 &- lastReported)
        // A report of packets that were never sent is ignored.
        guard unreported < 0x8000 else { return }
        if unreported > maximumUnreported { isStalled = true }
        if unreported <= maximumUnreported / 2 { isStalled = false }
    }
}

/// The RTP payload type of Opus (protocol.md, Audio).
private let opusPayloadType: UInt8 = 111

/// The interval between probe packets during a stall, in samples at 48 kHz; reports alone might never come.
///
/// Longer: less old audio on a stalled path; shorter: a free path is noticed sooner. Half a second.
private let samplesBetweenProbes = 24_000
