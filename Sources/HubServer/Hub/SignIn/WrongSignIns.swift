/// How often somebody may be wrong about who he is: guessing passwords must be slow, and must lock nobody out.
///
/// Whether he is wrong is known only when it was looked at, and several may be looked at at once: what is beyond the budget is owed, so
/// that guessing side by side gains nothing.
///
/// Every wrong sign-in counts for its address and its account. Where the account's user has been right before there is
/// a further budget, of that account and place alone, which others' guesses do not spend.
struct WrongSignIns {
    private struct KnownUser: Hashable {
        let account: String
        let place: KnownPlaces.Place
    }

    private var byAddress = Budgets<IPAddress>(burst: 20, perSecond: 0.2)
    private var byAccount = Budgets<String>(burst: 50, perSecond: 0.5)
    /// Nobody who guesses knows the device's id: it has as much as an address.
    private var byKnownDevice = Budgets<KnownUser>(burst: 20, perSecond: 0.2)
    /// Who guesses there has it on top of the address's.
    ///
    /// More: a user is more often wrong while somebody else guesses there; so is who guesses at that account.
    private var byKnownAddress = Budgets<KnownUser>(burst: 3, perSecond: 1.0 / 60)
    private var known = KnownPlaces()

    /// How long somebody has to wait before he may try again; nil: not at all.
    ///
    /// - Parameters:
    ///   - account: The name that he says; nil: a token's.
    ///   - address: Where he is.
    ///   - device: The device that he says; nil: none.
    ///   - now: Nanoseconds of a clock that never goes back.
    /// - Returns: Seconds.
    func wait(_ account: String?, from address: IPAddress, device: String?, at now: Int64) -> Int? {
        let ofAddress = byAddress.delay(of: address.guest, at: now)
        let user = knownUser(account, address, device, at: now)
        let delay =
            switch user?.place {
            case .device: user.map { byKnownDevice.delay(of: $0, at: now) } ?? 0
            case .address: user.map { min(ofAddress, byKnownAddress.delay(of: $0, at: now)) } ?? 0
            case nil: max(ofAddress, account.map { byAccount.delay(of: $0, at: now) } ?? 0)
            }
        return delay > 0 ? Int(delay.rounded(.up)) : nil
    }

    /// The lane in which a password waits for its turn: the address's, or a known device's own.
    ///
    /// - Parameters:
    ///   - account: The name that he says; nil: a token's.
    ///   - address: Where he is.
    ///   - device: The device that he says; nil: none.
    ///   - now: Nanoseconds of a clock that never goes back.
    /// - Returns: A name of the lane.
    func lane(of account: String?, from address: IPAddress, device: String?, at now: Int64) -> String {
        // Whoever guesses there knows no device, and could fill the account's lane if the address were enough.
        guard let user = knownUser(account, address, device, at: now), case .device = user.place else {
            return address.guest.text
        }
        return "\(address.guest.text) \(user.account)"
    }

    /// Notes that somebody was wrong.
    mutating func note(_ account: String?, from address: IPAddress, device: String?, at now: Int64) {
        byAddress.overdraw(of: address.guest, at: now)
        guard let account else { return }
        byAccount.overdraw(of: account, at: now)
        guard let user = knownUser(account, address, device, at: now) else { return }
        switch user.place {
        case .device: byKnownDevice.overdraw(of: user, at: now)
        case .address: byKnownAddress.overdraw(of: user, at: now)
        }
    }

    /// Notes that somebody was right.
    mutating func noteRight(_ account: String, from address: IPAddress, device: String?, at now: Int64) {
        known.note(account, address, device, at: now)
    }

    private func knownUser(_ account: String?, _ address: IPAddress, _ device: String?, at now: Int64) -> KnownUser? {
        guard let account, let place = known.place(of: account, address, device, at: now) else { return nil }
        return KnownUser(account: account, place: place)
    }
}
