/// The preconditions of expectations: the state of a device without a connection is out of date.
extension Run {
    /// Returns the reason why an expectation cannot be evaluated, a sentence; nil: it can.
    ///
    /// Past notifications remain valid, and sound over the whole run is evaluated at the end.
    func obstacle(to assertion: Assertion) -> String? {
        switch assertion {
        case .isTold, .neverHears, .nobodyHearsHimself: nil
        case .nobodyHearsAnybody:
            ensemble.phones.contains { absence(of: $0.who) == nil } ? nil : "nobody is there who could hear"
        case .isNotTold(let who, .perform(_, let call?)): absence(of: who) ?? stranger(call, to: who)
        case .call(let who, _, let facts):
            absence(of: who) ?? facts.compactMap(\.otherCall).compactMap { stranger($0, to: who) }.first
        case .callCount(let who, _), .rings(let who), .doesNotRing(let who), .isNotTold(let who, _), .audio(let who, _),
            .recents(let who, _), .hears(let who, _, _), .hearsNothing(let who, _):
            absence(of: who)
        case .either(let assertions):
            assertions.contains { obstacle(to: $0) == nil } ? nil : assertions.compactMap { obstacle(to: $0) }.first
        }
    }

    /// Returns the reason why a device receives no notifications; nil: it does receive them.
    private func absence(of who: Who) -> String? {
        guard let index = ensemble.index(of: who) else { return "there is no \(who)" }
        switch ensemble.phones[index].line {
        case .open where ensemble.links[index].isFrozen: return "\(who) is frozen: what is known of \(who) is old"
        case .open: return nil
        case .lost: return "\(who) has no connection: what is known of \(who) is old"
        case .none, .opening: return "\(who) is not signed in"
        }
    }

    private func stranger(_ call: CallName, to who: Who) -> String? {
        ensemble.calls.concerns(call, who.party) ? nil : "\(call) is no call of \(who.party)'s"
    }

    /// Returns the reason why the absence of a voice proves nothing; nil: it does prove something.
    func emptiness(of phones: [PhoneSession], _ voice: Voice) -> String? {
        guard phones.contains(where: \.wasThere) else {
            return "\(phones.first?.who.description ?? "nobody") never signed in"
        }
        guard case .party(let name) = voice, let number = ensemble.voices.number(of: voice) else { return nil }
        // An app has sent sound if any device has received it.
        let spoke = ensemble.phones.contains { phone in
            phone.party.name == name && phone.hasSpoken || !phone.heard.stretches[number].isEmpty
        }
        return spoke ? nil : "\(name) never spoke"
    }
}

extension CallFact {
    /// The other call that the fact refers to.
    fileprivate var otherCall: CallName? {
        switch self {
        case .groupedWith(let call): call
        case .not(let fact): fact.otherCall
        default: nil
        }
    }
}
