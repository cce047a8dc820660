import HubEngine
import HubWire

/// The keywords that lines may contain, taken from the types that define them where there are such types.
enum Keywords {
    /// The words that are not allowed as names of parties: keywords at the places where names stand.
    static let reserved: Set<String> = [
        "scenario", "proves", "parties", "party", "hub", "patience", "seed", "let", "for", "repeat", "together", "in",
        "at", "wait", "clock", "expect", "either", "nobody", "anybody", "somebody", "himself", "herself", "itself",
        "nothing",
        "everything", "music", "tone", "echo", "audio", "recents", "providers", "directories", "call", "no",
    ]

    /// The words for a party's own voice.
    static let ownVoice = ["himself", "herself", "itself"]

    /// The names of all errors with which a hub answers a request (docs/protocol.md, Errors).
    static let errors: [String] = unique(ErrorCode.known.compactMap(\.name))

    /// The notifications that a client can receive, by the part of the wire name behind the dot if that is unambiguous.
    ///
    /// It lacks `perform`, `dtmf` and `closing`, which have arguments, and `call.changed`: a call's state is expected
    /// of the call.
    static let notifications = [
        "didBegin", "didReset", "execute", "timedOutPerforming", "didActivateAudioSession", "didDeactivateAudioSession",
        "callChanged", "sources", "recents.changed", "settings.changed", "contacts.changed", "block.changed",
        "people.changed", "providers.changed", "reloadRequested",
    ]

    /// The reasons with which the hub closes a connection (docs/protocol.md, Notifications).
    static let closings = ["replaced", "draining", "shutdown", "slowConsumer", "policy", "signedOut", "expired"]

    /// The reasons of a call's end; `locally` stands for nil.
    static let endReasons: [(word: String, reason: EndReason?)] =
        EndReason.allCases.map { ("\($0)", $0) } + [("locally", nil)]

    /// The types of a handle.
    static let handleTypes = Handle.HandleType.allCases.map { (word: "\($0)", type: $0) }

    /// The buttons of a ringing call as phrases; a phrase comes before the shorter ones that it begins with.
    static let choices: [(words: String, choice: Choice.Name)] = [
        ("end held and accept", .endHeldAndAccept), ("hold and accept", .holdAndAccept),
        ("end and accept", .endAndAccept), ("accept", .accept), ("decline", .decline),
    ]

    /// The states of a call.
    static let states: [(word: String, state: CallSnapshot.State)] =
        [.starting, .connecting, .ringing, .connected, .held, .ended].map { ($0.rawValue, $0) }

    /// The matchers of a call of one or two words, besides its state; longer phrases come first.
    static let callMatchers: [(words: String, callMatcher: CallMatcher)] = [
        ("held by remote", .heldByRemote(true)), ("remotely ringing", .remotelyRinging), ("active", .active),
        ("muted", .muted(true)), ("unmuted", .muted(false)), ("grouped", .grouped(true)), ("alone", .grouped(false)),
        ("video", .video), ("outgoing", .outgoing(true)), ("incoming", .outgoing(false)),
        ("translating by default", .translating(by: .standard)), ("translating by custom", .translating(by: .custom)),
        ("translating", .translating(by: nil)),
    ]

    /// The sources of a displayed name.
    static let nameSources: [(word: String, source: CallSnapshot.NameSource)] =
        [.caller, .contact, .directory, .handle, .guest, .hidden].map { ($0.rawValue, $0) }

    /// The presence of people (docs/protocol.md, People and presence).
    static let presence = ["free", "onCall", "away", "doNotDisturb", "offline", "unknown"]

    /// The outcomes of an ended call.
    static let outcomes = RecentCall.Outcome.allCases.map { (word: $0.rawValue, outcome: $0) }

    private static func unique(_ words: [String]) -> [String] {
        var seen: Set<String> = []
        return words.filter { seen.insert($0).inserted }
    }
}
