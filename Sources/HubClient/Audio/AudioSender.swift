import HubEngine
import HubWire

/// What became of a packet that was given to `HubClient.sendAudio`.
public enum AudioOutcome: Hashable, Sendable {
    /// It is on its way.
    case sent
    /// No audio session is active, so that nobody may hear it.
    case noSession
    /// The connection is lost at the moment.
    case notConnected
    /// The hub has not reported the packets before it: the way there is stalled, and old sound is worth nothing.
    case stalled
}

/// The sending side of a client's RTP stream (RFC 3550; protocol.md 6): numbers, times, and when not to send.
package struct AudioSender {
    private let mostUnreported: Int
    private var ssrc: UInt32?
    private var socket: Int?
    private var sequenceNumber: UInt16
    private var timestamp: UInt32
    /// Whether the next packet opens a talk spurt: after silence, and at the start of a session.
    private var opensSpurt = true
    private var isStalled = false
    /// The last number that the hub has reported for this SSRC on this connection; nil: none yet.
    private var lastReported: UInt16?
    private var samplesSinceProbe = 0

    /// A sender whose numbers begin at `start`, which RFC 3550 wants to be random.
    package init(mostUnreported: Int, start: UInt64) {
        self.mostUnreported = mostUnreported
        sequenceNumber = UInt16(truncatingIfNeeded: start)
        timestamp = UInt32(truncatingIfNeeded: start >> 16)
    }

    /// Which session the hub has activated, and which connection carries it; nil: none.
    package mutating func adopt(ssrc: UInt32?, socket: Int?) {
        guard ssrc != self.ssrc || socket != self.socket else { return }
        if ssrc != self.ssrc { opensSpurt = true }
        (self.ssrc, self.socket) = (ssrc, socket)
        // What was on its way over the old connection will never be reported one by one.
        lastReported = nil
        isStalled = false
    }

    /// Makes the RTP packet for an Opus packet, or says why it is not to be sent; the sender's clock goes on either way.
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
            marker: opensSpurt,
            payloadType: opusPayloadType,
            sequenceNumber: sequenceNumber,
            timestamp: timestamp,
            ssrc: ssrc,
            payload: opus.span,
            to: &bytes
        )
        sequenceNumber &+= 1
        opensSpurt = false
        return (.sent, bytes)
    }

    /// Nothing was said for so long: the next packet opens a talk spurt.
    package mutating func pause(samples: Int) {
        timestamp &+= UInt32(truncatingIfNeeded: samples)
        opensSpurt = true
    }

    /// The hub reports the highest number it has received of an SSRC (RFC 3550 6.4.1, extended to 32 bits).
    package mutating func reported(ssrc: UInt32, highest: UInt32) {
        guard ssrc == self.ssrc else { return }
        lastReported = UInt16(truncatingIfNeeded: highest)
    }

    private mutating func skip(_ outcome: AudioOutcome) -> AudioOutcome {
        opensSpurt = true
        return outcome
    }

    /// A hub that has never reported is not waited for: it may be one that sends no reports.
    private mutating func updateStall() {
        guard let lastReported else { return }
        let unreported = Int(sequenceNumber &- 1 &- lastReported)
        // A report of what was never sent: not ours to interpret.
        guard unreported < 0x8000 else { return }
        if unreported > mostUnreported { isStalled = true }
        if unreported <= mostUnreported / 2 { isStalled = false }
    }
}

/// What an Opus packet is in RTP (protocol.md 6).
private let opusPayloadType: UInt8 = 111

/// While stalled, one packet now and then asks whether the way is free again; reports alone might never come.
///
/// Longer: less old sound on a stalled way; shorter: a free way is noticed sooner. Half a second.
private let samplesBetweenProbes = 24_000
