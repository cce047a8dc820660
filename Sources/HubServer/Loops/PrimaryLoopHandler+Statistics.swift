package import HubEngine
import LoopMailbox

/// A collection of the statistics of all loops that is under way.
struct StatisticsCollection {
    /// The statistics of the loops that have answered.
    var statistics: [LoopStatistics]
    /// Called with the statistics when all loops have answered.
    let then: ([LoopStatistics]) -> Void
}

/// Collects the counters of all loops.
extension PrimaryLoopHandler {
    /// Collects the statistics of all loops.
    ///
    /// - Parameter then: Called later with the statistics, ordered by loop, on the hub's thread.
    func collectStatistics(then: @escaping ([LoopStatistics]) -> Void) {
        let context = loopIndex.context
        lastCollectionID &+= 1
        let number = lastCollectionID
        statisticsCollections[number] = StatisticsCollection(statistics: [], then: then)
        context.mailboxes[0].post { loop in
            guard let handler = loop.handler as? PrimaryLoopHandler else { return }
            handler.add(loop.statistics(handler.relay), for: number)
        }
        for other in 1..<context.count {
            context.mailboxes[other].post { other in
                let statistics = other.statistics((other.handler as? WorkerLoopHandler)?.relay)
                context.mailboxes[0].post { ($0.handler as? PrimaryLoopHandler)?.add(statistics, for: number) }
            }
        }
    }

    private func add(_ statistics: LoopStatistics, for number: UInt64) {
        statisticsCollections[number]?.statistics.append(statistics)
        guard let collection = statisticsCollections[number], collection.statistics.count == loopIndex.context.count
        else {
            return
        }
        statisticsCollections[number] = nil
        collection.then(collection.statistics.sorted { $0.loop < $1.loop })
    }

    /// Counts the packets received in all active audio sessions.
    ///
    /// - Parameter then: Called later with the counts by session, on the hub's thread.
    func countPackets(then: @escaping ([SessionID: UInt64]) -> Void) {
        lastCollectionID &+= 1
        let number = lastCollectionID
        packetCountCollections[number] = then
        Self.countPackets(on: loopIndex.context.mailboxes[...]) { [mailbox = loopIndex.context.mailboxes[0]] packets in
            mailbox.post {
                ($0.handler as? PrimaryLoopHandler)?.packetCountCollections.removeValue(forKey: number)?(packets)
            }
        }
    }

    /// Counts on one loop after the other.
    private static func countPackets(
        on mailboxes: ArraySlice<Mailbox<ServerLoop>>,
        sofar: [SessionID: UInt64] = [:],
        then: @escaping @Sendable ([SessionID: UInt64]) -> Void
    ) {
        guard let first = mailboxes.first else { return then(sofar) }
        first.post { loop in
            let relay = (loop.handler as? PrimaryLoopHandler)?.relay ?? (loop.handler as? WorkerLoopHandler)?.relay
            let packets = sofar.merging(relay?.packetsReceived ?? [:]) { $1 }
            countPackets(on: mailboxes.dropFirst(), sofar: packets, then: then)
        }
    }
}

extension AudioRelay {
    /// Packets received in the audio sessions that are active now.
    package var packetsReceived: [SessionID: UInt64] {
        var packets: [SessionID: UInt64] = [:]
        for index in 0..<state.pointee.capacity {
            let leg = state.pointee.legs + index
            guard leg.pointee.isInUse, leg.pointee.isActive else { continue }
            packets[leg.pointee.quality.session] = leg.pointee.quality.sent.received
        }
        return packets
    }
}
