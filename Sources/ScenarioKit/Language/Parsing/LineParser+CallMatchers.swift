import HubEngine

// Expected properties of a call.
extension LineParser {
    /// Reads the part behind `expect bob's A`.
    mutating func callMatchers() throws(LineSyntaxError) -> [CallMatcher] {
        if words.take("is") {
            var callMatchers = [try callMatcher()]
            while words.takes(.comma) { callMatchers.append(try callMatcher()) }
            return callMatchers
        }
        if words.take("ended") { return [try ending()] }
        if words.take("offers") { return [.offers(try choices())] }
        if words.take("shows") {
            let name = try quoted("a name")
            let source = words.take("from") ? try nameSource() : nil
            let title = source == .directory && words.take("titled") ? try quoted("a directory's title") : nil
            return [.shows(name, from: source, titled: title)]
        }
        if words.take("includes") { return [.includes(try people())] }
        if words.take("came back") {
            guard words.takes(.colon) else { return [.returned(nil)] }
            return [.returned(try cause())]
        }
        if words.take("says") { return [.says(words.take("nothing") ? nil : try quoted("a text"))] }
        throw words.expected("\"is\", \"ended:\", \"offers\", \"shows\", \"includes\", \"came back\" or \"says\"")
    }

    private mutating func people() throws(LineSyntaxError) -> [ParticipantMatcher] {
        guard !words.take("nobody") else { return [] }
        var people: [ParticipantMatcher] = []
        repeat {
            if words.take("somebody") {
                people.append(.somebody)
            } else {
                let target = try target()
                people.append(.person(target, named: words.take("named") ? try quoted("a name") : nil))
            }
        } while words.takes(.comma) || words.take("and")
        return people
    }

    private mutating func callMatcher() throws(LineSyntaxError) -> CallMatcher {
        if words.take("not") { return try callMatcher().opposite }
        if words.take("grouped with") { return .groupedWith(try call()) }
        if words.take("with") { return .with(try target()) }
        if words.take("transferred by") { return .transferredBy(try target()) }
        for (phrase, callMatcher) in Keywords.callMatchers where words.take(phrase) { return callMatcher }
        for (word, state) in Keywords.states where words.take(word) { return .state(state) }
        throw words.unknown("state of a call", among: Keywords.states.map(\.word) + Keywords.callMatchers.map(\.words))
    }

    private mutating func ending() throws(LineSyntaxError) -> CallMatcher {
        guard words.takes(.colon) else {
            throw words.expected("\":\" and the reason, such as unanswered; without a reason it is \"is ended\"")
        }
        let reasons = Keywords.endReasons
        guard let word = words.word(), let known = reasons.first(where: { $0.word == word }) else {
            throw unknownReason(reasons.map(\.word))
        }
        _ = words.take(.word)
        return .ended(known.reason, because: words.take("because") ? try cause() : nil)
    }

    private mutating func cause() throws(LineSyntaxError) -> EndCause {
        guard let word = words.word(), let cause = EndCause(rawValue: word) else {
            throw words.unknown("cause of an end", among: EndCause.allCases.map(\.rawValue))
        }
        _ = words.take(.word)
        return cause
    }

    /// Returns the syntax error about a cause in place of the reason, or about an unknown word.
    private func unknownReason(_ reasons: [String]) -> LineSyntaxError {
        guard let cause = words.word().flatMap({ EndCause(rawValue: $0) }) else {
            return words.unknown("end's reason", among: reasons)
        }
        let isOfOthers = [EndCause.declined, .busy, .cancelled].contains(cause)
        let correct = isOfOthers ? "remoteEnded because \(cause)" : "failed because \(cause)"
        let sentence = "\"\(cause)\" is a cause, and stands behind a reason, as in \"ended: \(correct)\""
        return LineSyntaxError(column: words.column, sentence: sentence)
    }

    private mutating func choices() throws(LineSyntaxError) -> [Choice.Name] {
        guard !words.take("nothing") else { return [] }
        var choices: [Choice.Name] = []
        repeat {
            guard let known = Keywords.choices.first(where: { words.take($0.words) }) else {
                throw words.unknown("choice", among: Keywords.choices.map(\.words))
            }
            choices.append(known.choice)
        } while words.takes(.comma)
        return choices
    }

    private mutating func nameSource() throws(LineSyntaxError) -> CallSnapshot.NameSource {
        guard let word = words.word(), let known = Keywords.nameSources.first(where: { $0.word == word }) else {
            throw words.unknown("source of a name", among: Keywords.nameSources.map(\.word))
        }
        _ = words.take(.word)
        return known.source
    }
}

extension CallMatcher {
    /// The matcher that matches exactly when this one does not, in its canonical form.
    var opposite: CallMatcher {
        switch self {
        case .muted(let flag): .muted(!flag)
        case .grouped(let flag): .grouped(!flag)
        case .outgoing(let flag): .outgoing(!flag)
        case .heldByRemote(let flag): .heldByRemote(!flag)
        case .not(let callMatcher): callMatcher
        default: .not(self)
        }
    }
}
