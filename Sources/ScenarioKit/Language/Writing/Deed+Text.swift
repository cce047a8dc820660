import HubEngine

extension Step {
    /// The step's lines in canonical form, with those indented under it.
    var lines: [String] {
        switch deed {
        case .together(let steps): ["together:"] + steps.indented
        case .inAnyOrder(let steps): ["in any order:"] + steps.indented
        case .atRandom(let duration, let steps): ["at random within \(duration.text):"] + steps.indented
        default: [deed.text]
        }
    }
}

extension [Step] {
    fileprivate var indented: [String] { flatMap(\.lines).map { "    " + $0 } }
}

extension Deed {
    /// The line of an action or expectation that opens no block.
    fileprivate var text: String {
        switch self {
        case .transaction(let who, let actions, let refusal): Self.transaction(who, actions, refusal)
        case .choose(let who, let choice, let call): "\(who): \(choice.words) \(call)"
        case .swap(let who, let first, let second):
            if let first, let second { "\(who): swap \(first) with \(second)" } else { "\(who): swap" }
        case .settle(let who, let settling, let kind, let call): "\(who) \(settling) \(kind.rawValue) \(call)"
        case .fulfillsEverything(let who, let all): "\(who) fulfills \(all ? "everything" : "nothing")"
        case .executed(let who, let handled):
            "\(who) \(handled ? "handles the transaction" : "passes the transaction on")"
        case .report(let who, let report, nil): "\(who) reports \(report.text)"
        case .report(let who, let report, let refusal?): "\(who) cannot report \(report.text): \(refusal)"
        case .remember(let who, let remembering, let refusal): Self.request(who, remembering.text, refusal)
        case .configure(let who, let configuration, let refusal):
            Self.request(who, "configure \(configuration.text)", refusal)
        case .invalidate(let who): "\(who): reset"
        case .connection(let who, let deed, nil): "\(who) \(deed.text)"
        case .connection(let who, let deed, let refusal?): "\(who) cannot \(deed.infinitive): \(refusal)"
        case .attempt(.transaction(let who, let actions, _)):
            "\(who): try \(Self.words(for: actions))"
        case .attempt(let deed): deed.text.replacing(": ", with: ": try ", maxReplacements: 1)
        case .mouth(let who, .tone): "\(who) speaks"
        case .mouth(let who, .silence): "\(who) is silent"
        case .mouth(let who, .file(let file)): "\(who) plays \(Plain.word(file))"
        case .hub(let deed): "hub \(deed.text)"
        case .wait(let duration): "wait \(duration.text)"
        case .clockJumps(let duration): "clock jumps \(duration.text)"
        case .expect(let expectation, nil): "expect \(expectation.text)"
        case .expect(let expectation, let within?): "expect \(expectation.text) within \(within.text)"
        case .together, .inAnyOrder, .atRandom: ""
        }
    }

    private static func transaction(_ who: Who, _ actions: [SpokenAction], _ refusal: String?) -> String {
        if actions.count == 1, case .call? = actions.first, refusal == nil {
            return "\(who) \(actions[0].text(call: "calls"))"
        }
        return request(who, words(for: actions), refusal)
    }

    private static func words(for actions: [SpokenAction]) -> String {
        actions.isEmpty ? "nothing" : actions.map { $0.text(call: "call") }.joined(separator: ", ")
    }

    private static func request(_ who: Who, _ text: String, _ refusal: String?) -> String {
        refusal.map { "\(who) cannot \(text): \($0)" } ?? "\(who): \(text)"
    }
}

extension Choice.Name {
    /// The choice as lines name it.
    var words: String { Vocabulary.choices.first { $0.choice == self }?.words ?? rawValue }
}

extension SpokenAction {
    func text(call verb: String) -> String {
        switch self {
        case .call(let target, let call, let isVideo):
            "\(verb) \(target.text) as \(call)\(isVideo ? " with video" : "")"
        case .answer(let call): "answer \(call)"
        case .end(let call): "end \(call)"
        case .endHere(let call): "end \(call) here"
        case .setHeld(let call, let isHeld): "\(isHeld ? "hold" : "unhold") \(call)"
        case .setMuted(let call, let isMuted): "\(isMuted ? "mute" : "unmute") \(call)"
        case .setGroup(let call, let other?): "merge \(call) with \(other)"
        case .setGroup(let call, nil): "split \(call)"
        case .key(let digits, let call): "key \(Plain.word(digits)) on \(call)"
        case .pull(let call): "pull \(call)"
        case .setTranslating(let call, false, _, _): "stop translating \(call)"
        case .setTranslating(let call, true, let from, let to):
            "translate \(call)" + (from.map { " from \(Plain.word($0))" } ?? "")
                + (to.map { " to \(Plain.word($0))" } ?? "")
        }
    }
}

extension Target {
    /// The name of a party or a built-in party, or else the handle.
    var text: String {
        switch self {
        case .party(let name): name
        case .handle(let handle): BuiltInParty.allCases.first { $0.handle == handle }?.rawValue ?? handle.text
        }
    }
}

extension Handle {
    /// The handle as lines contain it, `phoneNumber:4912345`, with quotes if they are needed.
    var text: String { "\(type):\(value.isEmpty ? "\"\"" : Plain.word(value))" }
}

extension ConnectionDeed {
    fileprivate var text: String {
        switch self {
        case .drops: "drops"
        case .resumes: "resumes"
        case .leaves: "leaves"
        case .signsIn: "signs in"
        case .freezes: "freezes"
        case .thaws: "thaws"
        case .isDelayed(let duration): "is delayed by \(duration.text)"
        case .isThrottled(nil): "is throttled no more"
        case .isThrottled(let rate?): "is throttled to \(Self.text(rate))"
        }
    }

    /// The verb behind `cannot`.
    fileprivate var infinitive: String { self == .signsIn ? "sign in" : "resume" }

    private static func text(_ rate: Int) -> String {
        if rate % 1_000_000 == 0 { return "\(rate / 1_000_000) Mbit/s" }
        return rate % 1_000 == 0 ? "\(rate / 1_000) kbit/s" : "\(rate) bit/s"
    }
}

extension HubDeed {
    fileprivate var text: String {
        switch self {
        case .isKilled: "is killed"
        case .starts: "starts"
        case .restarts: "restarts"
        case .drains: "drains"
        }
    }
}
