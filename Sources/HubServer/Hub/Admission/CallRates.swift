import HubEngine

/// The rates at which calls may be placed: by each caller, by the guests of each invitation together, and to each
/// account.
///
/// The burst of a caller and of an invitation is a minute's calls, that to an account five seconds' calls.
struct CallRates {
    /// A party that places calls.
    enum Caller: Hashable {
        /// An account, by its name, on all of its devices.
        case account(FoldedName)
        /// A guest, by the account of this guest alone; the invitation is nil if an issuer's token admitted the guest.
        case guest(FoldedName, InvitationID?)
    }

    /// A limit that a call exceeds.
    enum Limit: Hashable {
        /// The limit of the caller.
        case caller
        /// The limit of all guests of the caller's invitation together.
        case invitation
        /// The limit of the account that is called.
        case callee
    }

    private var accounts: KeyedTokenBuckets<FoldedName>
    private var guests: KeyedTokenBuckets<FoldedName>
    private var invitations: KeyedTokenBuckets<InvitationID>
    private var callees: KeyedTokenBuckets<FoldedName>

    /// Makes rates with full buckets.
    init(_ settings: HubSettings) {
        accounts = Self.perMinute(settings.callsByAccountPerMinute)
        guests = Self.perMinute(settings.callsByGuestPerMinute)
        invitations = Self.perMinute(settings.callsByLinkPerMinute)
        let calls = Double(settings.callsToAccountPerSecond)
        callees = KeyedTokenBuckets(burst: calls * Self.burstSeconds, perSecond: calls)
    }

    private static func perMinute<Key: Hashable>(_ calls: Int) -> KeyedTokenBuckets<Key> {
        KeyedTokenBuckets(burst: Double(calls), perSecond: Double(calls) / 60)
    }

    /// Counts a call; one that exceeds a limit is not counted.
    ///
    /// - Parameters:
    ///   - caller: The party that places it.
    ///   - callee: The account that it is to ring.
    ///   - now: Nanoseconds of a clock that never goes back.
    /// - Returns: The exceeded limit and the seconds until a retry may succeed; nil: the call may be placed.
    mutating func consume(by caller: Caller, to callee: FoldedName, at now: Int64) -> (limit: Limit, wait: Double)? {
        // All are checked before any is spent: a caller beyond their own rate takes nothing from others.
        switch caller {
        case .account(let name):
            if let wait = accounts.wait(of: name, at: now) { return (.caller, wait) }
        case .guest(let name, let invitation):
            if let wait = guests.wait(of: name, at: now) { return (.caller, wait) }
            if let wait = invitation.flatMap({ invitations.wait(of: $0, at: now) }) { return (.invitation, wait) }
        }
        guard callees.consume(of: callee, at: now) else { return (.callee, 1) }
        switch caller {
        case .account(let name): _ = accounts.consume(of: name, at: now)
        case .guest(let name, let invitation):
            _ = guests.consume(of: name, at: now)
            if let invitation { _ = invitations.consume(of: invitation, at: now) }
        }
        return nil
    }

    /// The burst of calls to one account, in seconds of the sustained rate.
    ///
    /// More: a switchboard accepts more calls at once; more notifications are sent to one client at once.
    private static let burstSeconds = 5.0
}

extension KeyedTokenBuckets {
    /// Returns the seconds until a token is available; nil: one is available now.
    fileprivate func wait(of name: Key, at now: Int64) -> Double? {
        let delay = delay(of: name, at: now)
        return delay > 0 ? delay : nil
    }
}
