/// How often each account may be called, whoever calls.
///
/// Each call is told to all devices of the account: many callers together could tell one of them more than it can read, and it
/// would be sent away as a slow consumer.
struct CalleeLimit {
    private let perSecond: Int
    private var budgets: [String: Budget] = [:]
    /// The number of accounts from which on those who have not been called for a while are forgotten.
    private var size = 1_000

    init(perSecond: Int) {
        self.perSecond = perSecond
    }

    /// Counts a call to an account; false: that is one too many.
    ///
    /// - Parameters:
    ///   - account: Who is called; one that there is.
    ///   - now: Nanoseconds of a clock that never goes back.
    /// - Returns: Whether it may be placed.
    mutating func mayCall(_ account: String, at now: Int64) -> Bool {
        if budgets[account] == nil {
            if budgets.count >= size { forgetRested(at: now) }
            budgets[account] = Budget(
                burst: Double(perSecond) * Self.secondsInOneGo,
                perSecond: Double(perSecond),
                at: now
            )
        }
        return budgets[account]?.spend(at: now) ?? true
    }

    private mutating func forgetRested(at now: Int64) {
        for account in Array(budgets.keys) where budgets[account]?.isFull(at: now) == true { budgets[account] = nil }
        // Looking through all of them is done the more seldom the more there are.
        size = max(1_000, 2 * budgets.count)
    }

    /// More: a switchboard takes more calls in one go; more is told to one client in one go.
    private static let secondsInOneGo = 5.0
}
