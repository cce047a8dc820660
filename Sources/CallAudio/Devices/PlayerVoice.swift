import Foundation
import HubMedia

/// A sound that an app plays beside calls, such as a ringback tone.
package final class PlayerVoice: @unchecked Sendable {
    private struct State {
        var position = 0
        var volume: Float = 1
        /// The repetitions after the present one; negative: without an end.
        var repetitions = 0
        var isPlaying = false
        /// The change of the volume with each sample, and the samples until it ends.
        var fade: (step: Float, samples: Int) = (0, 0)
    }

    private let samples: [Int16]
    private let lock = NSLock()
    private var state = State()
    private let ended: @Sendable () -> Void

    /// Creates a sound at its beginning.
    ///
    /// - Parameters:
    ///   - samples: The samples at 48 kHz, mono.
    ///   - ended: A function that is called when the sound has been played to its end, on the thread of the audio.
    package init(_ samples: [Int16], ended: @escaping @Sendable () -> Void) {
        (self.samples, self.ended) = (samples, ended)
    }

    /// The number of samples.
    package var length: Int { samples.count }

    /// The sample that is played next.
    package var position: Int {
        get { lock.withLock { state.position } }
        set { lock.withLock { state.position = min(max(0, newValue), samples.count) } }
    }

    /// The factor of loudness, 0 to 1.
    package var volume: Float {
        get { lock.withLock { state.volume } }
        set { fade(to: newValue, samples: 0) }
    }

    /// Changes the volume evenly, from now on.
    ///
    /// - Parameters:
    ///   - volume: The factor of loudness at the end, 0 to 1.
    ///   - samples: The duration at 48 kHz.
    package func fade(to volume: Float, samples: Int) {
        let volume = volume.isFinite ? min(max(0, volume), 1) : 0
        lock.withLock {
            guard samples > 0 else { return (state.volume, state.fade) = (volume, (0, 0)) }
            state.fade = ((volume - state.volume) / Float(samples), samples)
        }
    }

    /// The number of repetitions that are left; negative: without an end.
    package var repetitions: Int {
        get { lock.withLock { state.repetitions } }
        set { lock.withLock { state.repetitions = newValue } }
    }

    /// Indicates that the sound is to be heard.
    package var isPlaying: Bool {
        get { lock.withLock { state.isPlaying } }
        set { lock.withLock { state.isPlaying = newValue } }
    }

    /// The result of a frame.
    enum Progress {
        case going
        case stopped
        case ended
    }

    /// Adds the next 20 ms to a sum.
    func mix(into sum: inout [Int32]) -> Progress {
        lock.withLock {
            guard state.isPlaying else { return .stopped }
            var index = 0
            while index < sum.count {
                if state.position >= samples.count {
                    guard state.repetitions != 0, !samples.isEmpty else { break }
                    state.repetitions = max(-1, state.repetitions - 1)
                    state.position = 0
                }
                let count = min(sum.count - index, samples.count - state.position)
                for offset in 0..<count {
                    if state.fade.samples > 0 {
                        state.volume = min(max(0, state.volume + state.fade.step), 1)
                        state.fade.samples -= 1
                    }
                    sum[index + offset] += Int32(Float(samples[state.position + offset]) * state.volume)
                }
                index += count
                state.position += count
            }
            guard index < sum.count else { return .going }
            (state.isPlaying, state.position) = (false, 0)
            return .ended
        }
    }

    /// Notifies of the end.
    func notifyEnd() { ended() }
}
