import HubEngine
import HubWire

func fuzzRTPPacket(_ bytes: [UInt8]) {
    readPacket(bytes)
    readReports(bytes)
    countPackets(bytes)
}

private func readPacket(_ bytes: [UInt8]) {
    guard let packet = try? RTPPacket(parsing: bytes.span) else { return }
    precondition(packet.payloadRange.lowerBound >= RTPPacket.headerSize, "the payload begins in the header")
    precondition(packet.payloadRange.upperBound <= bytes.count, "the payload ends behind the packet")
    let payload = Array(bytes[packet.payloadRange])
    var written: [UInt8] = []
    RTPPacket.append(
        marker: packet.marker,
        payloadType: packet.payloadType,
        sequenceNumber: packet.sequenceNumber,
        timestamp: packet.timestamp,
        ssrc: packet.ssrc,
        payload: payload.span,
        to: &written
    )
    guard let again = try? RTPPacket(parsing: written.span) else { preconditionFailure("what was built is not read") }
    precondition(Array(written[again.payloadRange]) == payload, "the payload changed")
    precondition(again.ssrc == packet.ssrc && again.timestamp == packet.timestamp, "the header changed")
}

private func readReports(_ bytes: [UInt8]) {
    guard let reports = try? RTCPReports(parsing: bytes.span) else { return }
    var written: [UInt8] = []
    if let sender = reports.sender { RTCPReports.appendSenderReport(sender, to: &written) }
    for reception in reports.reportBlocks { RTCPReports.appendReceiverReport(from: 1, reception, to: &written) }
    guard !written.isEmpty else { return }
    guard let again = try? RTCPReports(parsing: written.span) else { preconditionFailure("what was built is not read") }
    precondition(again == reports, "the reports changed")
}

/// Each eleven bytes are a packet: its number, its timestamp, the time until it came, and whether a report is due.
private func countPackets(_ bytes: [UInt8]) {
    var statistics = ReceptionStatistics()
    var now = Instant(nanoseconds: 0)
    var rest = bytes[...]
    while rest.count >= 11 {
        let packet = Array(rest.prefix(11))
        rest = rest.dropFirst(11)
        let wait = packet[6..<10].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        now = now + .microseconds(Int64(wait))
        statistics.received(
            sequenceNumber: UInt16(packet[0]) << 8 | UInt16(packet[1]),
            timestamp: packet[2..<6].reduce(0) { $0 << 8 | UInt32($1) },
            at: now
        )
        guard packet[10] & 1 == 1 else { continue }
        guard let report = statistics.report(on: 1, at: now) else {
            preconditionFailure("nothing to report after a packet")
        }
        precondition((-0x80_0000...0x7F_FFFF).contains(report.cumulativeLost), "the loss has more than 24 bits")
    }
}
