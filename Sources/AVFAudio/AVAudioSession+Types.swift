public import Foundation

extension AVAudioSession {
    /// The ways in which an app uses audio.
    public struct Category: RawRepresentable, Hashable, Sendable {
        /// The name of the category.
        public let rawValue: String

        /// Creates a category from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Audio of the app mixes with that of others, and is silenced with the ringer.
        public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
        /// The default: audio of the app is silenced with the ringer, and interrupts that of others.
        public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
        /// Playback that is central to the app.
        public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
        /// Capture without playback.
        public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
        /// Capture and playback, as in calls.
        public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
        /// Different streams to different outputs.
        public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")
    }

    /// The refinements of a category.
    public struct Mode: RawRepresentable, Hashable, Sendable {
        /// The name of the mode.
        public let rawValue: String

        /// Creates a mode from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// No refinement.
        public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
        /// A conversation by voice.
        public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
        /// A conversation with video.
        public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
        /// A conversation within a game.
        public static let gameChat = Mode(rawValue: "AVAudioSessionModeGameChat")
        /// The recording of a video.
        public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")
        /// The measurement of audio, with the least processing.
        public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
        /// The playback of films.
        public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
        /// The playback of continuous speech.
        public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
        /// Spoken prompts, as of navigation.
        public static let voicePrompt = Mode(rawValue: "AVAudioSessionModeVoicePrompt")
    }

    /// The options of a category.
    public struct CategoryOptions: OptionSet, Hashable, Sendable {
        /// The bits of the options.
        public let rawValue: UInt

