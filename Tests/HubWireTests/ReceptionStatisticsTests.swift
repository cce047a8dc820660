import HubEngine
import HubWire
import Testing

@Suite struct ReceptionStatisticsTests {
    @Test func `without received packets there is nothing to report`() {
        var statistics = ReceptionStatistics()
        let report = statistics.report(on: 1, at: time(0))
        #expect(report == nil)
    }

    @Test func `a steady stream has no loss and no jitter`() throws {
        var statistics = ReceptionStatistics()
        feed(&statistics, 0..<100)
        let report = try report(&statistics, 2_000)
        #expect(report == ReceptionReport(ssrc: 7, extendedHighestSequenceNumber: 99))
        #expect(statistics.packetsReceived == 100)
    }

    @Test func `the fraction lost is that of the interval since the last report`() throws {
        var statistics = ReceptionStatistics()
        feed(&statistics, (0..<100).filter { $0 % 4 != 3 || $0 == 99 })
        let first = try report(&statistics, 2_000)
        #expect(first.cumulativeLost == 24)
        #expect(first.fractionLost == 61)  // 24 * 256 / 100, cut
        feed(&statistics, 100..<200)
        let second = try report(&statistics, 4_000)
        #expect(second.cumulativeLost == 24)
        #expect(second.fractionLost == 0)
    }

    @Test func `an interval without packets has no fraction lost`() throws {
        var statistics = ReceptionStatistics()
        feed(&statistics, 0..<10)
        _ = statistics.report(on: 7, at: time(200))
        let report = try report(&statistics, 400)
        #expect(report.fractionLost == 0)
    }

    @Test func `duplicate packets make the cumulative loss negative, not the fraction`() throws {
        var statistics = ReceptionStatistics()
        feed(&statistics, [0, 1, 1, 1, 2])
        let report = try report(&statistics, 200)
        #expect(report.cumulativeLost == -2)
        #expect(report.fractionLost == 0)
    }

    @Test func `a late packet is not lost and does not lower the highest sequence number`() throws {
        var statistics = ReceptionStatistics()
        feed(&statistics, [0, 2, 3, 1])
        let report = try report(&statistics, 200)
        #expect(report.cumulativeLost == 0)
        #expect(report.extendedHighestSequenceNumber == 3)
    }

    @Test func `the sequence number's wraps are counted in its upper 16 bits`() throws {
        var statistics = ReceptionStatistics()
        feed(&statistics, 65_530..<65_550)
        feed(&statistics, [65_540, 65_535])
        let report = try report(&statistics, 2_000)
        #expect(report.extendedHighestSequenceNumber == 65_549)
        #expect(report.cumulativeLost == -2)
    }

    @Test func `one packet with a distant sequence number is ignored, two in a row restart the statistics`() throws {
        var statistics = ReceptionStatistics()
        feed(&statistics, 0..<10)
        feed(&statistics, [30_000])
        #expect(statistics.extendedHighestSequenceNumber == 9)
        #expect(statistics.packetsReceived == 10)
        feed(&statistics, [10, 40_000, 40_001, 40_002])
        let report = try report(&statistics, 2_000)
        #expect(report.extendedHighestSequenceNumber == 40_002)
        #expect(report.cumulativeLost == 0)
    }

    @Test func `jitter follows RFC 3550 A 8`() {
        // Packets that are 0, 10, 0, 10 … ms late: |D| is 480 ticks each time, J += (|D| - J) / 16.
        var statistics = ReceptionStatistics()
        var expected = 0.0
        for number in 0..<64 {
            statistics.received(
                sequenceNumber: UInt16(number),
                timestamp: UInt32(number * 960),
                at: time(number * 20 + number % 2 * 10)
            )
            if number > 0 { expected += (480 - expected) / 16 }
        }
        #expect(abs(Double(statistics.jitter) - expected) <= 1)
        #expect(statistics.jitter > 450)
    }

    @Test func `the timestamp's wrap causes no jitter`() {
        var statistics = ReceptionStatistics()
        for number in 0..<20 as Range<UInt32> {
            statistics.received(
                sequenceNumber: UInt16(number),
                timestamp: UInt32.max - 4_800 &+ number &* 960,
                at: time(Int(number) * 20)
            )
        }
        #expect(statistics.jitter == 0)
    }

    @Test func `the delay since a sender report is in units of 1/65536 s`() throws {
        var statistics = ReceptionStatistics()
        feed(&statistics, 0..<2)
        let sender = RTCPReports.SenderInfo(
            ssrc: 7,
            ntpTimestamp: 0x0123_4567_89AB_CDEF,
            rtpTimestamp: 0,
            packetCount: 2,
            octetCount: 0
        )
        statistics.received(sender, at: time(1_000))
        let report = try report(&statistics, 2_500)
        #expect(report.lastSenderReport == 0x4567_89AB)
        #expect(report.delaySinceLastSenderReport == 98_304)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `arbitrary numbers at arbitrary times cause no crash`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var statistics = ReceptionStatistics(clockRate: random.one(of: [1, 48_000, .max]))
        for _ in 0..<3_000 {
            let instant = Instant(nanoseconds: random.number(Int64.min...Int64.max))
            switch random.number(0...9) {
            case 0:
                _ = statistics.report(on: 1, at: instant)
            case 1:
                let sender = RTCPReports.SenderInfo(
                    ssrc: 1,
                    ntpTimestamp: random.next(),
                    rtpTimestamp: 0,
                    packetCount: 0,
                    octetCount: 0
                )
                statistics.received(sender, at: instant)
            default:
                statistics.received(
                    sequenceNumber: random.number(0...UInt16.max),
                    timestamp: random.number(0...UInt32.max),
                    at: instant
                )
            }
        }
    }

    /// Packets of 20 ms, each on time by its number.
    private func feed(_ statistics: inout ReceptionStatistics, _ numbers: some Sequence<Int>) {
        for number in numbers {
            statistics.received(
                sequenceNumber: UInt16(truncatingIfNeeded: number),
                timestamp: UInt32(number * 960),
                at: time(number * 20)
            )
        }
    }

    private func report(_ statistics: inout ReceptionStatistics, _ milliseconds: Int) throws -> ReceptionReport {
        let report = statistics.report(on: 7, at: time(milliseconds))
        return try #require(report)
    }

    private func time(_ milliseconds: Int) -> Instant {
        Instant(nanoseconds: Int64(milliseconds) * 1_000_000)
    }
}
