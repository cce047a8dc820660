// Expectations.
extension LineParser {
    /// Reads the part behind `expect`.
    mutating func expectationLine() throws(LineSyntaxError) -> StepAction {
        let expectation = try words.take("either") ? either() : expectation()
        let place = words.index
        guard words.take("within") else { return .expect(expectation, within: nil) }
        guard !expectation.appliesToWholeRun else {
            throw LineSyntaxError(
                column: words.column(of: place),
                sentence: "this is expected of the whole run; \"within\" goes with a moment"
            )
        }
        return .expect(expectation, within: try duration())
    }

    private mutating func either() throws(LineSyntaxError) -> Assertion {
        var all: [Assertion] = []
        repeat {
            let place = words.index
            let one = try expectation()
            guard !one.appliesToWholeRun else {
                let sentence = "this is expected of the whole run; \"either\" takes expectations of one moment"
                throw LineSyntaxError(column: words.column(of: place), sentence: sentence)
            }
            all.append(one)
        } while words.take("or")
        guard all.count > 1 else { throw words.expected("\"or\" and another expectation") }
        return .either(all)
    }

    private mutating func expectation() throws(LineSyntaxError) -> Assertion {
        if words.take("nobody hears himself") { return .nobodyHearsHimself }
        if words.take("nobody hears anybody") { return .nobodyHearsAnybody }
        guard words.word() != "nobody" else {
            throw words.expected("\"nobody hears himself\" or \"nobody hears anybody\"")
        }
        guard let word = words.word() else { throw words.expected("a party, such as bob, or a call, such as bob's A") }
        try checkIsObservable(Self.owner(word) ?? word)
        guard let owner = Self.owner(word) else { return try expectation(of: DeviceReference(try partyName())) }
        if ["call", "calls"].contains(words.word(1)) {
            let sentence = "a call is meant by its name, as in \"\(word) A is connected\""
            throw LineSyntaxError(column: words.column(of: words.index + 1), sentence: sentence)
        }
        let party = try partyName(owner)
        return try deviceExpectation(of: DeviceReference(party))
    }

    /// Reads the part behind `bob's`: a device, or a call, the audio session or Recents.
    private mutating func deviceExpectation(of deviceReference: DeviceReference) throws(LineSyntaxError) -> Assertion {
        if words.take("audio") { return try audio(of: deviceReference) }
        if words.take("recents") { return .recents(deviceReference, try recents()) }
        if words.take("providers") {
            return .providers(deviceReference, try providers(of: deviceReference.party))
        }
        if words.take("directories") { return .directories(deviceReference, try directories()) }
        let lists = "\"audio\", \"recents\", \"providers\" or \"directories\""
        guard let word = words.word() else { throw words.expected("a call, such as A, a device, \(lists)") }
        if NameSyntax.isCall(word) {
            let call = try call()
            return .call(deviceReference, call, try callMatchers())
        }
        guard deviceReference.device == nil else { throw words.expected("a call, such as A, \(lists)") }
        let owned = DeviceReference(deviceReference.party, device: try device(of: deviceReference.party))
        return try Self.owner(word) == nil ? expectation(of: owned) : deviceExpectation(of: owned)
    }

    private mutating func audio(of deviceReference: DeviceReference) throws(LineSyntaxError) -> Assertion {
        if words.take("is off") { return .audio(deviceReference, nil) }
        if words.take("is on for") { return .audio(deviceReference, try call()) }
        throw words.expected("\"is on for\" and a call, or \"is off\"")
    }

    /// Reads the part behind `expect bob`.
    private mutating func expectation(of deviceReference: DeviceReference) throws(LineSyntaxError) -> Assertion {
        if words.take("rings") { return .rings(deviceReference) }
        if words.take("does not ring") { return .doesNotRing(deviceReference) }
        if words.take("is told") { return .receivesNotification(deviceReference, try matcher()) }
        if words.take("is not told") { return .receivesNoNotification(deviceReference, try matcher()) }
        if words.take("has no calls") { return .callCount(deviceReference, 0) }
        if words.take("has") {
            let count = try number(0...9_999, of: "calls")
            guard words.take("call") || words.take("calls") else { throw words.expected("\"calls\"") }
            return .callCount(deviceReference, count)
        }
        if words.take("sees") { return try seen(by: deviceReference) }
        if words.take("hears nothing") { return .hearsNothing(deviceReference, for: try span()) }
        if words.take("hears") { return .hears(deviceReference, try voices(of: deviceReference), for: try span()) }
        if words.take("never heard") || words.take("never hears") {
            return .neverHears(deviceReference, try voice(of: deviceReference))
        }
        throw unknownExpectation(of: deviceReference)
    }

