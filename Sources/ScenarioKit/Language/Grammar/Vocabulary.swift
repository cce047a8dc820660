import HubEngine
import HubWire

/// The words that lines may have at certain places, from the one place that defines them where there is one.
enum Vocabulary {
    /// What no party can be called, since lines begin with it or it stands where parties stand.
    static let reserved: Set<String> = [
        "scenario", "proves", "parties", "party", "hub", "patience", "seed", "let", "for", "repeat", "together", "in",
        "at", "wait", "clock", "expect", "either", "nobody", "anybody", "himself", "herself", "itself", "nothing",
        "everything", "music", "tone", "echo", "audio", "recents", "call", "no",
    ]

    /// What somebody's own voice is called.
    static let ownVoice = ["himself", "herself", "itself"]

    /// The names of all errors that a hub answers a request with (docs/protocol.md, Errors).
    static let errors: [String] = unique(ErrorCode.known.compactMap(\.name))

    /// The notifications that a client can be told, by the wire's word behind the dot where that is enough.
    ///
    /// Not `perform`, `dtmf` and `closing`, which go with what they are about, nor `call.changed`: what a call is like
    /// is expected of the call.
    static let notifications = [
        "didBegin", "didReset", "execute", "timedOutPerforming", "didActivateAudioSession", "didDeactivateAudioSession",
        "callChanged", "sources", "recents.changed", "settings.changed", "contacts.changed", "block.changed",
    ]

    /// Why the hub closes a connection (docs/protocol.md, Notifications).
    static let closings = ["replaced", "draining", "shutdown", "slowConsumer", "policy", "signedOut", "expired"]

    /// The reasons of an end; `locally` stands for none.
    static let endReasons: [(word: String, reason: EndReason?)] =
        EndReason.allCases.map { ("\($0)", $0) } + [("locally", nil)]

    /// The types of a handle.
    static let handleTypes = Handle.HandleType.allCases.map { (word: "\($0)", type: $0) }

    /// The buttons of a ringing call, in people's words; longer ones before those that they begin with.
    static let choices: [(words: String, choice: Choice.Name)] = [
        ("end held and accept", .endHeldAndAccept), ("hold and accept", .holdAndAccept),
        ("end and accept", .endAndAccept), ("accept", .accept), ("decline", .decline),
    ]

    /// The states of a call.
    static let states: [(word: String, state: CallSnapshot.State)] =
        [.starting, .connecting, .ringing, .connected, .held, .ended].map { ($0.rawValue, $0) }

    /// What may hold of a call in one or two words, besides its state; longer ones first.
    static let facts: [(words: String, fact: CallFact)] = [
        ("held by remote", .heldByRemote(true)), ("remotely ringing", .remotelyRinging), ("active", .active),
        ("muted", .muted(true)), ("unmuted", .muted(false)), ("grouped", .grouped(true)), ("alone", .grouped(false)),
        ("video", .video), ("outgoing", .outgoing(true)), ("incoming", .outgoing(false)),
        ("translating", .translating),
    ]

    /// Where a shown name comes from.
    static let nameSources: [(word: String, source: CallSnapshot.NameSource)] =
        [.caller, .contact, .directory, .handle].map { ($0.rawValue, $0) }

    /// How a call that is over went.
    static let outcomes = RecentCall.Outcome.allCases.map { (word: $0.rawValue, outcome: $0) }

    private static func unique(_ words: [String]) -> [String] {
        var seen: Set<String> = []
        return words.filter { seen.insert($0).inserted }
    }
}
