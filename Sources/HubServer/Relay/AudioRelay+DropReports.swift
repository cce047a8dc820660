import HubEngine

/// Reports of dropped packets for the clients that asked for them (docs/protocol.md, Audio, Dropped packets).
extension AudioRelay {
    /// Collects the drops of a tenth of the clients, each at most once in an interval.
    ///
    /// A client with queued output is skipped; its drops are reported at a later tick.
    ///
    /// - Parameters:
    ///   - tick: The number of the tick of 20 ms; it decides which tenth.
    ///   - now: The hub's clock.
    ///   - interval: The shortest time between two reports to one client, in nanoseconds.
    ///   - report: Receives each report.
    func reportDrops(tick: Int64, at now: Instant, interval: Int64, to report: (DropReport) -> Void) {
        guard state.pointee.dropReportingLegs > 0 else { return }
        for leg in legs(ofTick: tick) where leg.pointee.isInUse && leg.pointee.isActive && leg.pointee.reportsDrops {
            guard now.nanoseconds &- leg.pointee.dropsReportedAt >= interval,
                let waiting = outlet.audioDroppedIfWritable(by: leg.pointee.connection)
            else { continue }
            var drops = leg.pointee.quality.drops
            drops.slow &+= UInt64(waiting)
            guard let taken = takeDrops(drops, of: leg, at: now) else { continue }
            report(taken)
        }
    }

    /// Takes the unreported drops of an audio session that ends; nil: there are none, or the client did not ask.
    func takeLastDrops(of leg: UnsafeMutablePointer<RelayLeg>, at now: Instant) -> DropReport? {
        guard leg.pointee.reportsDrops else { return nil }
        return takeDrops(leg.pointee.quality.drops, of: leg, at: now)
    }

    private func takeDrops(
        _ drops: PacketDrops,
        of leg: UnsafeMutablePointer<RelayLeg>,
        at now: Instant
    ) -> DropReport? {
        let news = drops - leg.pointee.reportedDrops
        guard news.concernsClient else { return nil }
        leg.pointee.reportedDrops = drops
        leg.pointee.dropsReportedAt = now.nanoseconds
        return DropReport(session: leg.pointee.quality.session, ssrc: leg.pointee.ssrc, drops: news)
    }
}
