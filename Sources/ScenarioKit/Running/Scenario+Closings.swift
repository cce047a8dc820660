extension Scenario {
    /// The parties that are expected to receive `session.closing`.
    var partiesToBeClosed: Set<String> { Set(steps.flatMap(\.deed.closings)) }
}

extension Deed {
    fileprivate var closings: [String] {
        switch self {
        case .expect(let assertion, _): assertion.closings
        case .together(let steps), .inAnyOrder(let steps), .atRandom(_, let steps): steps.flatMap(\.deed.closings)
        default: []
        }
    }
}

extension Assertion {
    fileprivate var closings: [String] {
        switch self {
        case .isTold(let who, .closing): [who.party]
        case .either(let assertions): assertions.flatMap(\.closings)
        default: []
        }
    }
}
