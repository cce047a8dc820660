import BenchmarkClient

/// What became of the audio of some calls in a stretch of time.
struct CallFigures {
    /// Packets handed to the sockets.
    var sent = 0
    /// Packets that a full socket did not take: the hub read too slowly.
    var refused = 0
    /// Packets that the generator was too late for.
    var skipped = 0
    /// Packets that came.
    var received = 0
    /// Numbers that are missing between two packets that came.
    var lost = 0
    /// Packets that came twice, or after a later one.
    var disordered = 0
    /// Packets whose content is not what was sent.
    var damaged = 0
    /// Packets of another call, and binary messages that are none.
    var misdirected = 0
    /// Calls that ended.
    var ended = 0
    /// The longest time between two packets of one listener, both of which came in the stretch.
    var longestGapNanoseconds: UInt64 = 0
    /// From the sender's call to the listener's.
    var latency = Samples()
    /// How late the generator was.
    var lateness = Samples()
    /// The generator's own longest pause between two looks at its sockets: no gap can be shorter.
    var longestPauseNanoseconds: UInt64 = 0

    /// Whether every packet that was sent came, once, in order and unchanged.
    var isWhole: Bool {
        lost == 0 && disordered == 0 && damaged == 0 && misdirected == 0 && refused == 0 && ended == 0
    }
}
