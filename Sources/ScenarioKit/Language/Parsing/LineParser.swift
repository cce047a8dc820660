import HubEngine

/// A parser of a line's words as a step; the extensions parse the parts of the language.
struct LineParser {
    /// The parties and calls that are named so far.
    var participants: ParticipantTable
    /// The line's tokens, with the position of the next one.
    var words: TokenCursor

    /// Reads a whole step that is not a block.
    mutating func stepAction() throws(LineSyntaxError) -> StepAction {
        let stepAction = try anyStepAction()
        try words.checkEnd()
        return stepAction
    }

    private mutating func anyStepAction() throws(LineSyntaxError) -> StepAction {
        if words.take("wait") { return .wait(try duration()) }
        if words.take("expect") { return try expectationLine() }
        if words.take("hub") { return .hub(try hubProcessAction()) }
        if words.take("clock") {
            try words.require("jumps")
            return .clockJumps(try duration())
        }
        var deviceReference = screen()
        if deviceReference == nil { deviceReference = try self.deviceReference(besides: Self.leadingKeywords) }
        guard let deviceReference else { throw words.expected("a party, such as alice") }
        if isInProcess(deviceReference.party) { return try appStep(of: deviceReference) }
        if isUnderTest(deviceReference.party) { return try observableStep(of: deviceReference) }
        return try step(of: deviceReference)
    }

    /// Reads the part behind a party.
    mutating func step(of deviceReference: DeviceReference) throws(LineSyntaxError) -> StepAction {
        if words.takes(.colon) { return try request(of: deviceReference) }
        return try statement(of: deviceReference)
    }

    private mutating func hubProcessAction() throws(LineSyntaxError) -> HubProcessAction {
        if words.take("is killed") { return .isKilled }
        if words.take("starts") { return .starts }
        if words.take("restarts") { return .restarts }
        if words.take("drains") { return .drains }
        if words.next?.kind == .colon {
            throw LineSyntaxError(column: words.column, sentence: "settings of the hub come before the first step")
        }
        throw words.expected("\"is killed\", \"starts\", \"restarts\" or \"drains\"")
    }

    /// Reads the part behind `bob:`.
    private mutating func request(of deviceReference: DeviceReference) throws(LineSyntaxError) -> StepAction {
        if words.take("try") { return .attempt(try requestWithoutTry(of: deviceReference)) }
        return try requestWithoutTry(of: deviceReference)
    }

    private mutating func requestWithoutTry(of deviceReference: DeviceReference) throws(LineSyntaxError) -> StepAction {
        if let accountDataChange = try accountDataChange() {
            return .changeAccountData(deviceReference, accountDataChange, refusal: nil)
        }
        if let change = try appearanceChange() { return .showAppearance(deviceReference, change, refusal: nil) }
        if let stepAction = try provider(of: deviceReference) { return stepAction }
        if let stepAction = try choice(of: deviceReference) { return stepAction }
        if words.take("nothing") { return .transaction(deviceReference, [], refusal: nil) }
        return .transaction(deviceReference, try actions(isRefused: false), refusal: nil)
    }

    /// Reads `reset` and `configure`.
    private mutating func provider(of deviceReference: DeviceReference) throws(LineSyntaxError) -> StepAction? {
        if words.take("reset") { return .invalidate(deviceReference) }
        guard words.take("configure") else { return nil }
        let (configuration, isOffered) = try configuration()
        return .configure(deviceReference, configuration, offered: isOffered, refusal: nil)
    }

    /// Reads the part behind `bob` without a colon.
    private mutating func statement(of deviceReference: DeviceReference) throws(LineSyntaxError) -> StepAction {
        if words.take("calls") {
            return .transaction(deviceReference, [try callAction(isRefused: false)], refusal: nil)
        }
        if words.take("cannot") { return try refused(of: deviceReference) }
        if words.take("is away") { return .presence(deviceReference, isAway: true) }
        if words.take("is back") { return .presence(deviceReference, isAway: false) }
        if words.take("reports") { return .report(deviceReference, try report(isRefused: false), refusal: nil) }
        if let stepAction = try response(of: deviceReference) { return stepAction }
        if let audioSource = try audioSource() { return .audioSource(deviceReference, audioSource) }
        if let stepAction = try connection() { return .connection(deviceReference, stepAction, refusal: nil) }
        throw unknownVerb(of: deviceReference)
    }

