/// What a jitter buffer has seen and done since it was made.
public struct JitterStatistics: Sendable, Equatable {
    /// Packets taken in, all kinds.
    public var packets = 0
    /// Packets that came after their time had been played or concealed, and were dropped.
    public var late = 0
    /// Packets that were there already.
    public var duplicates = 0
    /// Packets that were not Opus.
    public var malformed = 0
    /// Packets dropped to get rid of a delay that could not be caught up with.
    public var dropped = 0
    /// Holes in the sequence numbers at the time they were played over.
    public var gaps = 0
    /// Samples repaired from the copy in the packet after a loss.
    public var correctedSamples = 0
    /// Samples invented, or left silent, in place of sound that was lost or too late; a sender's pauses do not count.
    public var concealedSamples = 0
    /// Samples taken out to catch up.
    public var cutSamples = 0
    /// Samples put in to wait for later packets.
    public var stretchedSamples = 0
    /// Times the timeline began anew: another SSRC, or a jump of timestamps.
    public var restarts = 0
    /// The delay aimed at behind the fastest packet, in milliseconds.
    public var targetMilliseconds = 40.0
    /// The delay behind the fastest packet at which sound was last played, in milliseconds.
    public var delayMilliseconds = 0.0
    /// The interarrival jitter of RFC 3550 section 6.4.1, in milliseconds.
    public var jitterMilliseconds = 0.0

    /// Makes statistics of nothing yet.
    public init() {}
}
