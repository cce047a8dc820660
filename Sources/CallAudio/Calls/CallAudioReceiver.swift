package import HubClient
package import HubMedia

/// The statistics of all received audio.
package struct ReceivedAudioStatistics: Sendable {
    package var packets = 0
    package var latePackets = 0
    package var concealedMilliseconds = 0
}

/// Receives, mixes and records the audio of all sources that the hub names.
///
/// The recording runs from the first connect to the end. A sink that stores packets gets them unchanged while there is
/// one talker at a time; from the first group on it gets the mix, since packets of several talkers cannot be in one
/// stream.
package final class CallAudioReceiver {
    private var sink: (any AudioFrameSink)?
    private let mixer = StreamMixer()
    /// The SSRCs of the sources that the mixer plays.
    private var mixed: Set<UInt32> = []
    private var packetCount = 0
    /// Indicates that the recording has begun, which it does with the first tick with an open line.
    private var hasBegun = false
    /// The timeline of stored packets; nil: the recording is a mix, or has not begun.
    private var timeline: PacketTimeline?
    private var frame = [Int16](repeating: 0, count: AudioFormat.samplesPerFrame)

    package init(sink: (any AudioFrameSink)?) { self.sink = sink }

    /// Processes the received packets and records 20 ms of audio.
    ///
    /// - Parameters:
    ///   - isOpen: True while a call is heard; the recording begins with the first.
    ///   - sources: The SSRCs of the sources to play.
    ///   - packets: The packets since the last tick.
    ///   - now: The time on the clock of the packets' arrival, in nanoseconds.
    /// - Throws: `MediaError` if the recording cannot be written; it ends then.
    package func tick(
        isOpen: Bool,
        sources: Set<UInt32>,
        _ packets: [ReceivedAudio],
        at now: Int64
    ) throws(MediaError) {
        if isOpen, !hasBegun { begin(at: now) }
        timeline?.keep(only: sources)
        if sources.count > 1 { try beginMixing(at: now) }
        let received = isMixing ? sources : []
        if received != mixed { try mixer.play(only: received) }
        mixed = received
        for packet in packets where sources.contains(packet.ssrc) { try take(packet) }
        guard hasBegun, isMixing else { return }
        frame.withUnsafeMutableBufferPointer { mixer.pull(into: $0, at: now) }
        try keep { (sink) throws(MediaError) in try sink.append(frame) }
    }

    /// Completes the recording.
    ///
    /// - Throws: `MediaError` if the rest cannot be written.
    package func close() throws(MediaError) {
        try sink?.close()
        sink = nil
    }

    /// The statistics so far.
    package var statistics: ReceivedAudioStatistics {
        ReceivedAudioStatistics(
            packets: packetCount,
            latePackets: mixer.latePackets,
            concealedMilliseconds: mixer.concealedSamples / (AudioFormat.samplesPerSecond / 1_000)
        )
    }

    private func begin(at now: Int64) {
        hasBegun = true
        if sink?.storesPackets == true { timeline = PacketTimeline(begin: now) }
    }

    private var isMixing: Bool {
        guard let sink else { return false }
        return !sink.storesPackets || (hasBegun && timeline == nil)
    }

    /// Continues the recording as a mix, after silence up to now.
    private func beginMixing(at now: Int64) throws(MediaError) {
        guard let timeline else { return }
        self.timeline = nil
        let silence = [Int16](repeating: 0, count: timeline.missing(at: now))
        try keep { (sink) throws(MediaError) in try sink.append(silence) }
    }

    private func take(_ packet: ReceivedAudio) throws(MediaError) {
        packetCount += 1
        if timeline != nil { return try store(packet) }
        packet.payload.withUnsafeBytes { payload in
            mixer.insert(
                payload,
                sequenceNumber: packet.sequenceNumber,
                timestamp: packet.timestamp,
                isMarked: packet.marker,
                source: packet.ssrc,
                at: packet.arrival.nanoseconds
            )
        }
    }

    private func store(_ packet: ReceivedAudio) throws(MediaError) {
        guard let gap = timeline?.place(packet) else { return }
        try keep { (sink) throws(MediaError) in
            let result = packet.payload.withUnsafeBytes { payload in
                Result { () throws(MediaError) in try sink.append(packet: payload, afterGapOfSamples: gap) }
            }
            try result.get()
        }
    }

    /// Writes to the sink; closes it for good after its first error.
    private func keep(_ write: (any AudioFrameSink) throws(MediaError) -> Void) throws(MediaError) {
        guard let sink else { return }
        do throws(MediaError) {
            try write(sink)
        } catch {
            try? sink.close()
            self.sink = nil
            throw error
        }
    }
}
