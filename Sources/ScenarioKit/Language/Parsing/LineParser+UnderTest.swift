import HubEngine

// Parties whose phones are apps under test: of a program only what others observe can be written, of an app in process
// what an app can do.
extension LineParser {
    /// Indicates that a party's phone is an app under test.
    func isUnderTest(_ party: String) -> Bool { participants.party(party)?.underTest != nil }

    /// Indicates that a party's phone is an app in the run's process.
    func isInProcess(_ party: String) -> Bool { participants.party(party)?.underTest?.isInProcess ?? false }

    // MARK: The party's line

    /// Reads `under test` and the tone that goes with it; false: the option is another one.
    mutating func underTest(_ party: inout Party) throws(LineSyntaxError) -> Bool {
        if words.take("under test") {
            party.underTest = party.underTest ?? AppUnderTest()
            return true
        }
        if words.word() == "in", words.word(1) == "process" {
            guard party.underTest != nil else {
                let sentence = "an app is in process; \"in process\" stands after \"under test\""
                throw LineSyntaxError(column: words.column, sentence: sentence)
            }
            party.underTest?.isInProcess = words.take("in process")
            return true
        }
        guard words.word() == "speaks" else { return false }
        guard party.underTest != nil else {
            let sentence = "a party has a tone of its own; \"speaks\" stands after \"under test\", for an app"
            throw LineSyntaxError(column: words.column, sentence: sentence)
        }
        _ = words.take(.word)
        party.underTest?.hertz = try hertz()
        return true
    }

    private mutating func hertz() throws(LineSyntaxError) -> Int {
        let place = words.column
        let hertz = try number(1...24_000, of: "Hz")
        guard AppUnderTest.tones.contains(hertz) else {
            let sentence =
                "\(hertz) Hz cannot be distinguished from the other sounds of a run; a multiple of 50 can,"
                + " from 600 to 1500 or from 3300 to 3900"
            throw LineSyntaxError(column: place, sentence: sentence)
        }
        if let other = participants.parties.first(where: { $0.underTest?.hertz == hertz }) {
            throw LineSyntaxError(
                column: place,
                sentence: "\(other.name) speaks \(hertz) Hz already; another tone is right"
            )
        }
        try words.require("Hz")
        return hertz
    }

    /// Throws a syntax error if an app's party has options besides its tone.
    func checkUnderTest(_ party: Party, column: Int) throws(LineSyntaxError) {
        guard let app = party.underTest else { return }
        var withoutOptions = Party(party.name)
        withoutOptions.underTest = app
        guard party != withoutOptions else { return }
        let sentence =
            "the app of \(party.name) determines its phone; \"under test\" has only two options, \"in process\" and"
            + " the app's tone, such as \"speaks 1000 Hz\""
        throw LineSyntaxError(column: column, sentence: sentence)
    }

    // MARK: Steps

    /// Reads the call screen of an app's device, `app's screen`; nil: something else comes next.
    mutating func screen() -> DeviceReference? {
        guard let party = words.word().flatMap(Self.owner), isUnderTest(party),
            words.word(1) == DeviceReference.screen
        else { return nil }
        _ = words.take(.word)
        _ = words.take(.word)
        return DeviceReference(party, device: DeviceReference.screen)
    }

    /// Reads a step of an app in process.
    mutating func appStep(of deviceReference: DeviceReference) throws(LineSyntaxError) -> StepAction {
        let column = words.column
        let stepAction = try step(of: deviceReference)
        let isOnScreen = deviceReference.device != nil
        guard Self.isPossible(stepAction, isOnScreen: isOnScreen) else {
            let can = "call, answer, end, hold, unhold, mute, unmute, merge, split, swap, key and translate"
            let sentence =
                isOnScreen
                ? "a call screen has buttons for the choices of a ringing call, and for one action at a time: \(can)"
                : "an app in process, as \(deviceReference.party), can \(can), and show an icon; it drops and resumes, and"
                    + " the choices of a ringing call are on its screen"
            throw LineSyntaxError(column: column, sentence: sentence)
        }
        return stepAction
    }

