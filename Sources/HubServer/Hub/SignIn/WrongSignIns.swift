/// How often somebody may be wrong about who he is: guessing passwords must be slow, and must lock nobody out.
///
/// Whether he is wrong is known only when it was looked at, and several may be looked at at once: what is beyond the budget is owed, so
/// that guessing side by side gains nothing.
struct WrongSignIns {
    private var byAddress = Budgets<IPAddress>(burst: 20, perSecond: 0.2)
    private var byAccount = Budgets<String>(burst: 50, perSecond: 0.5)
    private var known = KnownPlaces()

    /// How long somebody has to wait before he may try again; nil: not at all.
    ///
    /// Where an account's user has been right before he does not wait for what others guess at his account elsewhere.
    ///
    /// - Parameters:
    ///   - account: The name that he says; nil: a token's.
    ///   - address: Where he is.
    ///   - device: The device that he says; nil: none.
    ///   - now: Nanoseconds of a clock that never goes back.
    /// - Returns: Seconds.
    func wait(_ account: String?, from address: IPAddress, device: String?, at now: Int64) -> Int? {
        var delay = byAddress.delay(of: address.guest, at: now)
        if let account, !known.contains(account, address, device, at: now) {
            delay = max(delay, byAccount.delay(of: account, at: now))
        }
        return delay > 0 ? Int(delay.rounded(.up)) : nil
    }

    /// Notes that somebody was wrong.
    mutating func note(_ account: String?, from address: IPAddress, at now: Int64) {
        byAddress.owe(of: address.guest, at: now)
        if let account { byAccount.owe(of: account, at: now) }
    }

    /// Notes that somebody was right.
    mutating func noteRight(_ account: String, from address: IPAddress, device: String?, at now: Int64) {
        known.note(account, address, device, at: now)
    }
}
