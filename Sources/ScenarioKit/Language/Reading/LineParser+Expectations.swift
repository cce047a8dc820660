// Expectations.
extension LineParser {
    /// Reads the part behind `expect`.
    mutating func expectationLine() throws(Complaint) -> Deed {
        let expectation = try words.take("either") ? either() : expectation()
        let place = words.index
        guard words.take("within") else { return .expect(expectation, within: nil) }
        guard !expectation.isOfTheWholeRun else {
            throw Complaint(
                column: words.column(of: place),
                sentence: "this is expected of the whole run; \"within\" goes with a moment"
            )
        }
        return .expect(expectation, within: try duration())
    }

    private mutating func either() throws(Complaint) -> Assertion {
        var all: [Assertion] = []
        repeat {
            let place = words.index
            let one = try expectation()
            guard !one.isOfTheWholeRun else {
                let sentence = "this is expected of the whole run; in \"either\" stands what is so at one moment"
                throw Complaint(column: words.column(of: place), sentence: sentence)
            }
            all.append(one)
        } while words.take("or")
        guard all.count > 1 else { throw words.expected("\"or\" and what else may be so") }
        return .either(all)
    }

    private mutating func expectation() throws(Complaint) -> Assertion {
        if words.take("nobody hears himself") { return .nobodyHearsHimself }
        if words.take("nobody hears anybody") { return .nobodyHearsAnybody }
        guard words.word() != "nobody" else {
            throw words.expected("\"nobody hears himself\" or \"nobody hears anybody\"")
        }
        guard let word = words.word() else { throw words.expected("who, such as bob, or what is his, such as bob's A") }
        try checkIsSeen(Self.owner(word) ?? word)
        guard let owner = Self.owner(word) else { return try expectation(of: Who(try partyName())) }
        if ["call", "calls"].contains(words.word(1)) {
            let sentence = "a call is meant by its name, as in \"\(word) A is connected\""
            throw Complaint(column: words.column(of: words.index + 1), sentence: sentence)
        }
        let party = try partyName(owner)
        return try possession(of: Who(party))
    }

    /// Reads the part behind `bob's`: a device, or a call, the audio session or Recents.
    private mutating func possession(of who: Who) throws(Complaint) -> Assertion {
        if words.take("audio") { return try audio(of: who) }
        if words.take("recents") { return .recents(who, try recents()) }
        guard let word = words.word() else {
            throw words.expected("a call, such as A, a device, \"audio\" or \"recents\"")
        }
        if Names.isCall(word) {
            let call = try call()
            return .call(who, call, try facts())
        }
        guard who.device == nil else { throw words.expected("a call, such as A, \"audio\" or \"recents\"") }
        let owned = Who(who.party, device: try device(of: who.party))
        return try Self.owner(word) == nil ? expectation(of: owned) : possession(of: owned)
    }

    private mutating func audio(of who: Who) throws(Complaint) -> Assertion {
        if words.take("is off") { return .audio(who, nil) }
        if words.take("is on for") { return .audio(who, try call()) }
        throw words.expected("\"is on for\" and a call, or \"is off\"")
    }

    /// Reads the part behind `expect bob`.
    private mutating func expectation(of who: Who) throws(Complaint) -> Assertion {
        if words.take("rings") { return .rings(who) }
        if words.take("does not ring") { return .doesNotRing(who) }
        if words.take("is told") { return .isTold(who, try telling()) }
        if words.take("is not told") { return .isNotTold(who, try telling()) }
        if words.take("has no calls") { return .callCount(who, 0) }
        if words.take("has") {
            let count = try number(0...9_999, of: "calls")
            guard words.take("call") || words.take("calls") else { throw words.expected("\"calls\"") }
            return .callCount(who, count)
        }
        if words.take("hears nothing") { return .hearsNothing(who, for: try span()) }
        if words.take("hears") { return .hears(who, try voices(of: who), for: try span()) }
        if words.take("never heard") || words.take("never hears") { return .neverHears(who, try voice(of: who)) }
        throw unknownExpectation(of: who)
    }

