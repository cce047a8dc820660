/// A recorder of received RTP packets: gaps keep their length, duplicate and late packets are skipped.
///
/// Within one SSRC the RTP timestamps determine the length of a gap. Between two SSRCs (a swap of calls) and over a
/// jump of the timestamps the times of arrival do.
public final class PacketRecorder {
    /// The number of packets that were skipped because they were late, duplicate or not Opus.
    public private(set) var skippedPackets = 0

    private let sink: any AudioFrameSink
    private var source: UInt32?
    private var nextTimestamp: UInt32 = 0
    private var lastArrival: Int64 = 0
    private var consecutiveLatePackets = 0

    /// Creates a recorder without recorded packets.
    ///
    /// - Parameter sink: The sink of the packets; the caller closes it.
    public init(_ sink: any AudioFrameSink) {
        self.sink = sink
    }

    /// Records one packet.
    ///
    /// - Parameters:
    ///   - payload: The RTP payload: one Opus packet.
    ///   - timestamp: The RTP timestamp, at 48 kHz.
    ///   - source: The SSRC of the packet.
    ///   - now: The time of arrival in nanoseconds.
    /// - Throws: ``MediaError`` from the sink, such as `inputOutput`.
    public func record(
        _ payload: UnsafeRawBufferPointer,
        timestamp: UInt32,
        source: UInt32,
        at now: Int64
    ) throws(MediaError) {
        guard let duration = OpusPacket.durationInSamples(of: payload) else {
            skippedPackets += 1
            return
        }
        let step = Int64(Int32(bitPattern: timestamp &- nextTimestamp))
        // The duration of the packet itself is not a gap.
        let waited = AudioFormat.samples(inNanoseconds: max(0, now - lastArrival)) - Int64(duration)
        let gap: Int64
        if self.source == nil {
            gap = 0
        } else if self.source != source || step > max(0, waited) + Self.maximumTimestampLead
            || consecutiveLatePackets >= Self.maximumLatePackets
        {
            gap = waited < Self.minimumWaitSamples ? 0 : waited
        } else if step < 0 {
            skippedPackets += 1
            consecutiveLatePackets += 1
            return
        } else {
            gap = step
        }
        self.source = source
        nextTimestamp = timestamp &+ UInt32(duration)
        lastArrival = now
        consecutiveLatePackets = 0
        try sink.append(packet: payload, afterGapOfSamples: Int(clamping: gap))
    }

    /// Five seconds: timestamps further ahead of the clock have jumped.
    private static let maximumTimestampLead: Int64 = 240_000
    /// 40 ms: shorter waits by the clock are jitter, not gaps.
    private static let minimumWaitSamples: Int64 = 1_920
    /// A sender with so many late packets in a row has moved back in its timeline.
    private static let maximumLatePackets = 50
}
