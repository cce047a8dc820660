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
        remember(name, at: now)
        return budgets[name]?.spend(at: now) ?? true
    }

    /// Counts one that was not asked for before: there may be less than nothing left then.
    ///
    /// - Parameters:
    ///   - name: Whose.
    ///   - now: Nanoseconds of a clock that never goes back.
    mutating func overdraw(of name: Name, at now: Int64) {
        remember(name, at: now)
        budgets[name]?.overdraw(at: now)
    }

    /// How long until one more would not be too many.
    ///
    /// - Parameters:
    ///   - name: Whose.
    ///   - now: Nanoseconds of a clock that never goes back.
    /// - Returns: Seconds; 0: there is enough now.
    func delay(of name: Name, at now: Int64) -> Double {
        // A copy is asked: looking changes nothing.
        var budget = budgets[name]
        return budget?.delay(at: now) ?? 0
    }

    private mutating func remember(_ name: Name, at now: Int64) {
        guard budgets[name] == nil else { return }
        if budgets.count >= size { forgetRested(at: now) }
        budgets[name] = Budget(burst: burst, perSecond: perSecond, at: now)
    }

    private mutating func forgetRested(at now: Int64) {
        for name in Array(budgets.keys) where budgets[name]?.isFull(at: now) == true { budgets[name] = nil }
        // Looking through all of them is done the more seldom the more there are.
        size = max(1_000, 2 * budgets.count)
    }
}
