import CallAudio
package import CallSystem
import Dispatch
public import Foundation

/// The audio session of an app: its intentions, and the state of its audio.
///
/// An app's settings are kept and can be read. There is a microphone and a receiver, as on a telephone, with the names
/// of the input and output of the system's settings; without them the microphone is silent and the receiver is not
/// heard.
/// In a call the system activates the session, and notifies the provider's delegate.
open class AVAudioSession: NSObject, @unchecked Sendable {
    private struct State {
        var category = Category.soloAmbient
        var mode = Mode.default
        var policy = RouteSharingPolicy.default
        var options: CategoryOptions = []
        var override = PortOverride.none
        var isActive = false
        var isActiveBySystem = false
        var permission = RecordPermission.undetermined
        var preferredInput: AVAudioSessionPortDescription?
        var preferredSampleRate = 0.0
        var preferredBufferDuration: TimeInterval = 0
        var preferredInputChannels = 0
        var preferredOutputChannels = 0
    }

    private let state = Locked(State())
    private let microphone: AVAudioSessionPortDescription
    private let receiver: AVAudioSessionPortDescription
    private let speaker: AVAudioSessionPortDescription

    /// Creates a session of its own; ``sharedInstance()`` returns the app's.
    public override convenience init() {
        self.init(input: nil, output: nil)
    }

    /// Creates a session that shows the names of the device's input and output; nil: there is none.
    private init(input: String?, output: String?) {
        microphone = AVAudioSessionPortDescription(.builtInMic, input ?? "Microphone")
        receiver = AVAudioSessionPortDescription(.builtInReceiver, output ?? "Receiver")
        speaker = AVAudioSessionPortDescription(.builtInSpeaker, output ?? "Speaker")
        super.init()
    }

    /// Returns the app's audio session.
    open class func sharedInstance() -> AVAudioSession { session(of: .current) }

    /// Returns the audio session of the app on a system.
    package static func session(of system: CallSystem) -> AVAudioSession {
        system.attachment { AVAudioSession(input: system.audio.input.name, output: system.audio.output.name) }
    }

    /// Notes that the system has activated the session for a call, or deactivated it.
    package func setActiveBySystem(_ isActive: Bool) {
        state.withLock { $0.isActiveBySystem = isActive }
    }

    // MARK: Intentions

    /// The category.
    open var category: Category { state.withLock { $0.category } }
    /// The options of the category.
    open var categoryOptions: CategoryOptions { state.withLock { $0.options } }
    /// The mode.
    open var mode: Mode { state.withLock { $0.mode } }
    /// The policy of the choice of a route.
    open var routeSharingPolicy: RouteSharingPolicy { state.withLock { $0.policy } }
    /// The categories that can be set.
    open var availableCategories: [Category] {
        [.ambient, .soloAmbient, .playback, .record, .playAndRecord, .multiRoute]
    }
    /// The modes that can be set.
    open var availableModes: [Mode] {
        [
            .default, .voiceChat, .videoChat, .gameChat, .videoRecording, .measurement, .moviePlayback, .spokenAudio,
            .voicePrompt,
        ]
    }

    /// Sets the category, without options.
    open func setCategory(_ category: Category) throws {
        try setCategory(category, mode: mode, options: [])
    }

    /// Sets the category and its options.
    open func setCategory(_ category: Category, options: CategoryOptions = []) throws {
        try setCategory(category, mode: mode, options: options)
    }

