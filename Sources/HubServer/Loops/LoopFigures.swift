/// What one loop has counted, at one moment.
struct LoopFigures: Sendable {
    /// Its number.
    var loop = 0
    /// Its sockets.
    var transport = TransportCounters()
    /// How busy it is.
    var load = LoadMeter.Load()
    /// Seconds in which it worked and did not wait.
    var busySeconds = 0.0
    /// Its relay.
    var relay = RelayFigures()
}

extension LoopFigures {
    /// The same of all loops together; the load is that of the busiest.
    static func sum(of loops: [LoopFigures]) -> LoopFigures {
        var sum = LoopFigures()
        for loop in loops {
            sum.transport += loop.transport
            sum.relay += loop.relay
            sum.busySeconds += loop.busySeconds
            sum.load.busyShare = max(sum.load.busyShare, loop.load.busyShare)
            sum.load.longestTurn = max(sum.load.longestTurn, loop.load.longestTurn)
        }
        return sum
    }
}

/// What a relay has counted; numbers only grow.
struct RelayFigures: Sendable {
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

    /// Adds up what several relays have counted.
    static func += (left: inout RelayFigures, right: RelayFigures) {
        left.received &+= right.received
        left.bytesReceived &+= right.bytesReceived
        left.reports &+= right.reports
        left.relayed &+= right.relayed
        left.bytesRelayed &+= right.bytesRelayed
        for index in left.drops.indices { left.drops[index] &+= right.drops[index] }
    }
}

extension AudioRelay {
    /// What is counted, now.
    var figures: RelayFigures {
        RelayFigures(
            received: received,
            bytesReceived: state.pointee.bytesReceived,
            reports: reports,
            relayed: relayed,
            bytesRelayed: state.pointee.bytesRelayed,
            drops: DropReason.allCases.map { dropped($0) }
        )
    }
}

extension ServerLoop {
    /// What is counted, now.
    ///
    /// - Parameter relay: The loop's.
    /// - Returns: The figures.
    func figures(_ relay: AudioRelay<Connections>?) -> LoopFigures {
        let load = self.load
        return LoopFigures(
            loop: place.number,
            transport: counters,
            load: load,
            busySeconds: Double(meter.pointee.busyNanoseconds) / 1_000_000_000,
            relay: relay?.figures ?? RelayFigures()
        )
    }
}
