import HubClient
import HubMedia

/// The timeline of a recording that stores received packets unchanged, from one talker at a time.
///
/// Gaps follow the sender's timestamps; between talkers, the time of arrival.
struct PacketTimeline {
    /// The start of the recording on the monotonic clock, in nanoseconds.
    let begin: Int64
    /// The length of the stored audio in samples.
    private(set) var storedSamples = 0
    /// The RTP timestamp after each source's last stored packet, by SSRC.
    private var nextTimestamps: [UInt32: UInt32] = [:]

    /// Creates an empty timeline.
    init(begin: Int64) { self.begin = begin }

    /// Places a packet, and returns the gap before it in samples; nil: it comes too late to be stored.
    mutating func place(_ packet: ReceivedAudio) -> Int? {
        guard let duration = OpusPacket.durationInSamples(of: packet.payload.span) else { return nil }
        var gap = missing(at: packet.arrival.nanoseconds)
        if let next = nextTimestamps[packet.ssrc] {
            let leap = Int(Int32(bitPattern: packet.timestamp &- next))
            // Later audio is stored in a late packet's place already. A leap far ahead of the arrival time is a new
            // clock of the sender.
            guard leap >= 0 else { return nil }
            if leap <= gap + AudioFormat.samplesPerSecond { gap = leap }
        }
        nextTimestamps[packet.ssrc] = packet.timestamp &+ UInt32(duration)
        storedSamples += gap + duration
        return gap
    }

    /// The time until `now` that is not stored, in samples, rounded down to whole frames.
    func missing(at now: Int64) -> Int {
        let elapsed = Int(AudioFormat.samples(inNanoseconds: now - begin))
        return max(0, elapsed - storedSamples) / AudioFormat.samplesPerFrame * AudioFormat.samplesPerFrame
    }

    /// Discards the state of sources that are no longer received.
    mutating func keep(only sources: Set<UInt32>) {
        nextTimestamps = nextTimestamps.filter { sources.contains($0.key) }
    }
}
