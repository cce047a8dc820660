import HubMedia

/// The settings of a call system.
public struct CallSystemSettings: Sendable {
    /// The carriers of a call's audio.
    public enum Carrier: Hashable, Sendable {
        /// The hub: a call goes to a handle of the hub, and its other end is there.
        case hub
        /// The app, by a network of its own; the hub orders the call among the others.
        case app
    }

    /// The carrier of calls that the app starts.
    public var carriesOutgoingCalls = Carrier.hub
    /// The microphone of calls that the hub carries.
    public var audioInput = AudioInput.none
    /// The receiver of these calls, and of the app's players.
    public var audioOutput = AudioOutput.none

    /// Creates the default settings.
    public init() {}

    /// Reads the microphone of `CALLHUB_AUDIO_IN` and the receiver of `CALLHUB_AUDIO_OUT`.
    ///
    /// - Parameters:
    ///   - environment: The variables.
    ///   - warn: A function that is told of a value that cannot be used, by a sentence.
    init(environment: [String: String], warn: (String) -> Void) {
        do throws(MediaError) {
            audioInput = try AudioInput(text: environment["CALLHUB_AUDIO_IN"] ?? "")
        } catch {
            warn("CALLHUB_AUDIO_IN: \(error.message)")
        }
        do throws(MediaError) {
            audioOutput = try AudioOutput(text: environment["CALLHUB_AUDIO_OUT"] ?? "")
        } catch {
            warn("CALLHUB_AUDIO_OUT: \(error.message)")
        }
    }
}
