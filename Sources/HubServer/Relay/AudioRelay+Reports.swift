import HubEngine
import HubWire

/// RTCP receiver reports to the active clients, one each every ten ticks of 20 ms (docs/protocol.md, Audio).
extension AudioRelay {
    /// Marks a tenth of the clients as due a report, and sends overdue reports on their own.
    ///
    /// A report is made at the moment of the next packet to its client and sent right in front of it: one write for
    /// both.
    ///
    /// - Parameters:
    ///   - tick: The number of the tick, which selects the tenth modulo 10.
    ///   - now: The time by the hub's clock.
    func sendReports(tick: Int64, at now: Instant) {
        for leg in legs(ofTick: tick &- Self.reportCoalescingTicks) where leg.pointee.isReportDue {
            sendDueReport(to: leg, at: now)
            outlet.flushAudio(of: leg.pointee.connection)
        }
        for leg in legs(ofTick: tick) { leg.pointee.isReportDue = leg.pointee.isInUse && leg.pointee.isActive }
    }

    /// Queues a client's report, which is written together with the next packet to it.
    func sendDueReport(to leg: UnsafeMutablePointer<RelayLeg>, at now: Instant) {
        leg.pointee.isReportDue = false
        guard leg.pointee.isActive, leg.pointee.connection != .none,
            let report = leg.pointee.reception.report(on: leg.pointee.ssrc, at: now)
        else { return }
        state.pointee.reportBytes.removeAll(keepingCapacity: true)
        RTCPReports.appendReceiverReport(from: state.pointee.ownSSRC, report, to: &state.pointee.reportBytes)
        state.pointee.reportBytes.withUnsafeBytes {
            _ = outlet.sendAudio($0, to: leg.pointee.connection, kind: .report, mayCoalesce: false)
        }
    }

    /// Returns the tenth of all legs that are served in a tick.
    func legs(ofTick tick: Int64) -> some Sequence<UnsafeMutablePointer<RelayLeg>> {
        let (legs, capacity) = (state.pointee.legs, state.pointee.capacity)
        let first = Int(((tick % 10) + 10) % 10)
        return stride(from: first, to: capacity, by: 10).lazy.map { legs + $0 }
    }

    /// The number of ticks that a report waits for a packet to its client.
    ///
    /// More: fewer writes when packets are rare; reports are sent less evenly.
    private static var reportCoalescingTicks: Int64 { 4 }
}
