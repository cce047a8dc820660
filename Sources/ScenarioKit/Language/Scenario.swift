public import HubEngine

/// A test scenario of calls: its parties and its steps (docs/scenarios.md).
///
/// Loops, variables and matrices are already expanded.
public struct Scenario: Hashable, Sendable {
    /// The title in reports.
    public var title: String
    /// The rows of the semantics that the scenario covers, such as CK-37.
    public var proves: [String] = []
    /// The hub's settings that the scenario requires; if all are nil, any hub is suitable.
    public var settings = HubOverrides()
    /// The parties, in the order of the lines.
    public var parties: [Party] = []
    /// The default time limit of a step or an expectation.
    public var timeout = Duration.seconds(2)
    /// The seed of the random numbers; nil: the run's seed.
    public var seed: UInt64?
    /// The steps in order.
    public var steps: [Step] = []
    /// The values of the matrix variables in this scenario, for reports: `HOW = accept`.
    public var variant: [String] = []

    /// Creates a scenario without parties and steps.
    public init(title: String) {
        self.title = title
    }

    /// Indicates that the run must have a hub of its own.
    public var needsOwnHub: Bool {
        settings != HubOverrides() || steps.contains { $0.stepAction.affectsWholeHub }
    }

    /// The parties whose phones are apps under test.
    public var partiesUnderTest: [Party] { parties.filter { $0.underTest != nil } }

    /// The parties whose phones can only be apps in the run's process.
    public var appsInProcess: [Party] { parties.filter { $0.underTest?.isInProcess ?? false } }

    /// The reason why the scenario cannot run at a hub over sockets; nil: it can.
    public var reasonForApps: String? {
        guard !appsInProcess.isEmpty else { return nil }
        let names = LineFormat.listed(appsInProcess.map(\.name))
        let what = appsInProcess.count == 1 ? "is an app" : "are apps"
        return "\(names) \(what) in process, which a Swift test gives to the run (ScenarioApps)"
    }

    /// A part of a sentence that names the parties under test.
    public var underTestDescription: String {
        let names = partiesUnderTest.map(\.name)
        return "\(LineFormat.listed(names)) \(names.count == 1 ? "is" : "are") under test"
    }
}

/// A participant with one device or several.
public struct Party: Hashable, Sendable {
    /// The account's name; it begins with a small letter.
    public var name: String
    /// The devices' names; a single nil if the scenario names no device.
    public var devices: [String?] = [nil]
    /// The provider configuration with which all devices sign in.
    public var configuration = ProviderConfiguration()
    /// Indicates that the devices do not fulfill actions automatically.
    public var isManual = false
    /// Indicates that the devices receive whole transactions first (`provider.execute`).
    public var executesTransactions = false
    /// Indicates that the devices receive each party's packets separately in a group.
    public var wantsStreams = false
    /// Indicates that the devices have permission to observe other devices' calls.
    public var observes = false
    /// Indicates that the devices have permission to call and be called.
    public var mayCall = true
    /// Indicates that the devices are on one machine: at most one of their calls is active.
    public var isOneMachine = false
    /// The device that another one operates, by the name of the latter: its screen and its buttons, no phone.
    public var operated: [String: String] = [:]
    /// Indicates that the devices sign in only in a step of the scenario.
    public var isAway = false
    /// The properties of the app that is the party's phone; nil: the run simulates its devices.
    public var underTest: AppUnderTest?
    /// The initial source of sound of the microphones.
    public var audioSource = AudioSourceSpec.tone

    /// Creates a party with one device and CallKit's defaults.
    public init(_ name: String) {
        self.name = name
    }
}

/// The app under test that is a party's phone.
///
/// A step of a program waits until the other parties observe its effect; one of an app in the run's process is
/// performed by the app.
public struct AppUnderTest: Hashable, Sendable {
    /// The frequency in Hz of the tone that the app sends.
    ///
    /// nil: a program's sound is unknown; an app in the run's process sends a tone as other parties do.
    public var hertz: Int?
    /// Indicates that the app is in the run's process, so that its steps are requests to it and its device is observed.
    public var isInProcess: Bool

    /// Creates an app under test.
    ///
    /// - Parameters:
    ///   - hertz: The frequency of the app's tone in Hz, one of ``tones``; nil: none is given.
    ///   - isInProcess: True if the app is in the run's process.
    public init(hertz: Int? = nil, isInProcess: Bool = false) {
        (self.hertz, self.isInProcess) = (hertz, isInProcess)
    }

    /// The frequencies in Hz that no party of a run uses and that are distinguishable from theirs.
    public static let tones =
        Array(stride(from: 600, through: 1_500, by: 50)) + stride(from: 3_300, through: 3_900, by: 50)
}

/// A microphone's source of sound.
public enum AudioSourceSpec: Hashable, Sendable {
    /// The party's own tone.
    case tone
    /// Nothing: no packet is sent.
    case silence
    /// A sound file, Ogg Opus or WAV, played in a loop.
    case file(String)
}

/// A reference to a party's device, as a line contains it.
public struct DeviceReference: Hashable, Sendable, CustomStringConvertible {
    /// The party's name.
    public var party: String
    /// The device's name; nil: the only device, or the first of several.
    public var device: String?

    /// Creates a reference to a party's device.
    public init(_ party: String, device: String? = nil) {
        self.party = party
        self.device = device
    }

    /// The name of the system's call screen of an app, in place of a device's.
    public static let screen = "screen"

    /// The reference as a line contains it: `alice`, `alice's laptop`.
    public var description: String {
        device.map { "\(party)'s \($0)" } ?? party
    }
}

/// The settings of the hub that a scenario overrides; nil: the hub's default.
public struct HubOverrides: Hashable, Sendable {
    /// The maximum time for which a call rings.
    public var ringTimeout: Duration?
    /// The maximum time for fulfilling a start action.
    public var startDeadline: Duration?
    /// The maximum time for fulfilling an answer action.
    public var answerDeadline: Duration?
    /// The maximum time for fulfilling any other action.
    public var actionDeadline: Duration?
    /// The length of the pause for a `,` among DTMF digits.
    public var softPause: Duration?
    /// The time for which a call waits for a device that is not signed in.
    public var pushWait: Duration?
    /// The time for which a session with a lost connection keeps its calls.
    public var resumeGrace: Duration?
    /// The maximum time for which calls continue while the hub drains.
    public var drainGrace: Duration?
    /// The maximum number of calls of a device.
    public var callsPerDevice: Int?

    /// Creates overrides with the hub's defaults.
    public init() {}
}
