/// Turns packets that come when they come into frames of 20 ms that are played one after the other.
///
/// It keeps no time and does no input or output: packets and their arrival times go in, frames come out when asked for.
/// One buffer serves one stream; whoever hears several has one for each SSRC. All calls come from one thread.
///
/// The delay follows the measured rules of ``DelayEstimator``: 40 ms on a clean link, where the decoded sound comes out bit
/// for bit. What is lost is repaired from the next packet's copy, or concealed for 100 ms, then silent. What is late is
/// dropped. After a stall whole periods of pitch are cut, up to twice the normal pace, and above 600 ms too much the oldest
/// packets are dropped. Pauses of the sender are known by contiguous sequence numbers with a leap of the timestamp.
public final class JitterBuffer {
    /// What a frame holds.
    public enum Output: Sendable, Equatable {
        /// Nothing is being received, or it is not yet time.
        case silence
        /// Decoded sound, at least in part.
        case sound
        /// Nothing but invented sound.
        case concealment
    }

    /// What was seen and done so far; ``reset()`` leaves it.
    public internal(set) var statistics = JitterStatistics()

    enum State: Equatable {
        /// No packet yet. Can transition to: `playing`.
        case empty
        /// Sound comes out. Can transition to: `starved`, `empty` (reset).
        case playing
        /// The next packet is missing or not yet due. Can transition to: `playing`, `empty` (reset).
        case starved
    }

    var state = State.empty
    var queue = PacketQueue()
    var estimator = DelayEstimator()
    /// Decoded sound that was not pulled yet.
    var sound: [Int16] = []
    /// The place in the sender's timeline after `sound`.
    var next: Int64 = 0
    /// The sequence number decoded last.
    var lastSequence: Int64?
    /// Whether the sender said with its last packet that it pauses.
    var isPausing = false
    /// Samples invented since the last decoded packet.
    var concealedRun = 0
    /// Samples invented since sound ran out, of which it is not yet known whether the sender paused.
    var starvedSamples = 0
    var isCatchingUp = false
    /// Frames until sound may be stretched again.
    var stretchPause = 0
    /// Sound whose continuation was dropped; it fades out under what comes next.
    var tail: [Int16] = []
    var decoder: OpusDecoder
    var scratch = [Int16](repeating: 0, count: OpusDecoder.roomForSound)

    private var timeline = MediaTimeline()
    private var clock = PlayoutClock()
    private var source: UInt32?
    private var lateRun = 0
    private var lastTransit: Int64?

    /// Makes a buffer for a stream of which nothing is known yet.
    ///
    /// - Throws: ``MediaError`` with code `codec` if libopus refuses to make a decoder.
    public init() throws(MediaError) {
        decoder = try OpusDecoder()
        sound.reserveCapacity(4 * OpusDecoder.roomForSound)
    }

    /// Takes in one packet.
    ///
    /// - Parameters:
    ///   - payload: The RTP payload: one Opus packet. It is copied.
    ///   - sequenceNumber: From the RTP header.
    ///   - timestamp: From the RTP header, at 48 kHz.
    ///   - isMarked: The RTP marker bit: a talk spurt begins, so a leap of the sender's clock is believed at once.
    ///   - source: The SSRC; another one than before starts anew.
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
        var place = timeline.place(sequenceNumber: sequenceNumber, timestamp: timestamp)
        if place.contradictsOrder || isHopelesslyLate(place) {
            restart()
            self.source = source
            place = timeline.place(sequenceNumber: sequenceNumber, timestamp: timestamp)
        }
        let entry = PacketQueue.Entry(
            start: place.start,
            sequence: place.sequence,
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

    /// Gives the next frame of 20 ms.
    ///
    /// - Parameters:
    ///   - output: Filled wholly; it must have 960 samples.
    ///   - now: The time in nanoseconds, on the same clock as for the packets. Being called late does no harm, as long as
    ///     there is one call for each 20 ms.
    /// - Returns: What the frame holds.
    @discardableResult
    public func pull(into output: UnsafeMutableBufferPointer<Int16>, at now: Int64) -> Output {
        precondition(output.count == AudioFormat.samplesPerFrame, "A jitter buffer gives frames of 960 samples.")
        let time = clock.tick(now)
        let offset = state == .playing ? 0 : samplesBeforeStart(at: time)
        if offset > 0 { fillWaiting(UnsafeMutableBufferPointer(rebasing: output.prefix(offset))) }
        guard offset < output.count else {
            return state == .starved && isConcealing ? .concealment : .silence
        }
        if state != .playing { start() }
        if offset == 0 { adapt(at: time) }
        return play(into: UnsafeMutableBufferPointer(rebasing: output.dropFirst(offset)))
    }

    /// Gives the next frame of 20 ms as an array.
    ///
    /// - Parameter now: The time in nanoseconds, on the same clock as for the packets.
    /// - Returns: 960 samples.
    public func pull(at now: Int64) -> [Int16] {
        var samples = [Int16](repeating: 0, count: AudioFormat.samplesPerFrame)
        samples.withUnsafeMutableBufferPointer { _ = pull(into: $0, at: now) }
        return samples
    }

    /// Forgets the stream, as at the beginning of another call; the statistics stay.
    public func reset() {
        restart()
        source = nil
        clock = PlayoutClock()
        statistics.restarts -= 1
    }

    private func restart() {
        state = .empty
        queue.removeAll()
        sound.removeAll(keepingCapacity: true)
        estimator = DelayEstimator()
        timeline = MediaTimeline()
        decoder.reset()
        lastSequence = nil
        isPausing = false
        concealedRun = 0
        starvedSamples = 0
        tail.removeAll()
        isCatchingUp = false
        lateRun = 0
        lastTransit = nil
        statistics.restarts += 1
    }

    private func store(_ entry: PacketQueue.Entry) {
        guard state == .empty || entry.end > next else {
            statistics.late += 1
            lateRun += 1
            return
        }
        lateRun = 0
        guard queue.insert(entry) else {
            statistics.duplicates += 1
            return
        }
        if queue.entries.count > Self.mostPackets {
            _ = queue.removeFirst()
            statistics.dropped += 1
        }
    }

    /// A stream of which nothing is in time for a second has gone back in its timeline for good.
    private func isHopelesslyLate(_ place: MediaTimeline.Place) -> Bool {
        lateRun >= Self.mostLatePackets && place.start < next
    }

    private func measureJitter(transit: Int64) {
        if let lastTransit {
            let difference = Double(abs(transit - lastTransit)) / 1e6
            statistics.jitterMilliseconds += (difference - statistics.jitterMilliseconds) / 16
        }
        lastTransit = transit
    }

    /// More would only fill memory: ten seconds of 20 ms packets are far beyond what is ever played.
    private static let mostPackets = 512
    /// Fewer take a burst of late packets for a new beginning.
    private static let mostLatePackets = 50
}