    private func unknownExpectation(of deviceReference: DeviceReference) -> LineSyntaxError {
        let known = ["rings", "does not ring", "is told", "is not told", "has", "sees", "hears", "never heard"]
        guard let word = words.word() else { return words.expected("an expectation, such as hears alice") }
        if let other = KeywordSynonyms.expectations.correct(for: words) {
            let sentence =
                "\(other.synonym.quoted) is nothing that can be expected of \(deviceReference); did you mean \"\(other.correct)\"?"
            return LineSyntaxError(column: words.column, sentence: sentence)
        }
        if word == "is" || word == "ended" {
            let sentence =
                "the state of a call is expected of the call: \"expect \(deviceReference)'s A is connected\""
            return LineSyntaxError(column: words.column, sentence: sentence)
        }
        let ending = Suggestion.nearest(to: word, among: known).map { "; did you mean \($0)?" }
        let there = "; there are \(Suggestion.listed(known.map { "\"\($0)\"" }))"
        return LineSyntaxError(
            column: words.column,
            sentence: "\(word.quoted) is nothing that can be expected of \(deviceReference)\(ending ?? there)"
        )
    }

    // MARK: Notifications

    private mutating func matcher() throws(LineSyntaxError) -> NotificationMatcher {
        if words.take("perform") {
            let kind = try actionKind()
            guard let word = words.word(), NameSyntax.isCall(word) else { return .perform(kind, nil) }
            return .perform(kind, try call())
        }
        if words.take("dtmf") { return .digits(try wordOrQuoted("the digits, such as 12")) }
        if words.take("closing") {
            guard let word = words.word(), Keywords.closings.contains(word) else {
                throw words.unknown("reason to close", among: Keywords.closings)
            }
            _ = words.take(.word)
            return .closing(word)
        }
        guard let word = words.word(), Keywords.notifications.contains(word) else {
            throw words.unknown("notification", among: Keywords.notifications + ["perform", "dtmf", "closing"])
        }
        _ = words.take(.word)
        return .notification(word)
    }

    // MARK: Presence

    /// Reads the part behind `expect bob sees`.
    private mutating func seen(by deviceReference: DeviceReference) throws(LineSyntaxError) -> Assertion {
        let target = try target()
        guard let word = words.word(), Keywords.presence.contains(word) else {
            throw words.unknown("presence", among: Keywords.presence)
        }
        _ = words.take(.word)
        return .sees(deviceReference, target, word)
    }

    // MARK: Recents

    private mutating func recents() throws(LineSyntaxError) -> [RecentCallMatcher] {
        try words.requireColon(before: "the calls, such as missed from alice")
        guard !words.take("nothing") else { return [] }
        var recents: [RecentCallMatcher] = []
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

    private mutating func recent() throws(LineSyntaxError) -> RecentCallMatcher {
        guard let word = words.word(), let outcome = Keywords.outcomes.first(where: { $0.word == word })?.outcome
        else { throw words.unknown("outcome of a call", among: Keywords.outcomes.map(\.word)) }
        _ = words.take(.word)
        let isIncoming = words.take("from")
        guard isIncoming || words.take("to") else { throw words.expected("\"from\" or \"to\"") }
        var recent = RecentCallMatcher(outcome, try target(), isIncoming: isIncoming)
        recent.hasVideo = words.take("with video")
        if words.take("by") { recent.provider = try quoted("the provider's name") }
        return recent
    }

    // MARK: Sound

    private mutating func voices(of deviceReference: DeviceReference) throws(LineSyntaxError) -> [Voice] {
        var voices: [Voice] = []
        repeat {
            let place = words.index
            let voice = try voice(of: deviceReference)
            guard !voices.contains(voice) else {
                throw LineSyntaxError(
                    column: words.column(of: place),
                    sentence: "this voice stands here twice; once is right"
                )
            }
            voices.append(voice)
        } while words.takes(.comma) || words.take("and")
        return voices
    }

    private mutating func voice(of deviceReference: DeviceReference) throws(LineSyntaxError) -> Voice {
        if words.take("music") { return .music }
        if words.take("tone") { return .tone }
        for word in Keywords.ownVoice where words.take(word) { return .party(deviceReference.party) }
        guard words.word() != nil else { throw words.expected("a sound, such as alice, music or nothing") }
        if let owner = words.word().flatMap(Self.owner), participants.party(owner) != nil {
            let sentence = "all devices of \(owner) send the same sound; \"hears \(owner)\" is right"
            throw LineSyntaxError(column: words.column, sentence: sentence)
        }
        try checkHasTone()
        return .party(try partyName(orRather: .voices))
    }

    private mutating func span() throws(LineSyntaxError) -> Duration? {
        guard words.take("for") else { return nil }
        let place = words.index
        let span = try duration()
        guard span >= ScenarioLimits.shortestSound else {
            let sentence = "sound is judged over 100 ms and more; \"for 100 ms\" or a longer time is right"
            throw LineSyntaxError(column: words.column(of: place), sentence: sentence)
        }
        return span
    }
}

extension Assertion {
    /// Indicates that the expectation is judged at the end of the run.
    var appliesToWholeRun: Bool {
        switch self {
        case .neverHears, .nobodyHearsHimself: true
        default: false
        }
    }
}
