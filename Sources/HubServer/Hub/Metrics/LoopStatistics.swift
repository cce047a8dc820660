import Foundation

/// The counters of one loop at one moment.
package struct LoopStatistics: Sendable {
    /// The number of the loop.
    var loop = 0
    /// The counters of its sockets.
    var transport = TransportCounters()
    /// The load of the loop.
    var load = LoadMeter.Load()
    /// The time in seconds for which the loop was busy, that is, not waiting.
    var busySeconds = 0.0
    /// The counters of its relay.
    var relay = RelayStatistics()
    /// The end of the certificate's validity, in seconds since 1970; nil without TLS.
    var certificateExpiry: Double?
}

extension LoopStatistics {
    /// Makes the statistics of a loop without a load.
    ///
    /// - Parameters:
    ///   - transport: The counters of its connections.
    ///   - relay: Its relay; nil: it has none.
    package init(transport: TransportCounters, relay: AudioRelay<Connections>?) {
        self.init()
        self.transport = transport
        self.relay = relay?.statistics ?? RelayStatistics()
    }

    /// Returns the sum over all loops; the load is that of the busiest.
    static func sum(of loops: [LoopStatistics]) -> LoopStatistics {
        var sum = LoopStatistics()
        for loop in loops {
            sum.transport += loop.transport
            sum.relay += loop.relay
            sum.busySeconds += loop.busySeconds
            sum.load.busyShare = max(sum.load.busyShare, loop.load.busyShare)
            sum.load.longestIteration = max(sum.load.longestIteration, loop.load.longestIteration)
        }
        return sum
    }
}

/// The counters of a relay; they never decrease.
struct RelayStatistics: Sendable {
    /// Packets received, good and bad: those passed on, those dropped, and reports.
    var received: UInt64 = 0
    /// Bytes in the packets received.
    var bytesReceived: UInt64 = 0
    /// RTCP packets received that could be parsed.
    var reports: UInt64 = 0
    /// Packets forwarded, counted once for each receiver.
    var relayed: UInt64 = 0
    /// Bytes in the packets passed on.
    var bytesRelayed: UInt64 = 0
    /// Packets of hold audio sent, which count as nothing else.
    var holdPackets: UInt64 = 0
    /// Packets not passed on, by `DropReason.rawValue`.
    var drops = [UInt64](repeating: 0, count: DropReason.allCases.count)

    /// Adds the counters of another relay.
    static func += (left: inout RelayStatistics, right: RelayStatistics) {
        left.received &+= right.received
        left.bytesReceived &+= right.bytesReceived
        left.reports &+= right.reports
        left.relayed &+= right.relayed
        left.bytesRelayed &+= right.bytesRelayed
        left.holdPackets &+= right.holdPackets
        for index in left.drops.indices { left.drops[index] &+= right.drops[index] }
    }
}

extension AudioRelay {
    /// The counters at this moment.
    var statistics: RelayStatistics {
        RelayStatistics(
            received: received,
            bytesReceived: state.pointee.bytesReceived,
            reports: reports,
            relayed: relayed,
            bytesRelayed: state.pointee.bytesRelayed,
            holdPackets: state.pointee.holdPackets,
            drops: DropReason.allCases.map { dropped($0) }
        )
    }
}

extension ServerLoop {
    /// Returns the counters at this moment.
    ///
    /// - Parameter relay: The relay of the loop; nil before the loop has started.
    /// - Returns: The statistics of the loop.
    func statistics(_ relay: AudioRelay<Connections>?) -> LoopStatistics {
        let load = self.load
        return LoopStatistics(
            loop: loopIndex.number,
            transport: counters,
            load: load,
            busySeconds: Double(meter.pointee.busyNanoseconds) / 1_000_000_000,
            relay: relay?.statistics ?? RelayStatistics(),
            certificateExpiry: library.certificate.flatMap { $0.endSeconds > 0 ? Double($0.endSeconds) : nil }
        )
    }
}
