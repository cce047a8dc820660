import AVFAudio

/// The sound of the active call: configured before an action is fulfilled, started by the system.
@MainActor
final class CallAudio {
    private(set) var isRunning = false
    private let changed: (String) -> Void

    init(changed: @escaping (String) -> Void) {
        self.changed = changed
    }

    func configure() throws {
        let session = AVAudioSession.sharedInstance()
        try session.setCategory(.playAndRecord, mode: .voiceChat, options: [])
        try session.setPreferredIOBufferDuration(0.005)
        changed("configured")
    }

    func start() {
        isRunning = true
        changed("started")
    }

    func stop() {
        isRunning = false
        changed("stopped")
    }
}
