import HubAccountData
import HubEngine
import HubWire

/// A request for a device's Recents.
struct RecentsQuestion {
    var number: Int
    var askedAt: Duration
    /// Indicates that the hub has answered.
    var isAnswered = false
    /// The entries of the last reply; nil: there was none yet.
    var entries: [RecentEntry]?
}

/// Requests for expectations, expectations of the whole run, and descriptions of states.
extension Run {
    // MARK: Recents

    /// Indicates that a device's Recents match; requests them again while they do not.
    func holds(recents facts: [RecentFact], _ who: Who) -> Bool {
        guard let index = ensemble.index(of: who), ensemble.phones[index].line == .open else { return false }
        if var question = recents[index] {
            if let reply = ensemble.phones[index].replies[question.number], !question.isAnswered {
                question.isAnswered = true
                if case .success(.recents(let entries)) = reply { question.entries = entries }
                recents[index] = question
            }
            if question.isAnswered, let entries = question.entries, entries.count == facts.count,
                zip(entries, facts).allSatisfy({ isSame($0.call, $1) })
            {
                return true
            }
            guard question.isAnswered, now - question.askedAt >= .milliseconds(20) else { return false }
        }
        let number = ensemble.ask(index, .memory(.listRecents(limit: nil, before: nil)))
        recents[index] = RecentsQuestion(number: number, askedAt: now, entries: recents[index]?.entries)
        return false
    }

    private func isSame(_ call: RecentCall, _ fact: RecentFact) -> Bool {
        call.outcome == fact.outcome && call.isOutgoing != fact.isIncoming && call.isSilenced == fact.isSilenced
            && call.handle == ensemble.accounts.handle(of: fact.other)
    }

    private func recentsInWords(_ index: Int) -> String {
        guard let entries = recents[index]?.entries else { return "the hub did not list them" }
        guard !entries.isEmpty else { return "they are empty" }
        let words = entries.map { entry in
            let call = entry.call
            return "\(call.outcome.rawValue) \(call.isOutgoing ? "to" : "from") \(ensemble.plain(call.handle.value))"
                + (call.isSilenced ? ", silenced" : "")
        }
        return "they are: " + words.joined(separator: ", ")
    }

    // MARK: The whole run

    /// Returns the violation of an expectation of the whole run; nil: it is met.
    func breach(of expectation: Assertion) -> StepFailure? {
        switch expectation {
        case .neverHears(let who, let voice):
            guard let number = ensemble.voices.number(of: voice) else { return nil }
            let phones = ensemble.phones.filter { phone in
                phone.who.party == who.party && (who.device == nil || phone.who.device == who.device)
            }
            if let why = emptiness(of: phones, voice) { return StepFailure(expected: expectation.text, came: why) }
            return heard(number, phones, expectation)
        case .nobodyHearsHimself:
            for phone in ensemble.phones where !callsEcho(phone) {
                if let failure = heard(ensemble.partyNumber(of: phone), [phone], expectation) { return failure }
            }
            return nil
        default: return nil
        }
    }

    private func heard(_ number: Int, _ phones: [PhoneSession], _ expectation: Assertion) -> StepFailure? {
        let stretches = phones.flatMap { phone in phone.heard.stretches[number].map { (phone, $0) } }
        guard let (phone, stretch) = stretches.min(by: { $0.1.begin < $1.1.begin }) else { return nil }
        let name = ensemble.words(for: ensemble.voices.voices[number])
        let came = "\(phone.who) heard \(name) from \(stretch.begin.seconds) to \(stretch.end.seconds)"
        return StepFailure(expected: expectation.text, came: came, at: stretch.begin)
    }

    private func callsEcho(_ phone: PhoneSession) -> Bool {
        ensemble.calls.conversations.contains { $0.owner == phone.party.name && $0.builtIn == .echo }
    }

    // MARK: In words

    /// Describes the actual state that an expectation is about.
    func what(of expectation: Assertion) -> String {
        switch expectation {
        case .call(let who, let name, _):
            guard let index = ensemble.index(of: who) else { return "there is no \(who)" }
            guard let call = call(name, index) else { return "\(who) has no call \(name)" }
            let shown = "shows \(ensemble.plain(call.localizedCallerName)) from \(call.nameSource.rawValue)"
            return "\(who)'s \(name) is \(ensemble.words(for: call)), \(shown)"
        case .callCount(let who, _), .rings(let who):
            return ensemble.index(of: who).map { ensemble.callsOfAll($0) } ?? ""
        case .doesNotRing(let who): return "\(who) rings"
        case .isTold(let who, _): return toldInWords(who)
        case .isNotTold(let who, let telling): return "\(who) is told \(telling.text)"
        case .audio(let who, _):
            guard let index = ensemble.index(of: who), let audio = ensemble.phones[index].audio else {
                return "no audio session is active"
            }
            return "it is on for " + audio.calls.map { ensemble.name($0) }.joined(separator: " and ")
        case .recents(let who, _): return ensemble.index(of: who).map { recentsInWords($0) } ?? ""
        case .hears(let who, _, _), .hearsNothing(let who, _), .neverHears(let who, _): return hearing(of: who)
        case .nobodyHearsAnybody, .nobodyHearsHimself:
            return ensemble.phones.map { hearing(of: $0.who) }.joined(separator: "; ")
        case .either(let expectations): return expectations.map { what(of: $0) }.joined(separator: "; ")
        }
    }

    private func toldInWords(_ who: Who) -> String {
        let told = toldSinceDeed(who).suffix(5)
        guard !told.isEmpty else { return "\(who) was told nothing" }
        return "\(who) was told "
            + told.map { "\($0.method) \(ensemble.words(for: $0))".trimmed }
            .joined(separator: "; ")
    }

    /// Describes the last received voices of a device, and their times.
    private func hearing(of who: Who) -> String {
        guard let index = ensemble.index(of: who) else { return "there is no \(who)" }
        let spans = ensemble.phones[index].heard.spans(ensemble.voices).suffix(3)
        guard !spans.isEmpty else { return "\(who) has heard nothing" }
        let words = spans.map { span in
            "\(Plain.listed(span.voices.map { ensemble.words(for: $0) })) from \(span.begin.seconds) to \(span.end.seconds)"
        }
        return "it is \(now.seconds), and \(who) heard " + words.joined(separator: ", ")
    }
}

extension Duration {
    /// The duration in seconds with three decimal places: `1.250 s`.
    var seconds: String {
        let milliseconds = wholeNanoseconds / 1_000_000
        let rest = String(milliseconds % 1_000)
        return "\(milliseconds / 1_000).\(String(repeating: "0", count: max(0, 3 - rest.count)))\(rest) s"
    }
}

extension String {
    /// The text without a blank at its end.
    fileprivate var trimmed: String { hasSuffix(" ") ? String(dropLast()) : self }
}
