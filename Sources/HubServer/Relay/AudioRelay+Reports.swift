import HubEngine
import HubWire

/// RTCP receiver reports to the active clients, each ten ticks of 20 ms one (docs/protocol.md, Audio).
extension AudioRelay {
    /// Says that a tenth of the clients are due a report, and sends those that have found no company.
    ///
    /// A report goes right in front of the next packet to its client, made at that moment: one write for both.
    ///
    /// - Parameters:
    ///   - turn: which tenth, any number.
    ///   - now: nanoseconds of the hub's clock.
    func sendReports(turn: Int64, at now: Instant) {
        for leg in legs(ofTurn: turn &- Self.reportPatience) where leg.pointee.isDueReport {
            sendDueReport(to: leg, at: now)
            outlet.flushAudio(of: leg.pointee.connection)
        }
        for leg in legs(ofTurn: turn) { leg.pointee.isDueReport = leg.pointee.isInUse && leg.pointee.isActive }
    }

    /// Hands a client's report to its socket, where it waits for the packet behind it.
    func sendDueReport(to leg: UnsafeMutablePointer<RelayLeg>, at now: Instant) {
        leg.pointee.isDueReport = false
        guard leg.pointee.isActive, leg.pointee.connection != .none,
            let report = leg.pointee.reception.report(on: leg.pointee.ssrc, at: now)
        else { return }
        state.pointee.reportBytes.removeAll(keepingCapacity: true)
        RTCPReports.appendReceiverReport(from: state.pointee.ownSSRC, report, to: &state.pointee.reportBytes)
        let memory = state.pointee.reportScratch
        state.pointee.reportBytes.withUnsafeBytes { memory.copyMemory(from: $0) }
        let packet = UnsafeMutableRawBufferPointer(rebasing: memory[..<state.pointee.reportBytes.count])
        _ = outlet.sendAudio(packet, to: leg.pointee.connection, kind: .report, joins: false)
    }

    private func legs(ofTurn turn: Int64) -> some Sequence<UnsafeMutablePointer<RelayLeg>> {
        let (legs, capacity) = (state.pointee.legs, state.pointee.capacity)
        let first = Int(((turn % 10) + 10) % 10)
        return stride(from: first, to: capacity, by: 10).lazy.map { legs + $0 }
    }

    /// Ticks that a report waits for a packet to its client.
    ///
    /// More: fewer writes where packets are rare; reports come less evenly.
    private static var reportPatience: Int64 { 4 }
}
