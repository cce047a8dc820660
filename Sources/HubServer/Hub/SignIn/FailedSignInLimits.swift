import HubEngine

/// The rate limits of failed sign-ins: they slow password guessing down without locking users out.
///
/// Failures are known only after verification, and several sign-ins may be verified at once: the buckets can be
/// overdrawn, so that parallel guesses gain nothing.
///
/// Each failure counts for its address and its account, in whatever case its name is written. From an address or device
/// that the account's user has signed in from before, a bucket of that account and source applies, which guesses from
/// elsewhere do not consume.
struct FailedSignInLimits {
    private struct KnownUser: Hashable {
        let account: FoldedName
        let source: KnownSignInSources.Source
    }

    private var byAddress = KeyedTokenBuckets<IPAddress>(burst: 20, perSecond: 0.2)
    private var byAccount = KeyedTokenBuckets<FoldedName>(burst: 50, perSecond: 0.5)
    /// As large as the bucket of an address: the device's ID is a secret of its user.
    private var byKnownDevice = KeyedTokenBuckets<KnownUser>(burst: 20, perSecond: 0.2)
    /// In addition to the bucket of the address.
    ///
    /// More: users may fail more often while others at the same address guess; so may those others at that account.
    private var byKnownAddress = KeyedTokenBuckets<KnownUser>(burst: 3, perSecond: 1.0 / 60)
    private var known = KnownSignInSources()

    /// Returns the time until another sign-in is accepted; nil: it is accepted now.
    ///
    /// - Parameters:
    ///   - account: The account name; nil: a token is used.
    ///   - address: The address of the client.
    ///   - device: The device ID of the client; nil: none.
    ///   - now: Nanoseconds of a clock that never goes back.
    /// - Returns: The time in seconds, rounded up.
    func wait(_ account: String?, from address: IPAddress, device: String?, at now: Int64) -> Int? {
        let ofAddress = byAddress.delay(of: address.rateLimitAddress, at: now)
        let user = knownUser(account, address, device, at: now)
        let delay =
            switch user?.source {
            case .device: user.map { byKnownDevice.delay(of: $0, at: now) } ?? 0
            case .address: user.map { min(ofAddress, byKnownAddress.delay(of: $0, at: now)) } ?? 0
            case nil: max(ofAddress, account.map { byAccount.delay(of: FoldedName($0), at: now) } ?? 0)
            }
        return delay > 0 ? Int(delay.rounded(.up)) : nil
    }

    /// Returns the lane in which a password waits for verification: the address's, or a known device's own.
    ///
    /// - Parameters:
    ///   - account: The account name; nil: a token is used.
    ///   - address: The address of the client.
    ///   - device: The device ID of the client; nil: none.
    ///   - now: Nanoseconds of a clock that never goes back.
    /// - Returns: The name of the lane.
    func lane(of account: String?, from address: IPAddress, device: String?, at now: Int64) -> String {
        // Others at the address do not know the device's ID; they could fill the account's lane if the address
        // sufficed.
        guard let user = knownUser(account, address, device, at: now), case .device = user.source else {
            return address.rateLimitAddress.text
        }
        return "\(address.rateLimitAddress.text) \(user.account.text)"
    }

    /// Notes a failed sign-in.
    mutating func note(_ account: String?, from address: IPAddress, device: String?, at now: Int64) {
        byAddress.overdraw(of: address.rateLimitAddress, at: now)
        guard let account else { return }
        byAccount.overdraw(of: FoldedName(account), at: now)
        guard let user = knownUser(account, address, device, at: now) else { return }
        switch user.source {
        case .device: byKnownDevice.overdraw(of: user, at: now)
        case .address: byKnownAddress.overdraw(of: user, at: now)
        }
    }

    /// Notes a successful sign-in.
    mutating func noteSuccess(_ account: String, from address: IPAddress, device: String?, at now: Int64) {
        known.note(FoldedName(account), address, device, at: now)
    }

    private func knownUser(_ account: String?, _ address: IPAddress, _ device: String?, at now: Int64) -> KnownUser? {
        guard let account = account.map(FoldedName.init),
            let source = known.source(of: account, address, device, at: now)
        else { return nil }
        return KnownUser(account: account, source: source)
    }
}
