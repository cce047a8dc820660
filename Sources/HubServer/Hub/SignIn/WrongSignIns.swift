/// How often somebody may be wrong about who he is: guessing passwords must be slow, and must lock nobody out.
struct WrongSignIns {
    private var byAddress = Budgets<IPAddress>(burst: 20, perSecond: 0.2)
    private var byAccount = Budgets<String>(burst: 50, perSecond: 0.5)

    /// How long somebody has to wait before he may try again; nil: not at all.
    ///
    /// - Parameters:
    ///   - account: The name that he says; nil: a token's.
    ///   - address: Where he is.
    ///   - now: Nanoseconds of a clock that never goes back.
    /// - Returns: Seconds.
    func wait(_ account: String?, from address: IPAddress, at now: Int64) -> Int? {
        if byAddress.isSpent(address.guest, at: now) { return 5 }
        if let account, byAccount.isSpent(account, at: now) { return 2 }
        return nil
    }

    /// Notes that somebody was wrong.
    mutating func note(_ account: String?, from address: IPAddress, at now: Int64) {
        _ = byAddress.spend(of: address.guest, at: now)
        if let account { _ = byAccount.spend(of: account, at: now) }
    }
}
