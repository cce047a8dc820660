/// A jitter buffer: it turns packets with irregular arrival times into consecutive frames of 20 ms.
///
/// It has no clock and does no input or output: packets and their arrival times go in, frames are pulled out. One
/// buffer serves one stream; a receiver of several streams has one for each SSRC. All calls come from one thread.
///
/// The delay follows ``DelayEstimator``: for a client 40 ms on a clean network, where the decoded audio is returned bit
/// for bit. Lost packets are repaired from the next packet's copy, or concealed for 100 ms, then silent. Late packets
/// are dropped. After a stall whole periods of pitch are cut, up to twice the normal speed, and above 600 ms too much
/// the oldest packets are dropped. A sender's pause is detected by contiguous sequence numbers with a jump of the
/// timestamp.
public final class JitterBuffer {
    /// The contents of a frame.
    public enum Output: Sendable, Equatable {
        /// Nothing is being received, or the first packet is not due yet.
        case silence
        /// Decoded audio, at least in part.
        case audio
        /// Concealment only.
        case concealment
    }

    /// The statistics so far; ``reset()`` keeps them.
    public internal(set) var statistics = JitterStatistics()

    enum State: Equatable {
        /// No packet yet. Can transition to: `playing`.
        case empty
        /// Audio is played. Can transition to: `underrun`, `empty` (reset).
        case playing
        /// The next packet is missing or not yet due. Can transition to: `playing`, `empty` (reset).
        case underrun
    }

    var state = State.empty
    var queue = PacketQueue()
    var estimator: DelayEstimator
    let settings: JitterBufferSettings
    /// Decoded samples that have not been pulled yet.
    var audio: [Int16] = []
    /// The position in the sender's timeline after `audio`, in samples.
    var next: Int64 = 0
    /// The extended sequence number decoded last.
    var lastSequence: Int64?
    /// True once the first packet of the stream, or of the part of it after ``suspend()``, was decoded.
    var hasBegun = false
    /// True if the sender's last packet signalled a pause.
    var isPausing = false
    /// The samples of concealment since the last decoded packet.
    var concealedRun = 0
    /// The samples of concealment since the audio ran out, which may turn out to be a pause of the sender.
    var underrunSamples = 0
    var isCatchingUp = false
    /// The frames until audio may be stretched again.
    var stretchPause = 0
    /// Audio whose continuation was dropped; it fades out, mixed with the audio that follows.
    var tail: [Int16] = []
    var decoder: OpusDecoder
    var scratch = [Int16](repeating: 0, count: OpusDecoder.maximumSampleCount)

    private var timeline = MediaTimeline()
    private var clock = PlayoutClock()
    private var source: UInt32?
    private var consecutiveLatePackets = 0
    private var lastTransit: Int64?

    /// Creates a buffer for a stream that has not begun.
    ///
    /// - Parameter settings: The compromise between delay and concealment.
    /// - Throws: ``MediaError`` with code `codec` if libopus fails to create a decoder.
    public init(_ settings: JitterBufferSettings = .listening) throws(MediaError) {
        self.settings = settings
        estimator = DelayEstimator(settings)
        decoder = try OpusDecoder()
        concealedRun = settings.fadeIn > 0 ? Self.maximumConcealment : 0
        audio.reserveCapacity(4 * OpusDecoder.maximumSampleCount)
    }

    /// Inserts one packet.
    ///
    /// - Parameters:
    ///   - payload: The RTP payload: one Opus packet. It is copied.
    ///   - sequenceNumber: The RTP sequence number.
    ///   - timestamp: The RTP timestamp, at 48 kHz.
    ///   - isMarked: The RTP marker bit: a talk spurt begins, so a jump of the sender's clock is accepted at once.
    ///   - source: The SSRC; a new one restarts the buffer.
    ///   - now: The time of arrival in nanoseconds, on the same clock as for ``pull(into:at:)``.
    public func insert(
        _ payload: UnsafeRawBufferPointer,
        sequenceNumber: UInt16,
        timestamp: UInt32,
        isMarked: Bool,
        source: UInt32,
        at now: Int64
    ) {
        statistics.packets += 1
        let bytes = payload.bindMemory(to: UInt8.self)
        guard let packet = OpusPacket(parsing: bytes.span) else {
            statistics.malformed += 1
            return
        }
        if let known = self.source, known != source { restart() }
        self.source = source
        var position = timeline.position(sequenceNumber: sequenceNumber, timestamp: timestamp)
        if position.contradictsOrder || hasTimelineMovedBack(position) {
            restart()
            self.source = source
            position = timeline.position(sequenceNumber: sequenceNumber, timestamp: timestamp)
        }
        let entry = PacketQueue.Entry(
            start: position.start,
            sequence: position.sequence,
            duration: packet.durationInSamples,
            packet: packet,
            payload: Array(payload)
        )
        let media = AudioFormat.nanoseconds(ofSamples: entry.start)
        measureJitter(transit: now - media)
        if estimator.observe(media: media, arrival: now, marker: isMarked) == .restarted { statistics.restarts += 1 }
        statistics.targetMilliseconds = Double(estimator.targetNanoseconds) / 1e6
        store(entry)
    }

