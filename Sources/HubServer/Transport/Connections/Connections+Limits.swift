extension Connections {
    /// Sizes and times that are constant during the life of the loop.
    package struct Limits {
        /// The loop's number, which is part of its connections' identifiers.
        var loop: UInt16 = 0

        /// The number of slots in the table.
        package var capacity: Int

        /// The maximum number of queued packets per connection.
        var ringCapacity: Int

        /// The milliseconds for which audio may be queued.
        var staleAfter: UInt64

        /// The milliseconds of audio kept of a backlog that lasted longer than `staleAfter`.
        var keptOfBacklog: UInt64

        /// The maximum number of queued text bytes per connection.
        var maximumQueuedText: Int

        /// The milliseconds within which a peer must receive its close frame.
        var closeTimeout: UInt64

        /// True if the packets for one connection in one iteration of the loop are written together.
        var coalescesPackets: Bool

        /// The maximum number of bytes written at once.
        ///
        /// More: fewer writes after a stall; more bytes that may remain queued if a socket accepts only a part.
        var scratchBytes: Int
    }
}

extension Connections.Limits {
    /// Derives the limits from the settings.
    ///
    /// - Parameters:
    ///   - settings: The settings of the transport.
    ///   - loop: The loop's number.
    ///   - capacity: The number of slots in the table.
    ///   - coalescesPackets: True if the packets for one connection in one iteration of the loop are written together.
    package init(_ settings: TransportSettings, loop: Int = 0, capacity: Int, coalescesPackets: Bool) {
        self.init(
            loop: UInt16(truncatingIfNeeded: loop),
            capacity: capacity,
            ringCapacity: min(max(settings.audioQueuePackets, 1), 4096),
            staleAfter: settings.staleAfter.wholeMilliseconds,
            keptOfBacklog: settings.keptOfBacklog.wholeMilliseconds,
            maximumQueuedText: max(settings.maximumQueuedTextBytes, 0),
            closeTimeout: settings.closeTimeout.wholeMilliseconds,
            coalescesPackets: coalescesPackets,
            scratchBytes: max(4096, settings.maximumAudioBytes + ServerFrame.longestHead)
        )
    }
}
