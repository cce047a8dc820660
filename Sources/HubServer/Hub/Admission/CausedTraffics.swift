/// The caused traffic of each payer; a payer without sessions and with full buckets is discarded.
struct CausedTraffics {
    let limits: CausedTraffic.Limits
    private var byPayer: [Payer: CausedTraffic] = [:]
    /// The number of payers from which on unused ones are discarded.
    private var size = 1_000

    init(_ limits: CausedTraffic.Limits) {
        self.limits = limits
    }

    /// Returns the caused traffic of a payer; makes one if there is none.
    ///
    /// - Parameters:
    ///   - payer: The party that is charged.
    ///   - now: Nanoseconds of a clock that never goes back.
    /// - Returns: The same object as long as the payer has a session or a bucket that is not full.
    mutating func traffic(of payer: Payer, at now: Int64) -> CausedTraffic {
        if let known = byPayer[payer] { return known }
        if byPayer.count >= size {
            byPayer = byPayer.filter { !$0.value.isUnused(at: now) }
            size = max(1_000, 2 * byPayer.count)
        }
        let traffic = CausedTraffic(limits, at: now)
        byPayer[payer] = traffic
        return traffic
    }
}
