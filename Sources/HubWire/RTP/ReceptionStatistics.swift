public import HubEngine

/// The statistics of one source for reception reports (RFC 3550 appendix A.1, A.3 and A.8).
///
/// Plain data of fixed size; times are parameters. There is no probation as in A.1: the hub has assigned the SSRC, so
/// that the first packet with it is valid.
public struct ReceptionStatistics: Hashable, Sendable {
    /// The number of packets received since the source began, duplicates and late ones included.
    public private(set) var packetsReceived: UInt32 = 0

    private let clockRate: UInt32
    private var hasBegun = false
    private var baseSequenceNumber: UInt32 = 0
    private var highestSequenceNumber: UInt16 = 0
    /// The sum of the sequence number's wraps: 65,536 for each.
    private var cycles: UInt32 = 0
    /// The number after that of a packet that jumped too far: if it comes next, the source has restarted.
    private var expectedAfterJump: UInt16?

    private var expectedAtLastReport: UInt32 = 0
    private var receivedAtLastReport: UInt32 = 0

    /// The arrival of the first packet, from which transit times are counted.
    private var origin = Instant(nanoseconds: 0)
    private var lastTransit: UInt32 = 0
    /// The jitter times 16, which keeps its fractions.
    private var scaledJitter: UInt32 = 0

    private var lastSenderReport: UInt32 = 0
    private var lastSenderReportArrival: Instant?

    /// Creates the statistics of a source with a clock rate in Hz.
    public init(clockRate: UInt32 = 48_000) {
        self.clockRate = clockRate
    }

    /// Counts a packet of the source.
    public mutating func received(sequenceNumber: UInt16, timestamp: UInt32, at arrival: Instant) {
        guard hasBegun else {
            begin(at: sequenceNumber, timestamp: timestamp, arrival)
            return
        }
        let step = sequenceNumber &- highestSequenceNumber
        if step < maximumDropout {
            if sequenceNumber < highestSequenceNumber { cycles &+= 65_536 }
            highestSequenceNumber = sequenceNumber
            expectedAfterJump = nil
        } else if step <= UInt16.max - maximumMisorder + 1 {
            if sequenceNumber == expectedAfterJump {
                begin(at: sequenceNumber, timestamp: timestamp, arrival)
            } else {
                expectedAfterJump = sequenceNumber &+ 1
            }
            return
        }
        packetsReceived &+= 1
        updateJitter(timestamp: timestamp, arrival)
    }

    /// Records a sender report of the source, whose sender computes the round-trip time from the next report.
    public mutating func received(_ sender: RTCPReports.SenderInfo, at arrival: Instant) {
        lastSenderReport = sender.middleOfNTPTimestamp
        lastSenderReportArrival = arrival
    }

    /// The report block of the source, which begins the next interval; nil: no packet was received.
    public mutating func report(on ssrc: UInt32, at now: Instant) -> ReceptionReport? {
        guard hasBegun else { return nil }
        let expected = extendedHighestSequenceNumber &- baseSequenceNumber &+ 1
        let expectedInInterval = expected &- expectedAtLastReport
        let receivedInInterval = packetsReceived &- receivedAtLastReport
        expectedAtLastReport = expected
        receivedAtLastReport = packetsReceived
        let lostInInterval = Int64(expectedInInterval) - Int64(receivedInInterval)
        let fraction = lostInInterval > 0 ? lostInInterval * 256 / Int64(max(1, expectedInInterval)) : 0
        return ReceptionReport(
            ssrc: ssrc,
            fractionLost: UInt8(min(255, fraction)),
            cumulativeLost: Int32(max(-0x80_0000, min(0x7F_FFFF, lost))),
            extendedHighestSequenceNumber: extendedHighestSequenceNumber,
            jitter: jitter,
            lastSenderReport: lastSenderReport,
            delaySinceLastSenderReport: delay(at: now)
        )
    }

    /// The number of packets lost, less the number of duplicates.
    public var lost: Int64 {
        hasBegun ? Int64(extendedHighestSequenceNumber &- baseSequenceNumber &+ 1) - Int64(packetsReceived) : 0
    }

    /// The highest sequence number received, with the number of its cycles in the upper 16 bits.
    public var extendedHighestSequenceNumber: UInt32 { cycles &+ UInt32(highestSequenceNumber) }

    /// The interarrival jitter in timestamp units.
    public var jitter: UInt32 { scaledJitter >> 4 }

    private mutating func begin(at sequenceNumber: UInt16, timestamp: UInt32, _ arrival: Instant) {
        hasBegun = true
        baseSequenceNumber = UInt32(sequenceNumber)
        highestSequenceNumber = sequenceNumber
        cycles = 0
        expectedAfterJump = nil
        packetsReceived = 1
        expectedAtLastReport = 0
        receivedAtLastReport = 0
        origin = arrival
        lastTransit = 0 &- timestamp
        scaledJitter = 0
    }

    private mutating func updateJitter(timestamp: UInt32, _ arrival: Instant) {
        let transit = ticks(until: arrival) &- timestamp
        let difference = Int32(bitPattern: transit &- lastTransit).magnitude
        lastTransit = transit
        scaledJitter = scaledJitter &+ difference &- ((scaledJitter &+ 8) >> 4)
    }

    /// The time since the first packet in timestamp units; only differences are used, so that it may wrap.
    private func ticks(until arrival: Instant) -> UInt32 {
        let (seconds, rest) = arrival.nanoseconds(since: origin).quotientAndRemainder(dividingBy: 1_000_000_000)
        return UInt32(truncatingIfNeeded: seconds &* Int64(clockRate) &+ rest * Int64(clockRate) / 1_000_000_000)
    }

    private func delay(at now: Instant) -> UInt32 {
        guard let lastSenderReportArrival else { return 0 }
        let nanoseconds = max(0, now.nanoseconds(since: lastSenderReportArrival))
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return UInt32(clamping: seconds &* 65_536 &+ rest * 65_536 / 1_000_000_000)
    }
}

/// The largest forward step of the sequence number that counts as loss (RFC 3550's MAX_DROPOUT).
///
/// Larger: longer outages count as loss; smaller: a source that has restarted is detected sooner.
private let maximumDropout: UInt16 = 3_000

/// The largest backward step of the sequence number that counts as late (RFC 3550's MAX_MISORDER).
private let maximumMisorder: UInt16 = 100
