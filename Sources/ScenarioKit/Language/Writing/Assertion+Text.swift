import HubEngine

extension Assertion {
    /// The part of the line behind `expect`.
    var text: String {
        switch self {
        case .call(let who, let call, let facts): "\(who)'s \(call) \(Self.text(facts))"
        case .callCount(let who, 0): "\(who) has no calls"
        case .callCount(let who, 1): "\(who) has 1 call"
        case .callCount(let who, let count): "\(who) has \(count) calls"
        case .rings(let who): "\(who) rings"
        case .doesNotRing(let who): "\(who) does not ring"
        case .isTold(let who, let telling): "\(who) is told \(telling.text)"
        case .isNotTold(let who, let telling): "\(who) is not told \(telling.text)"
        case .audio(let who, let call?): "\(who)'s audio is on for \(call)"
        case .audio(let who, nil): "\(who)'s audio is off"
        case .recents(let who, let recents):
            "\(who)'s recents: \(recents.isEmpty ? "nothing" : recents.map(\.text).joined(separator: ", "))"
        case .hears(let who, let voices, let span):
            "\(who) hears \(Plain.listed(voices.map { $0.text(heardBy: who) }))\(Self.text(span))"
        case .hearsNothing(let who, let span): "\(who) hears nothing\(Self.text(span))"
        case .neverHears(let who, let voice): "\(who) never heard \(voice.text(heardBy: who))"
        case .nobodyHearsHimself: "nobody hears himself"
        case .nobodyHearsAnybody: "nobody hears anybody"
        case .either(let all): "either \(all.map(\.text).joined(separator: " or "))"
        }
    }

    private static func text(_ span: Duration?) -> String { span.map { " for \($0.text)" } ?? "" }

    private static func text(_ facts: [CallFact]) -> String {
        if facts.count == 1 {
            switch facts[0] {
            case .ended, .offers, .shows: return facts[0].text
            default: break
            }
        }
        return "is \(facts.map(\.text).joined(separator: ", "))"
    }
}

extension Voice {
    fileprivate func text(heardBy who: Who) -> String {
        switch self {
        case .party(who.party): "himself"
        case .party(let name): name
        case .music: "music"
        case .tone: "tone"
        }
    }
}

extension CallFact {
    fileprivate var text: String {
        switch self {
        case .state(let state): state.rawValue
        case .groupedWith(let call): "grouped with \(call)"
        case .not(let fact): "not \(fact.text)"
        case .heldByRemote(false): "not held by remote"
        case .ended(let reason, let cause):
            "ended: \(reason.map { "\($0)" } ?? "locally")\(cause.map { " because \($0.rawValue)" } ?? "")"
        case .offers(let choices):
            "offers \(choices.isEmpty ? "nothing" : choices.map(\.words).joined(separator: ", "))"
        case .shows(let name, let source): "shows \(Plain.quoted(name))\(source.map { " from \($0.rawValue)" } ?? "")"
        case .active, .muted, .grouped, .video, .outgoing, .heldByRemote, .remotelyRinging, .translating:
            Vocabulary.facts.first { $0.fact == self }?.words ?? ""
        }
    }
}

extension Telling {
    var text: String {
        switch self {
        case .notification(let name): name
        case .perform(let kind, let call): "perform \(kind.rawValue)\(call.map { " \($0)" } ?? "")"
        case .digits(let digits): "dtmf \(Plain.word(digits))"
        case .closing(let reason): "closing \(reason)"
        }
    }
}

extension RecentFact {
    fileprivate var text: String {
        "\(outcome.rawValue) \(isIncoming ? "from" : "to") \(other.text)\(isSilenced ? ", silenced" : "")"
    }
}
