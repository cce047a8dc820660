/// A step as it is performed: what it needs, what it does, and when it is done.
///
/// Steps that stand together are all ready before the first begins, and all begun before the first is done.
struct StepTask {
    /// What is waited for before it begins, a sentence.
    var needs: String
    /// Whether it can begin.
    var isReady: () throws(StepFailure) -> Bool
    /// Does it.
    var begin: () throws(StepFailure) -> Void
    /// What should come of it, a sentence.
    var expects: String
    /// Whether it is done.
    var isDone: () throws(StepFailure) -> Bool
    /// How things are, for failures.
    var state: () -> String

    /// A step of its parts; without others it is ready, and done as soon as it has begun.
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

/// Why a step has failed.
struct StepFailure: Error {
    /// What should have been, a sentence.
    var expected: String
    /// What was, a sentence.
    var came: String
    /// When that was seen; nil: now.
    var at: Duration?

    init(expected: String, came: String, at: Duration? = nil) {
        (self.expected, self.came, self.at) = (expected, came, at)
    }

    init(_ breach: PhoneSession.Breach) {
        self.init(expected: breach.expected, came: breach.came, at: breach.at)
    }
}
