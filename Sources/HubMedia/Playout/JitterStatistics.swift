/// The counters of a jitter buffer since it was created.
public struct JitterStatistics: Sendable, Equatable {
    /// The packets that were inserted, of all kinds.
    public var packets = 0
    /// The packets that arrived after their time had been played or concealed, and were dropped.
    public var late = 0
    /// The packets that had been received already.
    public var duplicates = 0
    /// The packets that were not valid Opus.
    public var malformed = 0
    /// The packets dropped to reduce a delay that could not be caught up with.
    public var dropped = 0
    /// The gaps in the sequence numbers at the time of playout.
    public var gaps = 0
    /// The samples repaired from the copy in the packet after a loss.
    public var correctedSamples = 0
    /// The samples concealed, or left silent, in place of lost or late audio; a sender's pauses do not count.
    public var concealedSamples = 0
    /// The samples cut to catch up.
    public var cutSamples = 0
    /// The samples inserted to wait for later packets.
    public var stretchedSamples = 0
    /// The number of restarts of the timeline: another SSRC, or a jump of timestamps.
    public var restarts = 0
    /// The target delay behind the fastest packet, in milliseconds.
    public var targetMilliseconds = 40.0
    /// The delay behind the fastest packet at the last playout, in milliseconds.
    public var delayMilliseconds = 0.0
    /// The interarrival jitter of RFC 3550 section 6.4.1, in milliseconds.
    public var jitterMilliseconds = 0.0

    /// Creates statistics with all counters at zero.
    public init() {}
}
