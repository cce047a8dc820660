extension Connections {
    /// Numbers that do not change while the loop lives.
    struct Limits {
        /// The loop's number, in the names of its connections.
        var loop: UInt16 = 0

        /// Slots in the table.
        var capacity: Int

        /// Packets each ring holds.
        var ringCapacity: Int

        /// Milliseconds audio may wait.
        var staleAfter: UInt64

        /// Milliseconds of audio kept of a backlog that lasted longer than `staleAfter`.
        var keptOfBacklog: UInt64

        /// Text bytes that may wait for one connection.
        var maximumQueuedText: Int

        /// Milliseconds a peer has to take its close frame.
        var closeTimeout: UInt64

        /// Whether packets for one listener that come in one turn of the loop go out together.
        var joinsPackets: Bool

        /// The most that is written at once.
        ///
        /// More: fewer writes after a stall; more that may be kept where a socket takes a part only.
        var scratchBytes: Int
    }
}

extension Connections.Limits {
    /// What the settings say.
    ///
    /// - Parameters:
    ///   - settings: All that can be set.
    ///   - loop: The loop's number.
    ///   - capacity: Slots in the table.
    ///   - joinsPackets: See there.
    init(_ settings: TransportSettings, loop: Int = 0, capacity: Int, joinsPackets: Bool) {
        self.init(
            loop: UInt16(truncatingIfNeeded: loop),
            capacity: capacity,
            ringCapacity: min(max(settings.audioQueuePackets, 1), 4096),
            staleAfter: settings.staleAfter.wholeMilliseconds,
            keptOfBacklog: settings.keptOfBacklog.wholeMilliseconds,
            maximumQueuedText: max(settings.maximumQueuedTextBytes, 0),
            closeTimeout: settings.closeTimeout.wholeMilliseconds,
            joinsPackets: joinsPackets,
            scratchBytes: max(4096, settings.maximumAudioBytes + Connections.longestHead)
        )
    }
}
