import Foundation
import HubMedia
import HubWire

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

    /// The answers to incoming calls that need no user.
    public enum Answer: Hashable, Sendable {
        /// None: the device's user answers, or an operator.
        case never
        /// Each call is answered when it has rung for a time, by the first of its choices.
        ///
        /// Another active call is held or, if that is not possible, ended.
        case after(Duration)
        /// Each call is declined at once.
        case decline
    }

    /// The answer to incoming calls.
    public var answer = Answer.never

    /// The name of the app, which stands for that of a provider without one; nil: such a provider has none.
    ///
    /// A system from the environment has the program's name, as an iPhone shows that of the app.
    public var appName: String?

    /// The folder of the app's sounds, such as its ringtone; nil: beside the program, and in its bundles.
    public var soundFolder: String?

    /// The environment variable that the microphone is of, for messages; nil: the program has chosen it.
    private(set) var inputVariable: String?
    /// The environment variable that the receiver is of, for messages; nil: the program has chosen it.
    private(set) var outputVariable: String?

    /// Creates the default settings.
    public init() {}

    /// Reads the microphone of `CALLHUB_AUDIO_IN`, the receiver of `CALLHUB_AUDIO_OUT` and the answer `CALLHUB_ANSWER`.
    ///
    /// - Parameters:
    ///   - environment: The variables.
    ///   - warn: The receiver of a sentence about a value that cannot be used.
    init(environment: [String: String], warn: (String) -> Void) {
        appName = ProcessInfo.processInfo.processName.messageLine
        do throws(MediaError) {
            audioInput = try AudioInput(text: environment["CALLHUB_AUDIO_IN"] ?? "")
            inputVariable = "CALLHUB_AUDIO_IN"
        } catch {
            warn("CALLHUB_AUDIO_IN: \(error.message)")
        }
        do throws(MediaError) {
            audioOutput = try AudioOutput(text: environment["CALLHUB_AUDIO_OUT"] ?? "")
            outputVariable = "CALLHUB_AUDIO_OUT"
        } catch {
            warn("CALLHUB_AUDIO_OUT: \(error.message)")
        }
        guard let text = environment["CALLHUB_ANSWER"], !text.isEmpty else { return }
        if let answer = Answer(text: text) {
            self.answer = answer
        } else {
            let forms = "it must be never, decline, or a time as in after:2s"
            warn("CALLHUB_ANSWER is \"\(text)\"; \(forms). Calls are not answered.")
        }
    }
}

extension CallSystemSettings.Answer {
    /// Reads `never`, `decline`, or a time as in `after:2s` and `after:500ms`; nil: it is none of them.
    init?(text: String) {
        switch text {
        case "never": self = .never
        case "decline": self = .decline
        default:
            guard text.hasPrefix("after:") else { return nil }
            let time = text.dropFirst("after:".count)
            let unit = time.hasSuffix("ms") ? "ms" : "s"
            guard time.hasSuffix(unit), let number = Double(time.dropLast(unit.count)),
                (0...Self.maximumSeconds).contains(number / (unit == "ms" ? 1_000 : 1))
            else { return nil }
            self = .after(unit == "ms" ? .milliseconds(number) : .seconds(number))
        }
    }

    /// A day: no call rings for longer.
    private static let maximumSeconds = 86_400.0
}