    /// Indicates that an app, or the user of its device by the call screen, can perform a step.
    private static func isPossible(_ stepAction: StepAction, isOnScreen: Bool) -> Bool {
        switch stepAction {
        case .attempt(let stepAction): isPossible(stepAction, isOnScreen: isOnScreen)
        case .choose, .swap: true
        case .transaction(_, let actions, _):
            !actions.isEmpty && (actions.count == 1 || !isOnScreen) && actions.allSatisfy(isPossible)
        case .connection(_, .drops, nil), .connection(_, .resumes, nil): !isOnScreen
        case .showAppearance(_, let change, nil): change.ringtone == nil && !isOnScreen
        case .configure(_, let configuration, nil, nil): configuration.isNameAlone && !isOnScreen
        default: false
        }
    }

    private static func isPossible(_ action: ScriptedAction) -> Bool {
        switch action {
        case .endHere, .decline, .pull: false
        default: true
        }
    }

    /// Reads a step of an app, as other parties observe it.
    mutating func observableStep(of deviceReference: DeviceReference) throws(LineSyntaxError) -> StepAction {
        if words.take("calls") {
            return .transaction(deviceReference, [try observableCall(of: deviceReference)], refusal: nil)
        }
        guard words.takes(.colon) else { throw notObservable(deviceReference) }
        if words.take("accept") { return .choose(deviceReference, .accept, try call()) }
        if words.take("decline") {
            let call = try call()
            guard let message = try saying() else { return .choose(deviceReference, .decline, call) }
            let action = ScriptedAction.decline(call, saying: message, isHere: false)
            return .transaction(deviceReference, [action], refusal: nil)
        }
        if words.take("swap") {
            let first = try call()
            try words.require("with")
            return .swap(deviceReference, first, try call())
        }
        var actions: [ScriptedAction] = []
        repeat { actions.append(try observableAction(of: deviceReference)) } while words.takes(.comma)
        return .transaction(deviceReference, actions, refusal: nil)
    }

    private mutating func observableAction(of deviceReference: DeviceReference) throws(LineSyntaxError)
        -> ScriptedAction
    {
        if words.take("call") { return try observableCall(of: deviceReference) }
        guard let word = words.word(), Self.observableActions.contains(word) else {
            throw notObservable(deviceReference)
        }
        let action = try action(isRefused: false)
        switch action {
        case .endHere, .decline(_, _, isHere: true): throw notObservable(deviceReference)
        default: return action
        }
    }

    private mutating func observableCall(of deviceReference: DeviceReference) throws(LineSyntaxError) -> ScriptedAction
    {
        let column = words.column
        let action = try callAction(isRefused: false)
        if case .call(.party(let callee), _, _) = action, !isUnderTest(callee) || isInProcess(callee) { return action }
        let sentence =
            "\(deviceReference) is under test, and only its calls to parties of the run with simulated devices can be"
            + " observed"
        throw LineSyntaxError(column: column, sentence: sentence)
    }

    private func notObservable(_ deviceReference: DeviceReference) -> LineSyntaxError {
        let requests = ["accept", "decline"] + Self.observableActions + ["call", "swap A with B"]
        let seen = Suggestion.listed(["\"calls\""] + requests.map { "\": \($0)\"" })
        let sentence =
            "\(deviceReference) is under test: others observe only \(seen); expect other effects of them, as in"
            + " \"expect alice hears nothing\""
        return LineSyntaxError(column: words.column, sentence: sentence)
    }

    private static let observableActions = ["answer", "end", "hold", "unhold", "key"]

    // MARK: Expectations

    /// Throws a syntax error if a party is under test, since its notifications and its sound cannot be observed.
    func checkIsObservable(_ party: String) throws(LineSyntaxError) {
        guard isUnderTest(party), !isInProcess(party) else { return }
        let sentence =
            "the notifications and the sound of \(party) are known only to its app, which is under test; expect"
            + " the state of others, as in \"expect alice's A is held by remote\""
        throw LineSyntaxError(column: words.column, sentence: sentence)
    }

    /// Throws a syntax error if the next word is a party under test without a tone, since its voice is unknown.
    func checkHasTone() throws(LineSyntaxError) {
        guard let word = words.word(), let app = participants.party(word)?.underTest, app.hertz == nil,
            !app.isInProcess
        else { return }
        let sentence =
            "the sound of \(word) is that of its app, which is recognized only by a tone:"
            + " \"party \(word): under test, speaks 1000 Hz\""
        throw LineSyntaxError(column: words.column, sentence: sentence)
    }
}

extension ProviderConfiguration {
    /// Indicates that it has a name, and CallKit's defaults beside it.
    fileprivate var isNameAlone: Bool {
        var unnamed = self
        unnamed.localizedName = nil
        return localizedName != nil && unnamed == ProviderConfiguration()
    }
}
