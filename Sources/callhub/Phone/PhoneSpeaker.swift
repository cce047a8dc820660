import HubClient
import HubMedia

/// The phone's own voice: a source of sound, sent in real time while somebody hears it.
final class PhoneSpeaker {
    /// Whether there is more to say.
    enum Progress {
        /// Nothing changed.
        case going
        /// The source has just given its last piece, and it has been sent.
        case over
    }

    private let source: any SoundSource
    private let isLive: Bool
    private var encoder: OpusEncoder
    private var isOver = false
    /// How much of the sound that was sent is not yet gone by: pieces may be longer than a tick.
    private var samplesAhead = 0

    /// A live source is read even while nobody hears it, since what it gave then would be old later.
    init(source: any SoundSource, isLive: Bool) throws(MediaError) {
        self.source = source
        self.isLive = isLive
        encoder = try OpusEncoder()
    }

    /// Twenty milliseconds have gone by.
    func tick(_ line: PhoneAudio.Line, client: HubClient) throws(MediaError) -> Progress {
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