    /// Sets category, mode and options.
    open func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
        try setCategory(category, mode: mode, policy: .default, options: options)
    }

    /// Sets category, mode, policy and options.
    open func setCategory(
        _ category: Category,
        mode: Mode,
        policy: RouteSharingPolicy,
        options: CategoryOptions = []
    ) throws {
        changeRoute(.categoryChange) { state in
            (state.category, state.mode, state.policy, state.options) = (category, mode, policy, options)
        }
    }

    /// Sets the mode.
    open func setMode(_ mode: Mode) throws {
        state.withLock { $0.mode = mode }
    }

    // MARK: Activation

    /// Activates or deactivates the session.
    ///
    /// During a call the system does that: an app need not.
    ///
    /// - Parameters:
    ///   - active: True to activate.
    ///   - options: The options of the activation.
    /// - Throws: No error; on Apple's systems an activation may be refused.
    open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
        state.withLock { $0.isActive = active }
    }

    /// Indicates that the app or the system has activated the session.
    package var isActive: Bool { state.withLock { $0.isActive || $0.isActiveBySystem } }

    // MARK: Route

    /// The route in use.
    open var currentRoute: AVAudioSessionRouteDescription { state.withLock { route($0) } }

    /// The inputs that can be used.
    open var availableInputs: [AVAudioSessionPortDescription]? { [microphone] }

    /// Indicates that there is an input.
    open var isInputAvailable: Bool { true }

    /// The preferred input; nil: the system's choice.
    open var preferredInput: AVAudioSessionPortDescription? { state.withLock { $0.preferredInput } }

    /// Sets the preferred input.
    open func setPreferredInput(_ input: AVAudioSessionPortDescription?) throws {
        state.withLock { $0.preferredInput = input }
    }

    /// Routes the output to the speaker, or back to the category's own output.
    open func overrideOutputAudioPort(_ portOverride: PortOverride) throws {
        changeRoute(.override) { $0.override = portOverride }
    }

    private func route(_ state: State) -> AVAudioSessionRouteDescription {
        let captures = [.record, .playAndRecord].contains(state.category)
        let isLoud =
            state.override == .speaker || state.options.contains(.defaultToSpeaker)
            || [.videoChat, .videoRecording].contains(state.mode)
        let plays = state.category != .record
        let output = state.category == .playAndRecord && !isLoud ? receiver : speaker
        return AVAudioSessionRouteDescription(inputs: captures ? [microphone] : [], outputs: plays ? [output] : [])
    }

    /// Changes the state, and posts a notification if the route is another one.
    private func changeRoute(_ reason: RouteChangeReason, _ change: (inout State) -> Void) {
        let (before, after) = state.withLock { state in
            let before = route(state)
            change(&state)
            return (before, route(state))
        }
        guard before != after else { return }
        let information: [AnyHashable: Any] = [
            AVAudioSessionRouteChangeReasonKey: reason.rawValue, AVAudioSessionRouteChangePreviousRouteKey: before,
        ]
        NotificationCenter.default.post(
            name: Self.routeChangeNotification,
            object: self,
            userInfo: information
        )
    }

    // MARK: Permission

    /// The user's answer to the request to record.
    open var recordPermission: RecordPermission { state.withLock { $0.permission } }

    /// Asks the user for the permission to record, who agrees.
    ///
    /// - Parameter response: The receiver of the answer, called on a queue of the system.
    open func requestRecordPermission(_ response: @escaping @Sendable (Bool) -> Void) {
        state.withLock { $0.permission = .granted }
        DispatchQueue.global().async { response(true) }
    }

    // MARK: Hardware

    /// The preferred sample rate in Hz; 0: none.
    open var preferredSampleRate: Double { state.withLock { $0.preferredSampleRate } }
    /// The sample rate in Hz.
    open var sampleRate: Double { 48_000 }
    /// The preferred duration of a buffer in seconds; 0: none.
    open var preferredIOBufferDuration: TimeInterval { state.withLock { $0.preferredBufferDuration } }
    /// The duration of a buffer in seconds.
    open var ioBufferDuration: TimeInterval { 0.02 }
    /// The number of input channels.
    open var inputNumberOfChannels: Int { currentRoute.inputs.isEmpty ? 0 : 1 }
    /// The number of output channels.
    open var outputNumberOfChannels: Int { currentRoute.outputs.isEmpty ? 0 : 1 }
    /// The greatest possible number of input channels.
    open var maximumInputNumberOfChannels: Int { inputNumberOfChannels }
    /// The greatest possible number of output channels.
    open var maximumOutputNumberOfChannels: Int { outputNumberOfChannels }
    /// The preferred number of input channels; 0: none.
    open var preferredInputNumberOfChannels: Int { state.withLock { $0.preferredInputChannels } }
    /// The preferred number of output channels; 0: none.
    open var preferredOutputNumberOfChannels: Int { state.withLock { $0.preferredOutputChannels } }
    /// The volume of the output, 0 to 1.
    open var outputVolume: Float { 1 }
    /// The latency of the input in seconds.
    open var inputLatency: TimeInterval { 0 }
    /// The latency of the output in seconds.
    open var outputLatency: TimeInterval { 0 }
    /// Indicates that another app plays audio.
    open var isOtherAudioPlaying: Bool { false }
    /// Indicates that another app's audio should not be disturbed.
    open var secondaryAudioShouldBeSilencedHint: Bool { false }

    /// Sets the preferred sample rate in Hz.
    open func setPreferredSampleRate(_ sampleRate: Double) throws {
        state.withLock { $0.preferredSampleRate = sampleRate }
    }

    /// Sets the preferred duration of a buffer in seconds.
    open func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
        state.withLock { $0.preferredBufferDuration = duration }
    }

    /// Sets the preferred number of input channels.
    open func setPreferredInputNumberOfChannels(_ count: Int) throws {
        state.withLock { $0.preferredInputChannels = count }
    }

    /// Sets the preferred number of output channels.
    open func setPreferredOutputNumberOfChannels(_ count: Int) throws {
        state.withLock { $0.preferredOutputChannels = count }
    }
}
