import AVFoundation

/// The app's microphone and speaker: configured by an action, started by the system.
final class AudioController {
    private(set) var isRunning = false

    func configure() {
        let session = AVAudioSession.sharedInstance()
        do {
            try session.setCategory(.playAndRecord, mode: .voiceChat, options: [])
            try session.setPreferredSampleRate(48_000)
        } catch {
            print("The audio session cannot be configured: \(error)")
        }
    }

    func start() {
        isRunning = true
    }

    func stop() {
        isRunning = false
    }
}
