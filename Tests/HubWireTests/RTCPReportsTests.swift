import HubWire
import Testing

@Suite struct RTCPReportsTests {
    private static let reception = ReceptionReport(
        ssrc: 0xCAFE_BABE,
        fractionLost: 64,
        cumulativeLost: -2,
        extendedHighestSequenceNumber: 0x0001_0203,
        jitter: 77,
        lastSenderReport: 0xAABB_CCDD,
        delaySinceLastSenderReport: 65_536
    )

    private static let sender = RTCPReports.SenderInfo(
        ssrc: 0xDEAD_BEEF,
        ntpTimestamp: 0x0123_4567_89AB_CDEF,
        rtpTimestamp: 48_000,
        packetCount: 50,
        octetCount: 4_000
    )

    @Test func `a receiver report has the layout of RFC 3550`() {
        var bytes: [UInt8] = []
        RTCPReports.appendReceiverReport(from: 0xDEAD_BEEF, Self.reception, to: &bytes)
        #expect(
            bytes == [
                0x81, 201, 0, 7, 0xDE, 0xAD, 0xBE, 0xEF, 0xCA, 0xFE, 0xBA, 0xBE, 64, 0xFF, 0xFF, 0xFE,
                0, 1, 2, 3, 0, 0, 0, 77, 0xAA, 0xBB, 0xCC, 0xDD, 0, 1, 0, 0,
            ]
        )
        #expect(RTPPacket.isRTCP(secondByte: bytes[1]))
    }

    @Test func `reports are parsed as they were built`() throws {
        let reports = try read(compound())
        #expect(reports.sender == Self.sender)
        #expect(reports.reportBlocks == [Self.reception, Self.reception])
        #expect(Self.sender.middleOfNTPTimestamp == 0x4567_89AB)
    }

    @Test func `packets of other types are skipped`() throws {
        let description: [UInt8] = [0x81, 202, 0, 2, 0, 0, 0, 1, 1, 1, 0x61, 0]
        let reports = try read(description + compound() + description)
        #expect(reports.reportBlocks.count == 2)
    }

    @Test(arguments: [
        (-8_388_608 as Int32, -8_388_608 as Int32), (8_388_607, 8_388_607), (.min, -8_388_608), (.max, 8_388_607),
        (-1, -1),
    ])
    func `the count of lost packets is a signed 24-bit number`(lost: Int32, read: Int32) throws {
        var bytes: [UInt8] = []
        RTCPReports.appendReceiverReport(from: 1, ReceptionReport(ssrc: 2, cumulativeLost: lost), to: &bytes)
        #expect(try self.read(bytes).reportBlocks.first?.cumulativeLost == read)
    }

    @Test func `padding after the last packet is ignored`() throws {
        var bytes: [UInt8] = [0xA0, 201, 0, 2, 0, 0, 0, 1, 0, 0, 0, 4]
        #expect(try read(bytes).reportBlocks.isEmpty)
        bytes[0] = 0xA1
        #expect(throws: RTCPReports.Fault.truncated) { try read(bytes) }
    }

    @Test(arguments: [
        ([], RTCPReports.Fault.truncated),
        ([0x80, 201, 0], .truncated),
        ([0x80, 201, 0, 0], .truncated),
        ([0x80, 201, 0, 1], .truncated),
        ([0x81, 201, 0, 1, 0, 0, 0, 1], .truncated),
        ([0x80, 200, 0, 1, 0, 0, 0, 1], .truncated),
        ([0x80, 202, 0xFF, 0xFF, 0, 0, 0, 0], .truncated),
        ([0x40, 201, 0, 1, 0, 0, 0, 1], .wrongVersion),
        ([0x80, 111, 0, 1, 0, 0, 0, 1], .wrongType),
        ([0x80, 201, 0, 1, 0, 0, 0, 1, 0], .truncated),
        ([0xA0, 202, 0, 1, 0, 0, 0, 0], .wrongPadding),
        ([0xA0, 202, 0, 1, 0, 0, 0, 3], .wrongPadding),
        ([0xA0, 202, 0, 1, 0, 0, 0, 8], .wrongPadding),
        ([0xA0, 202, 0, 1, 0, 0, 0, 4, 0x80, 202, 0, 1, 0, 0, 0, 0], .wrongPadding),
    ])
    func `invalid RTCP is refused with a distinct reason`(bytes: [UInt8], fault: RTCPReports.Fault) {
        #expect(throws: fault) { try read(bytes) }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `arbitrary bytes are parsed without a crash`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<2_000 {
            var bytes = random.flag() ? compound() : random.bytes(upTo: 60)
            for _ in 0..<random.number(1...3) where !bytes.isEmpty {
                bytes[random.number(0...bytes.count - 1)] = random.number(0...255)
            }
            _ = try? read(bytes)
        }
    }

    private func compound() -> [UInt8] {
        var bytes: [UInt8] = []
        RTCPReports.appendSenderReport(Self.sender, to: &bytes)
        RTCPReports.appendReceiverReport(from: 0xDEAD_BEEF, Self.reception, to: &bytes)
        RTCPReports.appendReceiverReport(from: 0xDEAD_BEEF, Self.reception, to: &bytes)
        return bytes
    }

    private func read(_ bytes: [UInt8]) throws(RTCPReports.Fault) -> RTCPReports {
        try RTCPReports(parsing: bytes.span)
    }
}