    /// Reads the part behind `bob cannot`, including the error's name.
    private mutating func refused(of deviceReference: DeviceReference) throws(LineSyntaxError) -> StepAction {
        if words.take("report") {
            let report = try report(isRefused: true)
            return .report(deviceReference, report, refusal: try refusal())
        }
        if words.take("resume") { return .connection(deviceReference, .resumes, refusal: try refusal()) }
        if words.take("sign in") { return .connection(deviceReference, .signsIn, refusal: try refusal()) }
        if words.take("configure") {
            let (configuration, isOffered) = try configuration()
            return .configure(deviceReference, configuration, offered: isOffered, refusal: try refusal())
        }
        if let accountDataChange = try accountDataChange() {
            return .changeAccountData(deviceReference, accountDataChange, refusal: try refusal())
        }
        if let change = try appearanceChange() {
            return .showAppearance(deviceReference, change, refusal: try refusal())
        }
        if words.take("nothing") { return .transaction(deviceReference, [], refusal: try refusal()) }
        let actions = try actions(isRefused: true)
        return .transaction(deviceReference, actions, refusal: try refusal())
    }

    private mutating func refusal() throws(LineSyntaxError) -> String {
        try words.requireColon(before: "the error's name, such as invalidAction")
        guard let name = words.word(), Keywords.errors.contains(name) else {
            throw words.unknown("error of the hub", among: Keywords.errors, listedIn: "docs/protocol.md")
        }
        _ = words.take(.word)
        return name
    }

    private func unknownVerb(of deviceReference: DeviceReference) -> LineSyntaxError {
        guard let word = words.word() else { return words.expected("an event, such as \"calls\", or \":\"") }
        if Self.requestVerbs.contains(word) {
            let sentence = "a request of a party stands behind a colon: \"\(deviceReference): \(word)\""
            return LineSyntaxError(column: words.column, sentence: sentence)
        }
        let sentence = "is no known verb; did you mean"
        if let other = KeywordSynonyms.statements.correct(for: words) {
            return LineSyntaxError(
                column: words.column,
                sentence: "\(other.synonym.quoted) \(sentence) \"\(deviceReference) \(other.correct)\"?"
            )
        }
        if let other = KeywordSynonyms.requests.correct(for: words) {
            return LineSyntaxError(
                column: words.column,
                sentence: "\(other.synonym.quoted) \(sentence) \"\(deviceReference): \(other.correct)\"?"
            )
        }
        let ending = Suggestion.nearest(to: word, among: Self.verbs + Self.requestVerbs)
        let help = ending.map {
            "; did you mean \(Self.requestVerbs.contains($0) ? "\"\(deviceReference): \($0)\"" : $0)?"
        }
        let problem = "\(word.quoted) is no known verb"
        return LineSyntaxError(
            column: words.column,
            sentence: problem + (help ?? "; docs/scenarios.md has the verbs")
        )
    }

    /// The words besides a party's name that a step or a line before the steps may begin with.
    private static let leadingKeywords = [
        "expect", "wait", "hub", "clock", "together:", "repeat", "for each", "in any order:", "at random within", "let",
        "scenario", "proves", "parties", "party", "patience", "seed",
    ]

    /// The verbs behind a party.
    static let verbs = [
        "calls", "cannot", "reports", "fulfills", "fails", "ignores", "handles", "passes", "drops", "resumes", "leaves",
        "signs", "freezes", "thaws", "is", "speaks", "plays",
    ]

    /// The verbs behind a party and a colon.
    static let requestVerbs = [
        "accept", "decline", "answer", "end", "hold", "unhold", "mute", "unmute", "merge", "group", "split", "ungroup",
        "key", "pull", "transfer", "translate", "stop", "call", "swap", "nothing", "do", "block", "unblock", "contact",
        "no", "display", "named", "listed", "load", "enable", "disable", "show", "reset", "configure", "try",
    ]
}
