extension Scenario {
    /// The indices of the parties that send one of the run's tones at any time.
    var toneSenders: [Int] {
        let later = Set(steps.flatMap(\.stepAction.toneSenders))
        return parties.indices.filter { index in
            let party = parties[index]
            if let app = party.underTest { return app.isInProcess && app.hertz == nil }
            return party.audioSource == .tone || later.contains(party.name)
        }
    }
}

extension StepAction {
    fileprivate var toneSenders: [String] {
        switch self {
        case .audioSource(let deviceReference, .tone): [deviceReference.party]
        case .together(let steps), .inAnyOrder(let steps), .atRandom(_, let steps):
            steps.flatMap(\.stepAction.toneSenders)
        default: []
        }
    }
}
