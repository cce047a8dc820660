extension Scenario {
    /// The indices of the parties that send one of the run's tones at any time.
    var speakers: [Int] {
        let later = Set(steps.flatMap(\.deed.speakers))
        return parties.indices.filter { index in
            let party = parties[index]
            return party.underTest == nil && (party.mouth == .tone || later.contains(party.name))
        }
    }
}

extension Deed {
    fileprivate var speakers: [String] {
        switch self {
        case .mouth(let who, .tone): [who.party]
        case .together(let steps), .inAnyOrder(let steps), .atRandom(_, let steps): steps.flatMap(\.deed.speakers)
        default: []
        }
    }
}
