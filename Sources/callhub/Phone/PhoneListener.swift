import HubClient
import HubMedia

/// What was heard in all.
struct HeardStatistics: Sendable {
    var packets = 0
    var latePackets = 0
    var concealedMilliseconds = 0
}

/// What the phone hears: a jitter buffer for each stream, mixed, and kept from the first connect to the end.
///
/// A sink that stores packets gets them as they came; its gaps follow the sender's clock, and from one stream to the
/// next the time of arrival.
final class PhoneListener {
    private var sink: (any SoundSink)?
    private var streams: [Stream] = []
    private var endedStreams = HeardStatistics()
    private var packetCount = 0
    /// When the recording began: the first tick with an open line.
    private var begin: Int64?
    /// How much of it is written, for packets.
    private var storedSamples = 0

    private struct Stream {
        let ssrc: UInt32
        let buffer: JitterBuffer
        var lastHeard: Int64
        /// The timestamp that follows the last stored packet; nil: none is stored yet.
        var nextTimestamp: UInt32?
    }

    init(sink: (any SoundSink)?) { self.sink = sink }

    /// Takes in what has arrived and gives out twenty milliseconds.
    func tick(isOpen: Bool, _ packets: [ReceivedAudio], at now: Int64) throws(MediaError) {
        if begin == nil, isOpen { begin = now }
        packetCount += packets.count
        for packet in packets { try take(packet, at: now) }
        guard begin != nil, let sink, !sink.storesPackets else { return }
        var mix = [Int32](repeating: 0, count: AudioFormat.samplesPerFrame)
        for stream in streams {
            for (index, sample) in stream.buffer.pull(at: now).enumerated() { mix[index] += Int32(sample) }
        }
        try keep { (sink) throws(MediaError) in try sink.append(mix.map { Int16(clamping: $0) }) }
        forgetSilentStreams(at: now)
    }

    /// Completes the recording.
    func close() throws(MediaError) {
        try sink?.close()
        sink = nil
    }

    /// What was heard so far.
    var statistics: HeardStatistics {
        var all = endedStreams
        all.packets = packetCount
        for stream in streams { all.add(stream.buffer.statistics) }
        return all
    }

    private func take(_ packet: ReceivedAudio, at now: Int64) throws(MediaError) {
        guard let sink else { return }
        let index: Int
        if let known = streams.firstIndex(where: { $0.ssrc == packet.ssrc }) {
            index = known
        } else {
            streams.append(Stream(ssrc: packet.ssrc, buffer: try JitterBuffer(), lastHeard: now))
            index = streams.count - 1
        }
        streams[index].lastHeard = now
        if sink.storesPackets { return try store(packet, streamAt: index, at: now) }
        packet.payload.withUnsafeBytes { payload in
            streams[index].buffer.insert(
                payload,
                sequenceNumber: packet.sequenceNumber,
                timestamp: packet.timestamp,
                isMarked: packet.marker,
                source: packet.ssrc,
                at: packet.arrival.nanoseconds
            )
        }
    }

    private func store(_ packet: ReceivedAudio, streamAt index: Int, at now: Int64) throws(MediaError) {
        guard let begin, let duration = OpusPacket.durationInSamples(of: packet.payload.span) else { return }
        let elapsed = Int(AudioFormat.samples(inNanoseconds: packet.arrival.nanoseconds - begin))
        var gap = max(0, elapsed - storedSamples) / AudioFormat.samplesPerFrame * AudioFormat.samplesPerFrame
        if let next = streams[index].nextTimestamp {
            let leap = Int(Int32(bitPattern: packet.timestamp &- next))
            // What comes late has its place taken; a leap that the time of arrival does not bear out is a new clock.
            guard leap >= 0 else { return }
            if leap <= gap + AudioFormat.samplesPerSecond { gap = leap }
        }
        streams[index].nextTimestamp = packet.timestamp &+ UInt32(duration)
        storedSamples += gap + duration
        try keep { (sink) throws(MediaError) in
            let result = packet.payload.withUnsafeBytes { payload in
                Result { () throws(MediaError) in try sink.append(packet: payload, afterGapOfSamples: gap) }
            }
            try result.get()
        }
    }

    /// Writes; a sink that fails once is left alone.
    private func keep(_ write: (any SoundSink) throws(MediaError) -> Void) throws(MediaError) {
        guard let sink else { return }
        do throws(MediaError) {
            try write(sink)
        } catch {
            try? sink.close()
            self.sink = nil
            throw error
        }
    }

    private func forgetSilentStreams(at now: Int64) {
        streams.removeAll { stream in
            guard now - stream.lastHeard > silenceOfAnEndedStream else { return false }
            endedStreams.add(stream.buffer.statistics)
            return true
        }
    }
}

extension HeardStatistics {
    fileprivate mutating func add(_ statistics: JitterStatistics) {
        latePackets += statistics.late
        concealedMilliseconds += statistics.concealedSamples / 48
    }
}

/// How long a stream may be silent before its buffer is given up.
///
/// Longer: a talker's pauses never cost him his timing; shorter: fewer buffers after many swaps. Ten seconds.
private let silenceOfAnEndedStream: Int64 = 10_000_000_000
