import BenchmarkClient

/// The figures of some calls' audio over a stretch of time.
struct CallStatistics {
    /// Packets handed to the sockets.
    var sent = 0
    /// Packets that a full socket did not take: the hub read too slowly.
    var refused = 0
    /// Packets left out because the generator was too late.
    var skipped = 0
    /// Packets received.
    var received = 0
    /// Sequence numbers missing between two received packets.
    var lost = 0
    /// Packets received twice, or after a later one.
    var disordered = 0
    /// Packets whose payload was changed.
    var damaged = 0
    /// Packets of another call, and binary messages that are neither RTP nor RTCP.
    var misdirected = 0
    /// Calls that ended.
    var ended = 0
    /// The longest time between two packets received by one listener within the stretch.
    var longestGapNanoseconds: UInt64 = 0
    /// The time from the sender's call of the socket to the listener's.
    var latency = Samples()
    /// The delays with which the generator sent the packets.
    var lateness = Samples()
    /// The generator's own longest pause between two readings of its sockets: no gap can be shorter.
    var longestPauseNanoseconds: UInt64 = 0

    /// Indicates that every packet was received once, in order and unchanged.
    var isWhole: Bool {
        lost == 0 && disordered == 0 && damaged == 0 && misdirected == 0 && refused == 0 && ended == 0
    }
}
