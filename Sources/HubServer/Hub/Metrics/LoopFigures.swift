/// Everything that one loop has counted, as a value: what crosses to the hub's own thread, and adds up.
struct LoopFigures: Sendable {
    /// What its sockets have counted.
    var sockets = TransportCounters()
    /// What its relay has.
    var relay = RelayFigures()
    /// Seconds in which it worked and did not wait.
    var busySeconds = 0.0
    /// How busy it was in the last second.
    var load = LoadMeter.Load()

    /// The same of all loops together; the load is that of the busiest.
    static func sum(of loops: [LoopFigures]) -> LoopFigures {
        var sum = LoopFigures()
        for loop in loops {
            sum.sockets += loop.sockets
            sum.relay += loop.relay
            sum.busySeconds += loop.busySeconds
            sum.load.busyShare = max(sum.load.busyShare, loop.load.busyShare)
            sum.load.longestTurn = max(sum.load.longestTurn, loop.load.longestTurn)
        }
        return sum
    }
}

/// What a relay has counted; numbers only grow.
struct RelayFigures: Sendable, Equatable {
    /// Packets received, good and bad: those passed on, those dropped, and reports.
    var received: UInt64 = 0
    /// Bytes in them.
    var bytesReceived: UInt64 = 0
    /// RTCP packets among them that could be read.
    var reports: UInt64 = 0
    /// Packets passed on, counted once for each listener.
    var relayed: UInt64 = 0
    /// Bytes in them.
    var bytesRelayed: UInt64 = 0
    /// Packets not passed on, by `DropReason.rawValue`.
    var drops = [UInt64](repeating: 0, count: DropReason.allCases.count)
    /// Of the packets that were written at once: from the beginning of the loop's turn that found them to their write.
    var latency = LatencyHistogram()

    /// Adds up what several relays have counted.
    static func += (left: inout RelayFigures, right: RelayFigures) {
        left.received &+= right.received
        left.bytesReceived &+= right.bytesReceived
        left.reports &+= right.reports
        left.relayed &+= right.relayed
        left.bytesRelayed &+= right.bytesRelayed
        for index in left.drops.indices { left.drops[index] &+= right.drops[index] }
        left.latency += right.latency
    }
}

extension ServerLoop {
    /// What this loop has counted; the relay's part is the hub's to add.
    var figures: LoopFigures {
        let load = self.load
        return LoopFigures(
            sockets: counters,
            busySeconds: Double(meter.pointee.busyNanoseconds) / 1_000_000_000,
            load: load
        )
    }
}

extension AudioRelay {
    /// What this relay has counted.
    var figures: RelayFigures {
        RelayFigures(
            received: received,
            bytesReceived: state.pointee.bytesReceived,
            reports: reports,
            relayed: relayed,
            bytesRelayed: state.pointee.bytesRelayed,
            drops: DropReason.allCases.map { dropped($0) },
            latency: state.pointee.latency
        )
    }
}
