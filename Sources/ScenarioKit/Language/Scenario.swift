public import HubEngine

/// A story of some calls: who takes part, and what happens line by line (docs/scenarios.md).
///
/// Loops, variables and matrices are gone: what is here is performed as it stands.
public struct Scenario: Hashable, Sendable {
    /// What is shown in reports.
    public var title: String
    /// The rows of the semantics that it is about.
    public var proves: [String] = []
    /// What its hub is to be set to; empty: any hub will do.
    public var settings = HubWishes()
    /// Who takes part, in the order of the lines.
    public var parties: [Party] = []
    /// How long a step or an expectation waits.
    public var patience = Duration.seconds(2)
    /// What chance goes by; nil: what the run goes by.
    public var seed: UInt64?
    /// What happens, in order.
    public var steps: [Step] = []
    /// What the variables of a matrix are in this one, for reports: `HOW = accept`.
    public var variant: [String] = []

    /// A scenario without parties and steps.
    public init(title: String) {
        self.title = title
    }

    /// Whether the run must have a hub of its own.
    public var needsOwnHub: Bool {
        settings != HubWishes() || steps.contains { $0.deed.changesTheHub }
    }

    /// The parties whose phones are apps, which are tested.
    public var partiesUnderTest: [Party] { parties.filter { $0.underTest != nil } }

    /// Who is under test, as a part of a sentence.
    public var whoIsUnderTest: String {
        let names = partiesUnderTest.map(\.name)
        return "\(Plain.listed(names)) \(names.count == 1 ? "is" : "are") under test"
    }
}

/// Somebody who takes part, with one device or several.
public struct Party: Hashable, Sendable {
    /// The account's name, in small letters.
    public var name: String
    /// The devices' names; one without a name where the scenario names none.
    public var devices: [String?] = [nil]
    /// What all its devices sign in with.
    public var configuration = ProviderConfiguration()
    /// Whether it fulfils its actions itself.
    public var isManual = false
    /// Whether it is offered whole transactions first.
    public var executesTransactions = false
    /// Whether it gets each party's own packets in a group.
    public var wantsStreams = false
    /// Whether it may see other devices' calls.
    public var observes = false
    /// Whether it may call and be called.
    public var mayCall = true
    /// Whether it signs in only when the scenario says so.
    public var isAway = false
    /// What is known of the app that is its phone; nil: its devices are the run's own.
    public var underTest: AppUnderTest?
    /// What goes into its microphones.
    public var mouth = Mouth.tone

    /// A party with one device and CallKit's defaults.
    public init(_ name: String) {
        self.name = name
    }
}

/// A party's phone that is an app's, which is tested.
///
/// What it does is waited for, as the other parties see it.
public struct AppUnderTest: Hashable, Sendable {
    /// The tone that it speaks; nil: what it says is its own affair.
    public var hertz: Int?

    /// An app.
    ///
    /// - Parameter hertz: The tone that it speaks, by which it is known: one of ``tones``.
    public init(hertz: Int? = nil) {
        self.hertz = hertz
    }

    /// The tones that no party of a run speaks, and that are told apart from theirs.
    public static let tones =
        Array(stride(from: 600, through: 1_500, by: 50)) + stride(from: 3_300, through: 3_900, by: 50)
}

/// What goes into a microphone.
public enum Mouth: Hashable, Sendable {
    /// The party's own tone.
    case tone
    /// Nothing: no packet is sent.
    case silence
    /// A file of sound, Ogg Opus or WAV, over and over.
    case file(String)
}

/// A device of a party, as a line names it.
public struct Who: Hashable, Sendable, CustomStringConvertible {
    /// The party.
    public var party: String
    /// Its device; nil: the only one, or the first of several.
    public var device: String?

    /// A device of a party.
    public init(_ party: String, device: String? = nil) {
        self.party = party
        self.device = device
    }

    /// As in a line: `alice`, `alice's laptop`.
    public var description: String {
        device.map { "\(party)'s \($0)" } ?? party
    }
}

/// What a scenario wants its hub to be set to; nil: the hub's default.
public struct HubWishes: Hashable, Sendable {
    /// How long a call rings.
    public var ringTimeout: Duration?
    /// How long a start action may take.
    public var startDeadline: Duration?
    /// How long an answer may take.
    public var answerDeadline: Duration?
    /// How long any other action may take.
    public var actionDeadline: Duration?
    /// How long a `,` among digits waits.
    public var softPause: Duration?
    /// How long a call waits for a device that is away.
    public var wakeWait: Duration?
    /// How long a lost connection keeps its calls.
    public var resumeGrace: Duration?
    /// How long calls may go on while the hub drains.
    public var drainGrace: Duration?
    /// How many calls a device may have.
    public var callsPerDevice: Int?

    /// No wish.
    public init() {}
}
