extension Scenario {
    /// The parties that are expected to receive `session.closing`.
    var partiesToBeClosed: Set<String> { Set(steps.flatMap(\.stepAction.closings)) }
}

extension StepAction {
    fileprivate var closings: [String] {
        switch self {
        case .expect(let assertion, _): assertion.closings
        case .together(let steps), .inAnyOrder(let steps), .atRandom(_, let steps): steps.flatMap(\.stepAction.closings)
        default: []
        }
    }
}

extension Assertion {
    fileprivate var closings: [String] {
        switch self {
        case .receivesNotification(let deviceReference, .closing): [deviceReference.party]
        case .either(let assertions): assertions.flatMap(\.closings)
        default: []
        }
    }
}
