public import HubEngine

/// The audio packets of one audio session that the hub has dropped since it last notified the client of any.
public struct DroppedPackets: Hashable, Sendable {
    /// The audio session's identifier, as in `provider.didActivateAudioSession`.
    public var audioSession: AudioSessionUUID
    /// The audio session's SSRC, as in `provider.didActivateAudioSession`.
    public var ssrc: UInt32
    /// The number of the client's own packets that were not passed on, by reason; reasons without any are left out.
    public var sent: [Reason: UInt64]
    /// The number of packets for the client that its connection did not accept in time.
    public var slowConsumer: UInt64

    /// Drops of an audio session.
    public init(
        audioSession: AudioSessionUUID,
        ssrc: UInt32,
        sent: [Reason: UInt64] = [:],
        slowConsumer: UInt64 = 0
    ) {
        self.audioSession = audioSession
        self.ssrc = ssrc
        self.sent = sent
        self.slowConsumer = slowConsumer
    }

    /// The reasons for which the hub does not pass on a client's packet (docs/protocol.md, Audio).
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// No audio session of the client was active.
        case noSession
        /// The SSRC is not that of the client's current audio session.
        case staleSession
        /// Either end holds the call.
        case held
        /// The client has muted the call.
        case muted
        /// The call is not connected yet.
        case notConnected
        /// Not an RTP packet with a valid Opus payload.
        case malformed
        /// Longer than an audio packet may be.
        case tooLarge
        /// Too far behind the pace of its own timestamps.
        case late
        /// Sent faster than twice real time.
        case tooFast
    }
}
