package import HubMedia

/// The audio that a party sends: a source of sound, sent in real time while the line is open.
package final class CallAudioSender {
    /// The result of a tick.
    package enum Progress {
        /// The source goes on.
        case going
        /// The last frame of the source has been sent.
        case over
    }

    private let source: any AudioFrameSource
    private let isLive: Bool
    private var encoder: OpusEncoder
    private var isOver = false
    /// The samples sent ahead of real time, since frames may be longer than a tick.
    private var samplesAhead = 0

    /// Creates a sender; a live source is read even while the line is closed, since its audio would be stale later.
    package init(source: any AudioFrameSource, isLive: Bool) throws(MediaError) {
        self.source = source
        self.isLive = isLive
        encoder = try OpusEncoder()
    }

    /// Sends the audio of a further 20 ms.
    ///
    /// - Parameters:
    ///   - line: The state of the calls.
    ///   - output: The destination of the packets.
    /// - Returns: `over` once, when the source has ended.
    /// - Throws: `MediaError` if the source cannot be read; later ticks send nothing.
    package func tick(_ line: AudioLine, to output: some PacketOutput) throws(MediaError) -> Progress {
        guard !isOver, line.isOpen || isLive else {
            if line.isOpen { output.pause(durationInSamples: AudioFormat.samplesPerFrame) }
            samplesAhead = 0
            return .going
        }
        while samplesAhead < AudioFormat.samplesPerFrame {
            let frame: AudioFrame
            do throws(MediaError) {
                guard let next = try source.nextFrame() else {
                    isOver = true
                    return .over
                }
                frame = next
            } catch {
                isOver = true
                throw error
            }
            samplesAhead += frame.durationInSamples
            guard line.isOpen, !line.isMuted else {
                output.pause(durationInSamples: frame.durationInSamples)
                continue
            }
            switch frame {
            case .packet(let packet, let duration):
                output.send(packet, durationInSamples: duration)
            case .samples(let samples):
                output.send(try encoder.encode(samples), durationInSamples: samples.count)
            }
        }
        samplesAhead -= AudioFormat.samplesPerFrame
        return .going
    }
}
