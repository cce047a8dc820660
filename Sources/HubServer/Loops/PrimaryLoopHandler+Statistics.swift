package import HubEngine
package import HubWire
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

    /// Counts the packets in all active audio sessions.
    ///
    /// - Parameter then: Called later with the counts by session, on the hub's thread.
    func countPackets(then: @escaping ([SessionID: AdminAudio]) -> Void) {
        lastCollectionID &+= 1
        let number = lastCollectionID
        packetCountCollections[number] = then
        let mailboxes = loopIndex.context.mailboxes
        Self.countPackets(on: mailboxes[...], at: clock.now) { [mailbox = mailboxes[0]] packets in
            mailbox.post {
                ($0.handler as? PrimaryLoopHandler)?.packetCountCollections.removeValue(forKey: number)?(packets)
            }
        }
    }

    /// Counts on one loop after the other.
    private static func countPackets(
        on mailboxes: ArraySlice<Mailbox<ServerLoop>>,
        at now: Instant,
        sofar: [SessionID: AdminAudio] = [:],
        then: @escaping @Sendable ([SessionID: AdminAudio]) -> Void
    ) {
        guard let first = mailboxes.first else { return then(sofar) }
        first.post { loop in
            let relay = (loop.handler as? PrimaryLoopHandler)?.relay ?? (loop.handler as? WorkerLoopHandler)?.relay
            let packets = sofar.merging(relay?.packetCounts(at: now) ?? [:]) { $1 }
            countPackets(on: mailboxes.dropFirst(), at: now, sofar: packets, then: then)
        }
    }
}

extension AudioRelay {
    /// Returns the packets in the audio sessions that are active now.
    ///
    /// - Parameter now: The time by the hub's clock.
    /// - Returns: The counts by session.
    package func packetCounts(at now: Instant) -> [SessionID: AdminAudio] {
        var counts: [SessionID: AdminAudio] = [:]
        for index in 0..<state.pointee.capacity {
            let leg = state.pointee.legs + index
            guard leg.pointee.isInUse, leg.pointee.isActive,
                let quality = quality(of: leg.pointee.quality.session, at: now)
            else { continue }
            let drops = quality.sent.drops
            counts[quality.session] = AdminAudio(
                received: quality.sent.received,
                lost: max(0, quality.sent.lost),
                dropped: drops.indices.reduce(0) { $0 &+ drops[$1] },
                droppedSlow: quality.delivery.droppedSlow,
                // The unit is 1/48 ms.
                jitterMicroseconds: UInt32(clamping: UInt64(leg.pointee.reception.jitter) * 1_000 / 48)
            )
        }
        return counts
    }
}