    private func unknownExpectation(of who: Who) -> Complaint {
        let known = ["rings", "does not ring", "is told", "is not told", "has", "hears", "never heard"]
        guard let word = words.word() else { return words.expected("what is expected, such as hears alice") }
        if let other = Synonyms.expectations.right(for: words) {
            let sentence =
                "\(other.said.quoted) is nothing that can be expected of \(who); did you mean \"\(other.right)\"?"
            return Complaint(column: words.column, sentence: sentence)
        }
        if word == "is" || word == "ended" {
            let sentence = "what is so of a call is expected of the call: \"expect \(who)'s A is connected\""
            return Complaint(column: words.column, sentence: sentence)
        }
        let ending = Suggestion.nearest(to: word, among: known).map { "; did you mean \($0)?" }
        let there = "; there are \(Suggestion.listed(known.map { "\"\($0)\"" }))"
        return Complaint(
            column: words.column,
            sentence: "\(word.quoted) is nothing that can be expected of \(who)\(ending ?? there)"
        )
    }

    // MARK: Notifications

    private mutating func telling() throws(Complaint) -> Telling {
        if words.take("perform") {
            let kind = try actionKind()
            guard let word = words.word(), Names.isCall(word) else { return .perform(kind, nil) }
            return .perform(kind, try call())
        }
        if words.take("dtmf") { return .digits(try wordOrQuoted("the digits, such as 12")) }
        if words.take("closing") {
            guard let word = words.word(), Vocabulary.closings.contains(word) else {
                throw words.unknown("reason to close", among: Vocabulary.closings)
            }
            _ = words.take(.word)
            return .closing(word)
        }
        guard let word = words.word(), Vocabulary.notifications.contains(word) else {
            throw words.unknown("notification", among: Vocabulary.notifications + ["perform", "dtmf", "closing"])
        }
        _ = words.take(.word)
        return .notification(word)
    }

    // MARK: Recents

    private mutating func recents() throws(Complaint) -> [RecentFact] {
        try words.requireColon(before: "the calls, such as missed from alice")
        guard !words.take("nothing") else { return [] }
        var recents: [RecentFact] = []
        repeat {
            if words.word() == "silenced", let last = recents.indices.last, !recents[last].isSilenced {
                _ = words.take(.word)
                recents[last].isSilenced = true
            } else {
                recents.append(try recent())
            }
        } while words.takes(.comma)
        return recents
    }

    private mutating func recent() throws(Complaint) -> RecentFact {
        guard let word = words.word(), let outcome = Vocabulary.outcomes.first(where: { $0.word == word })?.outcome
        else { throw words.unknown("outcome of a call", among: Vocabulary.outcomes.map(\.word)) }
        _ = words.take(.word)
        let isIncoming = words.take("from")
        guard isIncoming || words.take("to") else { throw words.expected("\"from\" or \"to\"") }
        return RecentFact(outcome, try target(), isIncoming: isIncoming)
    }

    // MARK: Sound

    private mutating func voices(of who: Who) throws(Complaint) -> [Voice] {
        var voices: [Voice] = []
        repeat {
            let place = words.index
            let voice = try voice(of: who)
            guard !voices.contains(voice) else {
                throw Complaint(
                    column: words.column(of: place),
                    sentence: "this voice stands here twice; once is right"
                )
            }
            voices.append(voice)
        } while words.takes(.comma) || words.take("and")
        return voices
    }

    private mutating func voice(of who: Who) throws(Complaint) -> Voice {
        if words.take("music") { return .music }
        if words.take("tone") { return .tone }
        for word in Vocabulary.ownVoice where words.take(word) { return .party(who.party) }
        guard words.word() != nil else { throw words.expected("who is heard, such as alice, music or nothing") }
        if let owner = words.word().flatMap(Self.owner), cast.party(owner) != nil {
            let sentence = "all devices of \(owner) speak alike; \"hears \(owner)\" is right"
            throw Complaint(column: words.column, sentence: sentence)
        }
        try checkIsHeard()
        return .party(try partyName(orRather: .voices))
    }

    private mutating func span() throws(Complaint) -> Duration? {
        guard words.take("for") else { return nil }
        let place = words.index
        let span = try duration()
        guard span >= Limits.shortestSound else {
            let sentence = "sound is judged over 100 ms and more; \"for 100 ms\" or a longer time is right"
            throw Complaint(column: words.column(of: place), sentence: sentence)
        }
        return span
    }
}

extension Assertion {
    /// Indicates that the expectation is judged at the end of the run.
    var isOfTheWholeRun: Bool {
        switch self {
        case .neverHears, .nobodyHearsHimself: true
        default: false
        }
    }
}