        /// Creates options from their bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The audio mixes with that of other apps.
        public static let mixWithOthers = CategoryOptions(rawValue: 0x1)
        /// Other apps are quieter meanwhile.
        public static let duckOthers = CategoryOptions(rawValue: 0x2)
        /// Bluetooth hands-free devices may be used.
        public static let allowBluetooth = CategoryOptions(rawValue: 0x4)
        /// Bluetooth hands-free devices may be used.
        public static let allowBluetoothHFP = CategoryOptions(rawValue: 0x4)
        /// The speaker is used in place of the receiver.
        public static let defaultToSpeaker = CategoryOptions(rawValue: 0x8)
        /// Spoken audio of others is interrupted.
        public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 0x11)
        /// Bluetooth devices for playback may be used.
        public static let allowBluetoothA2DP = CategoryOptions(rawValue: 0x20)
        /// AirPlay devices may be used.
        public static let allowAirPlay = CategoryOptions(rawValue: 0x40)
        /// A muted microphone does not interrupt the session.
        public static let overrideMutedMicrophoneInterruption = CategoryOptions(rawValue: 0x80)
    }

    /// The options of an activation.
    public struct SetActiveOptions: OptionSet, Hashable, Sendable {
        /// The bits of the options.
        public let rawValue: UInt

        /// Creates options from their bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Others are told that they may resume.
        public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
    }

    /// The policies of the choice of a route.
    public enum RouteSharingPolicy: UInt, Sendable {
        /// The usual choice.
        case `default` = 0
        /// Long-form audio.
        case longFormAudio = 1
        /// The choice of another system.
        case independent = 2
        /// Long-form video.
        case longFormVideo = 3
    }

    /// The outputs that override the route.
    public enum PortOverride: UInt, Sendable {
        /// The route's own output.
        case none = 0
        /// The speaker, `spkr`.
        case speaker = 0x7370_6B72
    }

    /// The kinds of interruptions.
    public enum InterruptionType: UInt, Sendable {
        /// An interruption has ended.
        case ended = 0
        /// An interruption has begun.
        case began = 1
    }

    /// The hints at the end of an interruption.
    public struct InterruptionOptions: OptionSet, Hashable, Sendable {
        /// The bits of the options.
        public let rawValue: UInt

        /// Creates options from their bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// The app may resume.
        public static let shouldResume = InterruptionOptions(rawValue: 1)
    }

    /// The reasons of a change of the route.
    public enum RouteChangeReason: UInt, Sendable {
        /// The reason is unknown.
        case unknown = 0
        /// A device has become available.
        case newDeviceAvailable = 1
        /// The device is no longer available.
        case oldDeviceUnavailable = 2
        /// The category was changed.
        case categoryChange = 3
        /// The route was overridden.
        case override = 4
        /// The system has woken up.
        case wakeFromSleep = 6
        /// There is no route for the category.
        case noSuitableRouteForCategory = 7
        /// The configuration of a port has changed.
        case routeConfigurationChange = 8
    }

    /// The user's answers to the request to record.
    public enum RecordPermission: UInt, Sendable {
        /// The user was not asked, `undt`.
        case undetermined = 0x756E_6474
        /// The user has refused, `deny`.
        case denied = 0x6465_6E79
        /// The user has agreed, `grnt`.
        case granted = 0x6772_6E74
    }

    /// The kinds of inputs and outputs.
    public struct Port: RawRepresentable, Hashable, Sendable {
        /// The name of the kind.
        public let rawValue: String

        /// Creates a kind from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The device's microphone.
        public static let builtInMic = Port(rawValue: "MicrophoneBuiltIn")
        /// A headset's microphone.
        public static let headsetMic = Port(rawValue: "MicrophoneWired")
        /// A line input.
        public static let lineIn = Port(rawValue: "LineIn")
        /// The device's receiver, held to the ear.
        public static let builtInReceiver = Port(rawValue: "Receiver")
        /// The device's speaker.
        public static let builtInSpeaker = Port(rawValue: "Speaker")
        /// Wired headphones.
        public static let headphones = Port(rawValue: "Headphones")
        /// A line output.
        public static let lineOut = Port(rawValue: "LineOut")
        /// A Bluetooth device for calls.
        public static let bluetoothHFP = Port(rawValue: "BluetoothHFP")
        /// A Bluetooth device for playback.
        public static let bluetoothA2DP = Port(rawValue: "BluetoothA2DPOutput")
        /// A Bluetooth Low Energy device.
        public static let bluetoothLE = Port(rawValue: "BluetoothLE")
        /// An AirPlay device.
        public static let airPlay = Port(rawValue: "AirPlay")
        /// A car.
        public static let carAudio = Port(rawValue: "CarAudio")
        /// A USB device.
        public static let usbAudio = Port(rawValue: "USBAudio")
        /// An HDMI output.
        public static let HDMI = Port(rawValue: "HDMIOutput")
    }
}

/// The key of the kind of an interruption, in the user information of its notification.
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
/// The key of the hints at the end of an interruption.
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
/// The key of the reason of an interruption.
public let AVAudioSessionInterruptionReasonKey = "AVAudioSessionInterruptionReasonKey"
/// The key of the reason of a change of the route.
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"
/// The key of the route before a change.
public let AVAudioSessionRouteChangePreviousRouteKey = "AVAudioSessionRouteChangePreviousRouteKey"

extension AVAudioSession {
    /// The session was interrupted, or an interruption has ended.
    public static var interruptionNotification: NSNotification.Name {
        NSNotification.Name("AVAudioSessionInterruptionNotification")
    }
    /// The route has changed.
    public static var routeChangeNotification: NSNotification.Name {
        NSNotification.Name("AVAudioSessionRouteChangeNotification")
    }
    /// The system's audio service has ended.
    public static var mediaServicesWereLostNotification: NSNotification.Name {
        NSNotification.Name("AVAudioSessionMediaServicesWereLostNotification")
    }
    /// The system's audio service has begun anew.
    public static var mediaServicesWereResetNotification: NSNotification.Name {
        NSNotification.Name("AVAudioSessionMediaServicesWereResetNotification")
    }
    /// Secondary audio should fall silent, or may resume.
    public static var silenceSecondaryAudioHintNotification: NSNotification.Name {
        NSNotification.Name("AVAudioSessionSilenceSecondaryAudioHintNotification")
    }
}
