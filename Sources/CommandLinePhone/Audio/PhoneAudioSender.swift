import HubClient
import HubMedia

/// The audio that the phone sends: a source of sound, sent in real time while the line is open.
final class PhoneAudioSender {
    /// The result of a tick.
    enum Progress {
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
    init(source: any AudioFrameSource, isLive: Bool) throws(MediaError) {
        self.source = source
        self.isLive = isLive
        encoder = try OpusEncoder()
    }

    /// Sends the audio of a further 20 ms.
    func tick(_ line: PhoneAudio.SendState, client: HubClient) throws(MediaError) -> Progress {
        guard !isOver, line.isOpen || isLive else {
            if line.isOpen { client.pauseAudio(durationInSamples: AudioFormat.samplesPerFrame) }
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
                client.pauseAudio(durationInSamples: frame.durationInSamples)
                continue
            }
            switch frame {
            case .packet(let packet, let duration):
                client.sendAudio(packet, durationInSamples: duration)
            case .samples(let samples):
                client.sendAudio(try encoder.encode(samples), durationInSamples: samples.count)
            }
        }
        samplesAhead -= AudioFormat.samplesPerFrame
        return .going
    }
}
