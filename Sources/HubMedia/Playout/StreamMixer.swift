/// Plays several streams at once: a jitter buffer for each, and the sum of what they give.
///
/// Like ``JitterBuffer`` it keeps no time and does no input or output, and all calls come from one thread. Who is heard is told
/// from outside (``play(only:)``); packets of anybody else are passed over.
public final class StreamMixer {
    private var streams: [(source: UInt32, buffer: JitterBuffer)] = []
    private var ended = (late: 0, concealed: 0)
    private var frame = [Int16](repeating: 0, count: AudioFormat.samplesPerFrame)
    private var sum = [Int32](repeating: 0, count: AudioFormat.samplesPerFrame)

    /// Makes a mixer that plays nobody yet.
    public init() {}

    /// Says whose packets are played from now on; what waits of anybody else is not played any more.
    ///
    /// - Parameter sources: SSRCs.
    /// - Throws: ``MediaError`` with code `codec` if libopus refuses to make a decoder.
    public func play(only sources: Set<UInt32>) throws(MediaError) {
        for stream in streams where !sources.contains(stream.source) {
            ended.late += stream.buffer.statistics.late
            ended.concealed += stream.buffer.statistics.concealedSamples
        }
        streams.removeAll { !sources.contains($0.source) }
        for source in sources where !streams.contains(where: { $0.source == source }) {
            streams.append((source, try JitterBuffer()))
        }
    }

    /// Takes in one packet.
    ///
    /// - Parameters:
    ///   - payload: The RTP payload: one Opus packet. It is copied.
    ///   - sequenceNumber: From the RTP header.
    ///   - timestamp: From the RTP header, at 48 kHz.
    ///   - isMarked: The RTP marker bit.
    ///   - source: The SSRC.
    ///   - now: The time of arrival in nanoseconds, on the same clock as for ``pull(into:at:)``.
    public func insert(
        _ payload: UnsafeRawBufferPointer,
        sequenceNumber: UInt16,
        timestamp: UInt32,
        isMarked: Bool,
        source: UInt32,
        at now: Int64
    ) {
        streams.first { $0.source == source }?.buffer.insert(
            payload,
            sequenceNumber: sequenceNumber,
            timestamp: timestamp,
            isMarked: isMarked,
            source: source,
            at: now
        )
    }

    /// Gives the next frame of 20 ms of all together; what is too loud for 16 bits is cut off.
    ///
    /// - Parameters:
    ///   - output: Filled wholly; it must have 960 samples.
    ///   - now: The time in nanoseconds, as for ``JitterBuffer/pull(into:at:)``.
    public func pull(into output: UnsafeMutableBufferPointer<Int16>, at now: Int64) {
        guard let first = streams.first else { return output.update(repeating: 0) }
        guard streams.count > 1 else {
            first.buffer.pull(into: output, at: now)
            return
        }
        for index in sum.indices { sum[index] = 0 }
        for stream in streams {
            frame.withUnsafeMutableBufferPointer { _ = stream.buffer.pull(into: $0, at: now) }
            for index in sum.indices { sum[index] += Int32(frame[index]) }
        }
        for index in sum.indices { output[index] = Int16(clamping: sum[index]) }
    }

    /// Packets that came too late to be played, of all streams so far.
    public var latePackets: Int { streams.reduce(ended.late) { $0 + $1.buffer.statistics.late } }

    /// Samples invented, or left silent, in place of lost sound, in all streams so far.
    public var concealedSamples: Int {
        streams.reduce(ended.concealed) { $0 + $1.buffer.statistics.concealedSamples }
    }
}
