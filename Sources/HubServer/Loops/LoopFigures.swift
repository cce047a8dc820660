/// What one loop has counted, at one moment.
struct LoopFigures: Sendable {
    /// Its number.
    var loop: Int
    /// Its sockets.
    var transport: TransportCounters
    /// How busy it is.
    var load: LoadMeter.Load
    /// Its relay.
    var relay: RelayFigures
}

/// What a relay has counted.
struct RelayFigures: Sendable {
    /// Packets received, good and bad, and reports.
    var received: UInt64 = 0
    /// RTCP packets among them.
    var reports: UInt64 = 0
    /// Packets passed on, counted once for each listener.
    var relayed: UInt64 = 0
    /// Packets not passed on, by reason.
    var drops: [DropReason: UInt64] = [:]
}

extension AudioRelay {
    /// What is counted, now.
    var figures: RelayFigures {
        RelayFigures(
            received: received,
            reports: reports,
            relayed: relayed,
            drops: Dictionary(uniqueKeysWithValues: DropReason.allCases.map { ($0, dropped($0)) })
        )
    }
}

extension ServerLoop {
    /// What is counted, now.
    ///
    /// - Parameter relay: The loop's.
    /// - Returns: The figures.
    func figures(_ relay: AudioRelay<Connections>?) -> LoopFigures {
        LoopFigures(loop: place.number, transport: counters, load: load, relay: relay?.figures ?? RelayFigures())
    }
}

/// Figures of all loops, as they come in.
struct FiguresGathering {
    /// From the loops that have answered.
    var figures: [LoopFigures]
    /// What is done with them when all have.
    let then: ([LoopFigures]) -> Void
}

/// Asking all loops what they have counted.
extension Hub {
    /// The figures of all loops, where there is but one.
    var figuresAtOnce: [LoopFigures]? {
        guard let loop, loop.place.network.count == 1 else { return nil }
        return [loop.figures(relay)]
    }

    /// Gathers the figures of several loops.
    ///
    /// - Parameter then: Gets them by loop; later, on the hub's thread.
    func gatherFigures(then: @escaping ([LoopFigures]) -> Void) {
        guard let loop else { return }
        let network = loop.place.network
        lastGathering &+= 1
        let number = lastGathering
        gatherings[number] = FiguresGathering(figures: [loop.figures(relay)], then: then)
        for other in 1..<network.count {
            network.mailboxes[other].post { other in
                let figures = other.figures((other.handler as? LoopAgent)?.relay)
                network.mailboxes[0].post { ($0.handler as? Hub)?.take(figures, for: number) }
            }
        }
    }

    private func take(_ figures: LoopFigures, for number: UInt64) {
        gatherings[number]?.figures.append(figures)
        guard let gathering = gatherings[number], gathering.figures.count == loop?.place.network.count else { return }
        gatherings[number] = nil
        gathering.then(gathering.figures.sorted { $0.loop < $1.loop })
    }
}