    /// Returns the next frame of 20 ms.
    ///
    /// - Parameters:
    ///   - output: Filled completely; it must have 960 samples.
    ///   - now: The time in nanoseconds, on the same clock as for the packets. Late calls do no harm, as long as there
    ///     is one call for each 20 ms.
    /// - Returns: The kind of audio in the frame.
    @discardableResult
    public func pull(into output: UnsafeMutableBufferPointer<Int16>, at now: Int64) -> Output {
        precondition(output.count == AudioFormat.samplesPerFrame, "A jitter buffer gives frames of 960 samples.")
        let time = settings.hasExactTimes ? now : clock.tick(now)
        let offset = state == .playing ? 0 : samplesBeforeStart(at: time)
        if offset > 0 { fillDuringUnderrun(UnsafeMutableBufferPointer(rebasing: output.prefix(offset))) }
        guard offset < output.count else {
            return state == .underrun && isConcealing ? .concealment : .silence
        }
        if state != .playing { start() }
        if offset == 0 { adapt(at: time) }
        return play(into: UnsafeMutableBufferPointer(rebasing: output.dropFirst(offset)))
    }

    /// Returns the next frame of 20 ms as an array.
    ///
    /// - Parameter now: The time in nanoseconds, on the same clock as for the packets.
    /// - Returns: 960 samples.
    public func pull(at now: Int64) -> [Int16] {
        var samples = [Int16](repeating: 0, count: AudioFormat.samplesPerFrame)
        samples.withUnsafeMutableBufferPointer { _ = pull(into: $0, at: now) }
        return samples
    }

    /// Resets the buffer, for the beginning of another call; the statistics stay.
    public func reset() {
        restart()
        source = nil
        clock = PlayoutClock()
        statistics.restarts -= 1
    }

    /// Notes a packet that is not to be played, since it is silent; the next one played begins like a first one.
    ///
    /// The delay keeps following the network. For a buffer that is suspended.
    ///
    /// - Parameters:
    ///   - sequenceNumber: The RTP sequence number.
    ///   - timestamp: The RTP timestamp, at 48 kHz.
    ///   - now: The time of arrival in nanoseconds.
    public func skip(sequenceNumber: UInt16, timestamp: UInt32, at now: Int64) {
        guard state == .empty, queue.isEmpty else { return }
        let position = timeline.position(sequenceNumber: sequenceNumber, timestamp: timestamp)
        let media = AudioFormat.nanoseconds(ofSamples: position.start)
        _ = estimator.observe(media: media, arrival: now, marker: false)
    }

    /// Stops playout until the next packet, which then begins like a first one; the estimate of the delay stays.
    public func suspend() {
        stopPlaying()
        clock = PlayoutClock()
    }

    /// The position of the next sample to be pulled, in samples of the sender's timeline.
    public var position: Int64 { state == .empty ? queue.first?.start ?? 0 : next - Int64(audio.count) }

    /// The position after the last sample received, in samples of the sender's timeline; nil: nothing is queued.
    public var endPosition: Int64? {
        guard state != .empty else { return queue.last?.end }
        let end = max(queue.last?.end ?? next, next)
        return end > position ? end : nil
    }

    private func restart() {
        stopPlaying()
        estimator = DelayEstimator(settings)
        timeline = MediaTimeline()
        consecutiveLatePackets = 0
        lastTransit = nil
        statistics.restarts += 1
    }

    private func stopPlaying() {
        state = .empty
        queue.removeAll()
        audio.removeAll(keepingCapacity: true)
        decoder.reset()
        lastSequence = nil
        hasBegun = false
        isPausing = false
        concealedRun = settings.fadeIn > 0 ? Self.maximumConcealment : 0
        underrunSamples = 0
        tail.removeAll()
        isCatchingUp = false
    }

    private func store(_ entry: PacketQueue.Entry) {
        guard state == .empty || entry.end > next else {
            statistics.late += 1
            consecutiveLatePackets += 1
            return
        }
        consecutiveLatePackets = 0
        guard queue.insert(entry) else {
            statistics.duplicates += 1
            return
        }
        if queue.entries.count > Self.maximumPackets {
            _ = queue.removeFirst()
            statistics.dropped += 1
        }
    }

    /// Indicates that no packet has been in time for a second: the stream has moved back in its timeline for good.
    private func hasTimelineMovedBack(_ position: MediaTimeline.Position) -> Bool {
        consecutiveLatePackets >= Self.maximumLatePackets && position.start < next
    }

    private func measureJitter(transit: Int64) {
        if let lastTransit {
            let difference = Double(abs(transit - lastTransit)) / 1e6
            statistics.jitterMilliseconds += (difference - statistics.jitterMilliseconds) / 16
        }
        lastTransit = transit
    }

    /// The queue's capacity; more would only use memory: ten seconds of 20 ms packets are never played.
    private static let maximumPackets = 512
    /// Fewer: a burst of late packets would count as a restart.
    private static let maximumLatePackets = 50
}
