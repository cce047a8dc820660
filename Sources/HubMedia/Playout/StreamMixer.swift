/// A mixer of several streams: a jitter buffer for each, and the sum of their frames.
///
/// Like ``JitterBuffer`` it has no clock and does no input or output, and all calls come from one thread. The audible
/// sources are set by ``play(only:)``; packets of other sources are discarded.
public final class StreamMixer {
    private var streams: [(source: UInt32, buffer: JitterBuffer)] = []
    private var removedStreams = (late: 0, concealed: 0)
    private var frame = [Int16](repeating: 0, count: AudioFormat.samplesPerFrame)
    private var sum = [Int32](repeating: 0, count: AudioFormat.samplesPerFrame)

    /// Creates a mixer without sources.
    public init() {}

    /// Sets the sources that are played from now on; queued packets of other sources are discarded.
    ///
    /// - Parameter sources: The SSRCs to play.
    /// - Throws: ``MediaError`` with code `codec` if libopus fails to create a decoder.
    public func play(only sources: Set<UInt32>) throws(MediaError) {
        for stream in streams where !sources.contains(stream.source) {
            removedStreams.late += stream.buffer.statistics.late
            removedStreams.concealed += stream.buffer.statistics.concealedSamples
        }
        streams.removeAll { !sources.contains($0.source) }
        for source in sources where !streams.contains(where: { $0.source == source }) {
            streams.append((source, try JitterBuffer()))
        }
    }

    /// Inserts one packet.
    ///
    /// - Parameters:
    ///   - payload: The RTP payload: one Opus packet. It is copied.
    ///   - sequenceNumber: The RTP sequence number.
    ///   - timestamp: The RTP timestamp, at 48 kHz.
    ///   - isMarked: The RTP marker bit.
    ///   - source: The SSRC; packets of sources that are not played are discarded.
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

    /// Returns the next frame of 20 ms of all streams; the sum is clipped to 16 bits.
    ///
    /// - Parameters:
    ///   - output: Filled completely; it must have 960 samples.
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

    /// The number of packets that arrived too late for playout, of all streams so far.
    public var latePackets: Int { streams.reduce(removedStreams.late) { $0 + $1.buffer.statistics.late } }

    /// The samples concealed, or left silent, in place of lost audio, of all streams so far.
    public var concealedSamples: Int {
        streams.reduce(removedStreams.concealed) { $0 + $1.buffer.statistics.concealedSamples }
    }
}
