/// Of whom something can be expected: of a device that is not there nothing new comes to be known.
extension Run {
    /// Why something cannot be judged, a sentence; nil: it can.
    ///
    /// What a device was told it was told, and what it heard over the whole run is judged at the end.
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

    /// Why a device learns of nothing; nil: it does.
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

    /// Why that somebody has never heard a voice says nothing; nil: it does.
    func emptiness(of phones: [PhoneSession], _ voice: Voice) -> String? {
        guard phones.contains(where: \.wasThere) else {
            return "\(phones.first?.who.description ?? "nobody") never signed in"
        }
        guard case .party(let name) = voice, let number = ensemble.voices.number(of: voice) else { return nil }
        // Of an app it is known that it has spoken when anybody has heard it.
        let spoke = ensemble.phones.contains { phone in
            phone.party.name == name && phone.hasSpoken || !phone.heard.stretches[number].isEmpty
        }
        return spoke ? nil : "\(name) never spoke"
    }
}

extension CallFact {
    /// Another call with which one is compared.
    fileprivate var otherCall: CallName? {
        switch self {
        case .groupedWith(let call): call
        case .not(let fact): fact.otherCall
        default: nil
        }
    }
}
