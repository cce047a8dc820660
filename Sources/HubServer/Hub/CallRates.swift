import HubEngine

/// The rates at which calls may be placed: by each caller, by the guests of each link together, and to each account.
///
/// A caller and a link may place a minute's calls in one go; an account takes five seconds' calls in one go.
struct CallRates {
    /// A party that places calls.
    enum Caller: Hashable {
        /// An account, by its name, on whichever devices.
        case account(String)
        /// A guest, by the account that is the guest's alone; the link is nil where an issuer's token has let it in.
        case guest(String, CallLinkID?)
    }

    /// A limit that is in the way of a call.
    enum Limit: Hashable {
        /// The caller's own.
        case caller
        /// The one of all guests of the caller's link.
        case link
        /// The one of the account that is called.
        case callee
    }

    private var accounts: Budgets<String>
    private var guests: Budgets<String>
    private var links: Budgets<CallLinkID>
    private var callees: Budgets<String>

    /// Rates of which nothing is spent.
    init(_ settings: HubSettings) {
        accounts = Self.perMinute(settings.callsByAccountPerMinute)
        guests = Self.perMinute(settings.callsByGuestPerMinute)
        links = Self.perMinute(settings.callsByLinkPerMinute)
        let calls = Double(settings.callsToAccountPerSecond)
        callees = Budgets(burst: calls * Self.secondsOfCallsInOneGo, perSecond: calls)
    }

    private static func perMinute<Name: Hashable>(_ calls: Int) -> Budgets<Name> {
        Budgets(burst: Double(calls), perSecond: Double(calls) / 60)
    }

    /// Counts a call, unless a limit is in its way: then nothing is counted.
    ///
    /// - Parameters:
    ///   - caller: The party that places it.
    ///   - callee: The account that it is to ring.
    ///   - now: Nanoseconds of a clock that never goes back.
    /// - Returns: The limit that is in the way and the seconds until it is not; nil: the call may be placed.
    mutating func spend(by caller: Caller, to callee: String, at now: Int64) -> (limit: Limit, wait: Double)? {
        // All are looked at before any is spent: a caller beyond his own rate takes nothing from others.
        switch caller {
        case .account(let name):
            if let wait = accounts.wait(of: name, at: now) { return (.caller, wait) }
        case .guest(let name, let link):
            if let wait = guests.wait(of: name, at: now) { return (.caller, wait) }
            if let wait = link.flatMap({ links.wait(of: $0, at: now) }) { return (.link, wait) }
        }
        guard callees.spend(of: callee, at: now) else { return (.callee, 1) }
        switch caller {
        case .account(let name): _ = accounts.spend(of: name, at: now)
        case .guest(let name, let link):
            _ = guests.spend(of: name, at: now)
            if let link { _ = links.spend(of: link, at: now) }
        }
        return nil
    }

    /// More: a switchboard takes more calls in one go; more is told to one client in one go.
    private static let secondsOfCallsInOneGo = 5.0
}

extension Budgets {
    /// The seconds until one more would not be too many; nil: there is enough now.
    fileprivate func wait(of name: Name, at now: Int64) -> Double? {
        let delay = delay(of: name, at: now)
        return delay > 0 ? delay : nil
    }
}
