import HubEngine

extension Step {
    /// The step's lines in canonical form, with those indented under it.
    var lines: [String] {
        switch stepAction {
        case .together(let steps): ["together:"] + steps.indented
        case .inAnyOrder(let steps): ["in any order:"] + steps.indented
        case .atRandom(let duration, let steps): ["at random within \(duration.text):"] + steps.indented
        default: [stepAction.text]
        }
    }
}

extension [Step] {
    fileprivate var indented: [String] { flatMap(\.lines).map { "    " + $0 } }
}

extension StepAction {
    /// The line of an action or expectation that opens no block.
    fileprivate var text: String {
        switch self {
        case .transaction(let deviceReference, let actions, let refusal):
            Self.transaction(deviceReference, actions, refusal)
        case .choose(let deviceReference, let choice, let call): "\(deviceReference): \(choice.words) \(call)"
        case .swap(let deviceReference, let first, let second):
            if let first, let second {
                "\(deviceReference): swap \(first) with \(second)"
            } else {
                "\(deviceReference): swap"
            }
        case .respond(let deviceReference, .fulfillsBy(let engine), let kind, let call):
            "\(deviceReference) fulfills \(kind.rawValue) \(call) by \(engine.rawValue)"
        case .respond(let deviceReference, let response, let kind, let call):
            "\(deviceReference) \(response) \(kind.rawValue) \(call)"
        case .fulfillsEverything(let deviceReference, let all):
            "\(deviceReference) fulfills \(all ? "everything" : "nothing")"
        case .executed(let deviceReference, let handled):
            "\(deviceReference) \(handled ? "handles the transaction" : "passes the transaction on")"
        case .report(let deviceReference, let report, nil): "\(deviceReference) reports \(report.text)"
        case .report(let deviceReference, let report, let refusal?):
            "\(deviceReference) cannot report \(report.text): \(refusal)"
        case .changeAccountData(let deviceReference, let accountDataChange, let refusal):
            Self.request(deviceReference, accountDataChange.text, refusal)
        case .showAppearance(let deviceReference, let change, let refusal):
            Self.request(deviceReference, change.text, refusal)
        case .presence(let deviceReference, let isAway): "\(deviceReference) is \(isAway ? "away" : "back")"
        case .configure(let deviceReference, let configuration, let isOffered, let refusal):
            Self.request(deviceReference, "configure \(configuration.text(offered: isOffered))", refusal)
        case .invalidate(let deviceReference): "\(deviceReference): reset"
        case .connection(let deviceReference, let stepAction, nil): "\(deviceReference) \(stepAction.text)"
        case .connection(let deviceReference, let stepAction, let refusal?):
            "\(deviceReference) cannot \(stepAction.infinitive): \(refusal)"
        case .attempt(.transaction(let deviceReference, let actions, _)):
            "\(deviceReference): try \(Self.words(for: actions))"
        case .attempt(let stepAction): stepAction.text.replacing(": ", with: ": try ", maxReplacements: 1)
        case .audioSource(let deviceReference, .tone): "\(deviceReference) speaks"
        case .audioSource(let deviceReference, .silence): "\(deviceReference) is silent"
        case .audioSource(let deviceReference, .file(let file)): "\(deviceReference) plays \(LineFormat.word(file))"
        case .hub(let stepAction): "hub \(stepAction.text)"
        case .wait(let duration): "wait \(duration.text)"
        case .clockJumps(let duration): "clock jumps \(duration.text)"
        case .expect(let expectation, nil): "expect \(expectation.text)"
        case .expect(let expectation, let within?): "expect \(expectation.text) within \(within.text)"
        case .together, .inAnyOrder, .atRandom: ""
        }
    }

    private static func transaction(_ deviceReference: DeviceReference, _ actions: [ScriptedAction], _ refusal: String?)
        -> String
    {
        if actions.count == 1, case .call? = actions.first, refusal == nil {
            return "\(deviceReference) \(actions[0].text(call: "calls"))"
        }
        return request(deviceReference, words(for: actions), refusal)
    }

    private static func words(for actions: [ScriptedAction]) -> String {
        actions.isEmpty ? "nothing" : actions.map { $0.text(call: "call") }.joined(separator: ", ")
    }

    private static func request(_ deviceReference: DeviceReference, _ text: String, _ refusal: String?) -> String {
        refusal.map { "\(deviceReference) cannot \(text): \($0)" } ?? "\(deviceReference): \(text)"
    }
}

extension Choice.Name {
    /// The choice as lines name it.
    var words: String { Keywords.choices.first { $0.choice == self }?.words ?? rawValue }
}

extension ScriptedAction {
    func text(call verb: String) -> String {
        switch self {
        case .call(let target, let call, let isVideo):
            "\(verb) \(target.text) as \(call)\(isVideo ? " with video" : "")"
        case .answer(let call): "answer \(call)"
        case .end(let call): "end \(call)"
        case .endHere(let call): "end \(call) here"
        case .decline(let call, let message, let isHere):
            "end \(call)\(isHere ? " here" : "") saying \(LineFormat.quoted(message))"
        case .setHeld(let call, let isHeld): "\(isHeld ? "hold" : "unhold") \(call)"
        case .setMuted(let call, let isMuted): "\(isMuted ? "mute" : "unmute") \(call)"
        case .setGroup(let call, let other?): "merge \(call) with \(other)"
        case .setGroup(let call, nil): "split \(call)"
        case .key(let digits, let call): "key \(LineFormat.word(digits)) on \(call)"
        case .pull(let call): "pull \(call)"
        case .transfer(let call, .call(let other)): "transfer \(call) to \(other)"
        case .transfer(let call, .target(let target)): "transfer \(call) to \(target.text)"
        case .setTranslating(let call, false, _, _): "stop translating \(call)"
        case .setTranslating(let call, true, let from, let to):
            "translate \(call)" + (from.map { " from \(LineFormat.word($0))" } ?? "")
                + (to.map { " to \(LineFormat.word($0))" } ?? "")
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
    var text: String { "\(type):\(value.isEmpty ? "\"\"" : LineFormat.word(value))" }
}

extension ConnectionAction {
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

extension HubProcessAction {
    fileprivate var text: String {
        switch self {
        case .isKilled: "is killed"
        case .starts: "starts"
        case .restarts: "restarts"
        case .drains: "drains"
        }
    }
}
