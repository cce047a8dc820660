/// The phases of a step: its precondition, its action and its completion.
///
/// Steps of a block are all ready before the first begins, and all have begun before the first is done.
struct StepTask {
    /// The precondition that the step waits for, a sentence.
    var needs: String
    /// Indicates that the precondition holds.
    var isReady: () throws(StepFailure) -> Bool
    /// Performs the action.
    var begin: () throws(StepFailure) -> Void
    /// The expected effect, a sentence.
    var expects: String
    /// Indicates that the step is done.
    var isDone: () throws(StepFailure) -> Bool
    /// Describes the actual state, for failures.
    var state: () -> String

    /// Creates a task; by default it is ready at once, and done as soon as it has begun.
    init(
        needs: String = "",
        expects: String = "",
        isReady: @escaping () throws(StepFailure) -> Bool = { () throws(StepFailure) in true },
        isDone: @escaping () throws(StepFailure) -> Bool = { () throws(StepFailure) in true },
        state: @escaping () -> String = { "" },
        begin: @escaping () throws(StepFailure) -> Void
    ) {
        self.needs = needs
        self.expects = expects
        self.isReady = isReady
        self.isDone = isDone
        self.state = state
        self.begin = begin
    }
}

/// The reason why a step has failed.
struct StepFailure: Error {
    /// The expected state, a sentence.
    var expected: String
    /// The actual state, a sentence.
    var actual: String
    /// The time of the failure; nil: now.
    var at: Duration?

    init(expected: String, actual: String, at: Duration? = nil) {
        (self.expected, self.actual, self.at) = (expected, actual, at)
    }

    init(_ violation: SimulatedDevice.RuleViolation) {
        self.init(expected: violation.expected, actual: violation.actual, at: violation.at)
    }
}
