import HubEngine

/// A parser of a line's words as a step; the extensions parse the parts of the language.
struct LineParser {
    /// The parties and calls that are named so far.
    var cast: Cast
    /// The line's tokens, with the position of the next one.
    var words: Words

    /// Reads a whole step that is not a block.
    mutating func deed() throws(Complaint) -> Deed {
        let deed = try anyDeed()
        try words.checkEnd()
        return deed
    }

    private mutating func anyDeed() throws(Complaint) -> Deed {
        if words.take("wait") { return .wait(try duration()) }
        if words.take("expect") { return try expectationLine() }
        if words.take("hub") { return .hub(try hubDeed()) }
        if words.take("clock") {
            try words.require("jumps")
            return .clockJumps(try duration())
        }
        let who = try who(besides: Self.openers)
        if isUnderTest(who.party) { return try seenDeed(of: who) }
        if words.takes(.colon) { return try request(of: who) }
        return try happening(of: who)
    }

    private mutating func hubDeed() throws(Complaint) -> HubDeed {
        if words.take("is killed") { return .isKilled }
        if words.take("starts") { return .starts }
        if words.take("restarts") { return .restarts }
        if words.take("drains") { return .drains }
        if words.next?.kind == .colon {
            throw Complaint(column: words.column, sentence: "what the hub is set to stands before the first step")
        }
        throw words.expected("\"is killed\", \"starts\", \"restarts\" or \"drains\"")
    }

    /// Reads the part behind `bob:`.
    private mutating func request(of who: Who) throws(Complaint) -> Deed {
        if words.take("try") { return .attempt(try plainRequest(of: who)) }
        return try plainRequest(of: who)
    }

    private mutating func plainRequest(of who: Who) throws(Complaint) -> Deed {
        if let remembering = try remembering() { return .remember(who, remembering, refusal: nil) }
        if let deed = try provider(of: who) { return deed }
        if let deed = try choice(of: who) { return deed }
        if words.take("nothing") { return .transaction(who, [], refusal: nil) }
        return .transaction(who, try actions(isRefused: false), refusal: nil)
    }

    /// Reads `reset` and `configure`.
    private mutating func provider(of who: Who) throws(Complaint) -> Deed? {
        if words.take("reset") { return .invalidate(who) }
        guard words.take("configure") else { return nil }
        return .configure(who, try configuration(), refusal: nil)
    }

    /// Reads the part behind `bob` without a colon.
    private mutating func happening(of who: Who) throws(Complaint) -> Deed {
        if words.take("calls") {
            return .transaction(who, [try callAction(isRefused: false)], refusal: nil)
        }
        if words.take("cannot") { return try refused(of: who) }
        if words.take("reports") { return .report(who, try report(isRefused: false), refusal: nil) }
        if let deed = try settling(of: who) { return deed }
        if let mouth = try mouth() { return .mouth(who, mouth) }
        if let deed = try connection() { return .connection(who, deed, refusal: nil) }
        throw unknownVerb(of: who)
    }

    /// Reads the part behind `bob cannot`, including the error's name.
    private mutating func refused(of who: Who) throws(Complaint) -> Deed {
        if words.take("report") {
            let report = try report(isRefused: true)
            return .report(who, report, refusal: try refusal())
        }
        if words.take("resume") { return .connection(who, .resumes, refusal: try refusal()) }
        if words.take("sign in") { return .connection(who, .signsIn, refusal: try refusal()) }
        if words.take("configure") {
            let configuration = try configuration()
            return .configure(who, configuration, refusal: try refusal())
        }
        if let remembering = try remembering() { return .remember(who, remembering, refusal: try refusal()) }
        if words.take("nothing") { return .transaction(who, [], refusal: try refusal()) }
        let actions = try actions(isRefused: true)
        return .transaction(who, actions, refusal: try refusal())
    }

    private mutating func refusal() throws(Complaint) -> String {
        try words.requireColon(before: "the error's name, such as invalidAction")
        guard let name = words.word(), Vocabulary.errors.contains(name) else {
            throw words.unknown("error of the hub", among: Vocabulary.errors, listedIn: "docs/protocol.md")
        }
        _ = words.take(.word)
        return name
    }

    private func unknownVerb(of who: Who) -> Complaint {
        guard let word = words.word() else { return words.expected("what happens, such as \"calls\", or \":\"") }
        if Self.requestVerbs.contains(word) {
            let sentence = "what somebody asks for stands behind a colon: \"\(who): \(word)\""
            return Complaint(column: words.column, sentence: sentence)
        }
        let sentence = "is nothing that somebody does; did you mean"
        if let other = Synonyms.happenings.right(for: words) {
            return Complaint(
                column: words.column,
                sentence: "\(other.said.quoted) \(sentence) \"\(who) \(other.right)\"?"
            )
        }
        if let other = Synonyms.requests.right(for: words) {
            return Complaint(
                column: words.column,
                sentence: "\(other.said.quoted) \(sentence) \"\(who): \(other.right)\"?"
            )
        }
        let ending = Suggestion.nearest(to: word, among: Self.verbs + Self.requestVerbs)
        let help = ending.map { "; did you mean \(Self.requestVerbs.contains($0) ? "\"\(who): \($0)\"" : $0)?" }
        let ignorance = "\(word.quoted) is nothing that somebody does"
        return Complaint(column: words.column, sentence: ignorance + (help ?? "; docs/scenarios.md has the verbs"))
    }

    /// The words besides a party's name that a step or a line before the steps may begin with.
    private static let openers = [
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
        "key", "pull", "translate", "stop", "call", "swap", "nothing", "do", "block", "unblock", "contact", "no",
        "display", "load", "enable", "disable", "reset", "configure", "try",
    ]
}
