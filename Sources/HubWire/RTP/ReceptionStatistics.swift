public import HubEngine

/// What a receiver keeps of one source, to report on it (RFC 3550 appendix A.1, A.3 and A.8).
///
/// Plain data of fixed size; the times come in. There is no probation as in A.1: the hub gave out the SSRC, so the
/// first packet that carries it is valid.
public struct ReceptionStatistics: Hashable, Sendable {
    /// Packets received since the source began, those that came twice or late included.
    public private(set) var packetsReceived: UInt32 = 0

    private let clockRate: UInt32
    private var hasBegun = false
    private var baseSequenceNumber: UInt32 = 0
    private var highestSequenceNumber: UInt16 = 0
    /// What the wraps of the sequence number add up to.
    private var cycles: UInt32 = 0
    /// The number after that of a packet that jumped too far: if it comes next, the source has begun anew.
    private var expectedAfterJump: UInt16?

    private var expectedAtLastReport: UInt32 = 0
    private var receivedAtLastReport: UInt32 = 0

    /// The arrival of the first packet: the zero of transit times.
    private var origin = Instant(nanoseconds: 0)
    private var lastTransit: UInt32 = 0
    /// The jitter times 16, so that its fractions are kept.
    private var scaledJitter: UInt32 = 0

    private var lastSenderReport: UInt32 = 0
    private var lastSenderReportArrival: Instant?

    /// Statistics of a source whose timestamps count so many ticks in a second.
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
        if step < largestGap {
            if sequenceNumber < highestSequenceNumber { cycles &+= 65_536 }
            highestSequenceNumber = sequenceNumber
            expectedAfterJump = nil
        } else if step <= UInt16.max - largestDisorder + 1 {
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

    /// Notes a sender report of the source, for the round trip that its sender works out.
    public mutating func received(_ sender: RTCPReports.SenderInfo, at arrival: Instant) {
        lastSenderReport = sender.middleOfNTPTimestamp
        lastSenderReportArrival = arrival
    }

    /// The report block on the source, and the start of the next interval; nil: nothing was ever received.
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

    /// Packets that never came, those of a sequence number that came twice taken off.
    public var lost: Int64 {
        hasBegun ? Int64(extendedHighestSequenceNumber &- baseSequenceNumber &+ 1) - Int64(packetsReceived) : 0
    }

    /// The highest sequence number received, with the count of its cycles above.
    public var extendedHighestSequenceNumber: UInt32 { cycles &+ UInt32(highestSequenceNumber) }

    /// The interarrival jitter, in ticks of the source's clock.
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

    /// Ticks of the source's clock since the first packet; differences are what counts, so it may wrap.
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

/// How far ahead a sequence number may be and still be taken as loss (RFC 3550's MAX_DROPOUT).
///
/// Larger: longer outages count as loss; smaller: a source that has begun anew is seen sooner.
private let largestGap: UInt16 = 3_000

/// How far behind a sequence number may be and still be taken as late (RFC 3550's MAX_MISORDER).
private let largestDisorder: UInt16 = 100
