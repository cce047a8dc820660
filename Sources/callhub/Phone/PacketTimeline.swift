import HubClient
import HubMedia

/// Where received packets belong in a recording that stores them as they came: one talker after the other.
///
/// Gaps follow the sender's clock; from one talker to the next, the time of arrival.
struct PacketTimeline {
    /// When the recording began.
    let begin: Int64
    /// How much of it is written.
    private(set) var storedSamples = 0
    /// The timestamp that follows each talker's last stored packet.
    private var nextTimestamps: [UInt32: UInt32] = [:]

    /// A recording that begins now.
    init(begin: Int64) { self.begin = begin }

    /// The gap before a packet, in samples; nil: it comes too late to be stored.
    mutating func place(_ packet: ReceivedAudio) -> Int? {
        guard let duration = OpusPacket.durationInSamples(of: packet.payload.span) else { return nil }
        var gap = missing(at: packet.arrival.nanoseconds)
        if let next = nextTimestamps[packet.ssrc] {
            let leap = Int(Int32(bitPattern: packet.timestamp &- next))
            // What comes late has its place taken; a leap that the time of arrival does not bear out is a new clock.
            guard leap >= 0 else { return nil }
            if leap <= gap + AudioFormat.samplesPerSecond { gap = leap }
        }
        nextTimestamps[packet.ssrc] = packet.timestamp &+ UInt32(duration)
        storedSamples += gap + duration
        return gap
    }

    /// How much of the time until `now` is not written, in whole frames of samples.
    func missing(at now: Int64) -> Int {
        let elapsed = Int(AudioFormat.samples(inNanoseconds: now - begin))
        return max(0, elapsed - storedSamples) / AudioFormat.samplesPerFrame * AudioFormat.samplesPerFrame
    }

    /// Forgets talkers who are not heard any more.
    mutating func keep(only sources: Set<UInt32>) {
        nextTimestamps = nextTimestamps.filter { sources.contains($0.key) }
    }
}
