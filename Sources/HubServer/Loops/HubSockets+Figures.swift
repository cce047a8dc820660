import HubEngine

/// Figures of all loops, as they come in.
struct FiguresGathering {
    /// From the loops that have answered.
    var figures: [LoopFigures]
    /// What is done with them when all have.
    let then: ([LoopFigures]) -> Void
}

/// Asking all loops what they have counted.
extension HubSockets {
    /// Gathers the figures of all loops.
    ///
    /// - Parameter then: Gets them by loop; later, on the hub's thread.
    func gatherFigures(then: @escaping ([LoopFigures]) -> Void) {
        let network = place.network
        lastGathering &+= 1
        let number = lastGathering
        gatherings[number] = FiguresGathering(figures: [], then: then)
        network.mailboxes[0].post { loop in
            guard let handler = loop.handler as? HubSockets else { return }
            handler.take(loop.figures(handler.relay), for: number)
        }
        for other in 1..<network.count {
            network.mailboxes[other].post { other in
                let figures = other.figures((other.handler as? LoopAgent)?.relay)
                network.mailboxes[0].post { ($0.handler as? HubSockets)?.take(figures, for: number) }
            }
        }
    }

    private func take(_ figures: LoopFigures, for number: UInt64) {
        gatherings[number]?.figures.append(figures)
        guard let gathering = gatherings[number], gathering.figures.count == place.network.count else { return }
        gatherings[number] = nil
        gathering.then(gathering.figures.sorted { $0.loop < $1.loop })
    }

    /// Counts the packets of all audio sessions that are active.
    ///
    /// - Parameter then: Gets them by session; later, on the hub's thread.
    func countPackets(then: @escaping ([SessionID: UInt64]) -> Void) {
        lastGathering &+= 1
        let number = lastGathering
        countings[number] = then
        Self.countPackets(on: place.network.mailboxes[...]) { [mailbox = place.network.mailboxes[0]] packets in
            mailbox.post { ($0.handler as? HubSockets)?.countings.removeValue(forKey: number)?(packets) }
        }
    }

    /// One loop after the other.
    private static func countPackets(
        on mailboxes: ArraySlice<Mailbox>,
        sofar: [SessionID: UInt64] = [:],
        then: @escaping @Sendable ([SessionID: UInt64]) -> Void
    ) {
        guard let first = mailboxes.first else { return then(sofar) }
        first.post { loop in
            let relay = (loop.handler as? HubSockets)?.relay ?? (loop.handler as? LoopAgent)?.relay
            let packets = sofar.merging(relay?.packetsReceived ?? [:]) { $1 }
            countPackets(on: mailboxes.dropFirst(), sofar: packets, then: then)
        }
    }
}

extension AudioRelay {
    /// Packets received in the audio sessions that are active now.
    var packetsReceived: [SessionID: UInt64] {
        var packets: [SessionID: UInt64] = [:]
        for index in 0..<state.pointee.capacity {
            let leg = state.pointee.legs + index
            guard leg.pointee.isInUse, leg.pointee.isActive else { continue }
            packets[leg.pointee.quality.session] = leg.pointee.quality.sent.received
        }
        return packets
    }
}
