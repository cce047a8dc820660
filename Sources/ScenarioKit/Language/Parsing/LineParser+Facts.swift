import HubEngine

// Expected properties of a call.
extension LineParser {
    /// Reads the part behind `expect bob's A`.
    mutating func facts() throws(LineSyntaxError) -> [CallFact] {
        if words.take("is") {
            var facts = [try fact()]
            while words.takes(.comma) { facts.append(try fact()) }
            return facts
        }
        if words.take("ended") { return [try ending()] }
        if words.take("offers") { return [.offers(try choices())] }
        if words.take("shows") {
            let name = try quoted("a name")
            return [.shows(name, from: words.take("from") ? try nameSource() : nil)]
        }
        throw words.expected("\"is\", \"ended:\", \"offers\" or \"shows\"")
    }

    private mutating func fact() throws(LineSyntaxError) -> CallFact {
        if words.take("not") { return try fact().opposite }
        if words.take("grouped with") { return .groupedWith(try call()) }
        for (phrase, fact) in Keywords.facts where words.take(phrase) { return fact }
        for (word, state) in Keywords.states where words.take(word) { return .state(state) }
        throw words.unknown("state of a call", among: Keywords.states.map(\.word) + Keywords.facts.map(\.words))
    }

    private mutating func ending() throws(LineSyntaxError) -> CallFact {
        guard words.takes(.colon) else {
            throw words.expected("\":\" and the reason, such as unanswered; without a reason it is \"is ended\"")
        }
        let reasons = Keywords.endReasons
        guard let word = words.word(), let known = reasons.first(where: { $0.word == word }) else {
            throw unknownReason(reasons.map(\.word))
        }
        _ = words.take(.word)
        guard words.take("because") else { return .ended(known.reason, because: nil) }
        guard let word = words.word(), let cause = EndCause(rawValue: word) else {
            throw words.unknown("cause of an end", among: EndCause.allCases.map(\.rawValue))
        }
        _ = words.take(.word)
        return .ended(known.reason, because: cause)
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

extension CallFact {
    /// The matcher that matches exactly when this one does not, in its canonical form.
    var opposite: CallFact {
        switch self {
        case .muted(let flag): .muted(!flag)
        case .grouped(let flag): .grouped(!flag)
        case .outgoing(let flag): .outgoing(!flag)
        case .heldByRemote(let flag): .heldByRemote(!flag)
        case .not(let fact): fact
        default: .not(self)
        }
    }
}
