package import CallAudio
import Dispatch

extension CallSystem {
    /// Makes a sound for the device's output.
    ///
    /// - Parameters:
    ///   - samples: The samples at 48 kHz, mono.
    ///   - ended: A function that is called on the main queue when the sound has been played to its end.
    /// - Returns: The sound, at its beginning.
    package func makeVoice(_ samples: [Int16], ended: @escaping @Sendable () -> Void) -> PlayerVoice {
        PlayerVoice(samples) { [weak self] in
            self?.post { $0.run.once(on: .main) { ended() } }
        }
    }

    /// Plays a sound, from its position.
    package func play(_ voice: PlayerVoice) { audio.play(voice) }
}
