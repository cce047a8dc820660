import HubEngine

// Parties whose phones are apps under test: only what others observe of them can be written.
extension LineParser {
    /// Indicates that a party's phone is an app under test.
    func isUnderTest(_ party: String) -> Bool { cast.party(party)?.underTest != nil }

    // MARK: The party's line

    /// Reads `under test` and the tone that goes with it; false: the option is another one.
    mutating func underTest(_ party: inout Party) throws(Complaint) -> Bool {
        if words.take("under test") {
            party.underTest = party.underTest ?? AppUnderTest()
            return true
        }
        guard words.word() == "speaks" else { return false }
        guard party.underTest != nil else {
            let sentence = "a party has a tone of its own; \"speaks\" stands after \"under test\", for an app"
            throw Complaint(column: words.column, sentence: sentence)
        }
        _ = words.take(.word)
        party.underTest?.hertz = try hertz()
        return true
    }

    private mutating func hertz() throws(Complaint) -> Int {
        let place = words.column
        let hertz = try number(1...24_000, of: "Hz")
        guard AppUnderTest.tones.contains(hertz) else {
            let sentence =
                "\(hertz) Hz cannot be told apart from the other sounds of a run; a multiple of 50 can,"
                + " from 600 to 1500 or from 3300 to 3900"
            throw Complaint(column: place, sentence: sentence)
        }
        if let other = cast.parties.first(where: { $0.underTest?.hertz == hertz }) {
            throw Complaint(column: place, sentence: "\(other.name) speaks \(hertz) Hz already; another tone is right")
        }
        try words.require("Hz")
        return hertz
    }

    /// Throws a complaint if an app's party has options besides its tone.
    func checkUnderTest(_ party: Party, column: Int) throws(Complaint) {
        guard let app = party.underTest else { return }
        var plain = Party(party.name)
        plain.underTest = app
        guard party != plain else { return }
        let sentence =
            "what \(party.name)'s phone is like is its app's affair; with \"under test\" goes only its tone,"
            + " such as \"speaks 1000 Hz\""
        throw Complaint(column: column, sentence: sentence)
    }

    // MARK: Steps

    /// Reads a step of an app, as other parties observe it.
    mutating func seenDeed(of who: Who) throws(Complaint) -> Deed {
        if words.take("calls") { return .transaction(who, [try seenCall(of: who)], refusal: nil) }
        guard words.takes(.colon) else { throw unseen(who) }
        if words.take("accept") { return .choose(who, .accept, try call()) }
        if words.take("decline") { return .choose(who, .decline, try call()) }
        if words.take("swap") {
            let first = try call()
            try words.require("with")
            return .swap(who, first, try call())
        }
        var actions: [SpokenAction] = []
        repeat { actions.append(try seenAction(of: who)) } while words.takes(.comma)
        return .transaction(who, actions, refusal: nil)
    }

    private mutating func seenAction(of who: Who) throws(Complaint) -> SpokenAction {
        if words.take("call") { return try seenCall(of: who) }
        guard let word = words.word(), Self.seenActions.contains(word) else { throw unseen(who) }
        let action = try action(isRefused: false)
        if case .endHere = action { throw unseen(who) }
        return action
    }

    private mutating func seenCall(of who: Who) throws(Complaint) -> SpokenAction {
        let column = words.column
        let action = try callAction(isRefused: false)
        if case .call(.party(let callee), _, _) = action, !isUnderTest(callee) { return action }
        let sentence =
            "nobody here sees whom else \(who) calls, which is under test; it calls a party with a phone"
            + " of the run"
        throw Complaint(column: column, sentence: sentence)
    }

    private func unseen(_ who: Who) -> Complaint {
        let requests = ["accept", "decline"] + Self.seenActions + ["call", "swap A with B"]
        let seen = Suggestion.listed(["\"calls\""] + requests.map { "\": \($0)\"" })
        let sentence =
            "\(who) is under test: others see it do \(seen); what else comes of it is expected of them, as in"
            + " \"expect alice hears nothing\""
        return Complaint(column: words.column, sentence: sentence)
    }

    private static let seenActions = ["answer", "end", "hold", "unhold", "key"]

    // MARK: Expectations

    /// Throws a complaint if a party is under test, since its notifications and its sound cannot be observed.
    func checkIsSeen(_ party: String) throws(Complaint) {
        guard isUnderTest(party) else { return }
        let sentence =
            "what \(party) is told and hears is known to its app alone, which is under test; expect"
            + " it of others, as in \"expect alice's A is held by remote\""
        throw Complaint(column: words.column, sentence: sentence)
    }

    /// Throws a complaint if the next word is a party under test without a tone, since its voice is unknown.
    func checkIsHeard() throws(Complaint) {
        guard let word = words.word(), let app = cast.party(word)?.underTest, app.hertz == nil else { return }
        let sentence =
            "what \(word) says is its app's affair; it is known by a tone:"
            + " \"party \(word): under test, speaks 1000 Hz\""
        throw Complaint(column: words.column, sentence: sentence)
    }
}
