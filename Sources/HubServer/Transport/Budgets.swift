/// What each of many names may spend; whoever has not spent anything for a while is forgotten.
struct Budgets<Name: Hashable> {
    private let burst: Double
    private let perSecond: Double
    private var budgets: [Name: Budget] = [:]
    /// The number of names from which on those who are rested are forgotten.
    private var size = 1_000

    /// Budgets of which none is spent.
    ///
    /// - Parameters:
    ///   - burst: How much of each in one go.
    ///   - perSecond: How much of each for good.
    init(burst: Double, perSecond: Double) {
        self.burst = burst
        self.perSecond = perSecond
    }

    /// Counts one; false: that is one too many, and is not counted.
    ///
    /// - Parameters:
    ///   - name: Whose.
    ///   - now: Nanoseconds of a clock that never goes back.
    /// - Returns: Whether there was enough.
    mutating func spend(of name: Name, at now: Int64) -> Bool {
        if budgets[name] == nil {
            if budgets.count >= size { forgetRested(at: now) }
            budgets[name] = Budget(burst: burst, perSecond: perSecond, at: now)
        }
        return budgets[name]?.spend(at: now) ?? true
    }

    /// Whether one more would be too many.
    ///
    /// - Parameters:
    ///   - name: Whose.
    ///   - now: Nanoseconds of a clock that never goes back.
    /// - Returns: True where nothing is left.
    func isSpent(_ name: Name, at now: Int64) -> Bool {
        // A copy is spent of: looking costs nothing.
        var budget = budgets[name]
        return budget?.spend(at: now) == false
    }

    private mutating func forgetRested(at now: Int64) {
        for name in Array(budgets.keys) where budgets[name]?.isFull(at: now) == true { budgets[name] = nil }
        // Looking through all of them is done the more seldom the more there are.
        size = max(1_000, 2 * budgets.count)
    }
}
