import HubEngine
import HubWire

/// The limits on clients' requests, and the refusal of new work while the hub is overloaded.
///
/// Owns the token buckets of connections, callers and rate-limit keys, and the counters of refusals. It makes the
/// decisions; the hub sends the answers.
struct AdmissionControl {
    private let settings: HubSettings
    private let log: HubLog
    private var connections: [ConnectionID: ConnectionRateLimits] = [:]
    private var callRates: CallRates
    private var fanOutLimiters: FanOutLimiters
    private var peopleRequests = KeyedTokenBuckets<RateLimitKey>(burst: 50, perSecond: Double(peopleRequestsPerSecond))
    private var ownChanges = KeyedTokenBuckets<RateLimitKey>(burst: ownChangesAtOnce, perSecond: 0.1)
    /// True if the last overload check found the hub overloaded.
    private var isOverloaded = false
    /// The counters of refused requests.
    private(set) var refusals = RefusalCounters()

    init(_ settings: HubSettings, log: HubLog) {
        self.settings = settings
        self.log = log
        callRates = CallRates(settings)
        fanOutLimiters = FanOutLimiters(FanOutLimiter.Limits(settings))
    }

    // MARK: Connections

    /// Adds a connection, with full buckets.
    mutating func open(_ id: ConnectionID, from address: IPAddress, at now: Instant) {
        connections[id] = ConnectionRateLimits(address, settings, at: now)
    }

    /// Removes a connection.
    mutating func close(_ id: ConnectionID) { connections[id] = nil }

    /// Returns the address of a connection's client; nil: the connection has ended.
    func address(of id: ConnectionID) -> IPAddress? { connections[id]?.address }

    // MARK: Messages

    /// Counts a message; returns an error if it exceeds a rate and must not be parsed.
    ///
    /// - Parameters:
    ///   - id: The connection.
    ///   - byteCount: The length of the message.
    ///   - isSignedIn: False: the rate of the client's address applies, too.
    ///   - transport: The transport, with the rates of addresses.
    ///   - now: The time.
    /// - Returns: The error; nil: the message may be parsed.
    mutating func refusalOfMessage(
        on id: ConnectionID,
        byteCount: Int,
        isSignedIn: Bool,
        _ transport: (any HubTransport)?,
        at now: Instant
    ) -> WireError? {
        if connections[id]?.messages.consume(at: now.nanoseconds) == false {
            refusals.messages += 1
            let sentence =
                "more than \(settings.messagesPerSecond) messages a second; this one was not read, send fewer"
            return WireError(.tooMany, sentence, retryAfterSeconds: 1)
        }
        guard !isSignedIn, let address = address(of: id), let transport,
            !transport.allowsRequest(from: address, count: 1 + byteCount / Self.bytesOfOneRequest)
        else { return nil }
        refusals.messages += 1
        let most = settings.transport.requestsPerSecond
        let sentence =
            "more than \(most) requests a second from \(address.text) before a sign-in; this one was not read"
        return WireError(.tooMany, sentence, retryAfterSeconds: 10)
    }

    /// The bytes of a message that count as one request.
    ///
    /// More: long messages before the sign-in cost a client less; each takes the hub about 10 ns a byte.
    private static let bytesOfOneRequest = 4_096

    /// Counts a fault of a client; false: it exceeds the limit, and the client must be disconnected.
    mutating func countFault(of id: ConnectionID, at now: Instant) -> Bool {
        connections[id]?.faults.consume(at: now.nanoseconds) ?? true
    }

    /// Indicates that a connection is being closed for too many faults.
    func isViolator(_ id: ConnectionID) -> Bool { connections[id]?.isViolator ?? false }

    /// Marks a connection that is being closed for too many faults.
    mutating func markViolator(_ id: ConnectionID) { connections[id]?.isViolator = true }

    // MARK: Sign-ins

    /// Counts a sign-in; returns an error if none is accepted on a connection now.
    mutating func refusalOfSignIn(
        on id: ConnectionID,
        _ transport: (any HubTransport)?,
        using random: inout RandomSource
    ) -> WireError? {
        if let overload = overload("the hub takes no new sessions at the moment", transport, using: &random) {
            return overload
        }
        guard let address = address(of: id), let transport, !transport.allowsSignIn(from: address) else { return nil }
        refusals.signIns += 1
        let most = settings.transport.signInsPerMinute
        return WireError(
            .tooMany,
            "more than \(most) sign-ins a minute from \(address.text); wait before the next one",
            retryAfterSeconds: max(1, 60 / max(most, 1))
        )
    }

    /// Counts a sign-in or a fresh token that was refused for the number of those before.
    mutating func noteRefusedSignIn() { refusals.signIns += 1 }

    // MARK: People

    /// Counts a search for people, or a subscription to their presence; returns an error if it exceeds the rate.
    mutating func refusalOfPeopleRequest(by session: ClientSession, at now: Instant) -> WireError? {
        guard !peopleRequests.consume(of: session.rateLimitKey, at: now.nanoseconds) else { return nil }
        refusals.people += 1
        let message = "more than \(Self.peopleRequestsPerSecond) lists of people a second; wait a second"
        return WireError(.tooMany, message, retryAfterSeconds: 1)
    }

    /// The sustained rate of searches and subscriptions of an account, per second; bursts of five times as many.
    ///
    /// More: faster typists and more devices; each takes the hub up to a few milliseconds at 10,000 accounts.
    private static let peopleRequestsPerSecond = 10

    // MARK: Own account

    /// Counts a change that a user makes to the own account, and that the audit log has; returns an error if there are
    /// too many.
    mutating func refusalOfOwnChange(by session: ClientSession, at now: Instant) -> WireError? {
        guard !ownChanges.consume(of: session.rateLimitKey, at: now.nanoseconds) else { return nil }
        refusals.ownChanges += 1
        let message = "more than \(Int(Self.ownChangesAtOnce)) changes of this account in a row; wait 10 seconds"
        return WireError(.tooMany, message, retryAfterSeconds: 10)
    }

    /// The burst of changes that a user makes to the own account; later one every ten seconds.
    ///
    /// More: nobody needs them; a user can fill the audit log with as many entries.
    private static let ownChangesAtOnce = 120.0

    // MARK: Calls

    /// Counts a call that is to ring an account; returns an error if it exceeds a rate.
    mutating func refusalOfCall(
        to account: String,
        by session: ClientSession,
        actionIndex: Int,
        at now: Instant
    ) -> WireError? {
        guard let excess = callRates.consume(by: session.caller, to: FoldedName(account), at: now.nanoseconds) else {
            return nil
        }
        refusals.calls[excess.limit, default: 0] += 1
        let wait = max(1, Int(excess.wait.rounded(.up)))
        let message =
            switch excess.limit {
            case .caller:
                "more than \(session.isGuest ? settings.callsByGuestPerMinute : settings.callsByAccountPerMinute) "
                    + "calls a minute by this caller; try again in \(wait) s"
            case .invitation:
                "more than \(settings.callsByLinkPerMinute) calls a minute by the guests of this link; "
                    + "try again in \(wait) s"
            case .callee:
                "more than \(settings.callsToAccountPerSecond) calls a second to this account; try again in a second"
            }
        return WireError(.tooMany, message, actionIndex: actionIndex, retryAfterSeconds: wait)
    }
}

extension ClientSession {
    /// The caller whose rate the session's calls count for.
    fileprivate var caller: CallRates.Caller { isGuest ? .guest(accountKey, invitation) : .account(accountKey) }
}

// MARK: Overload

extension AdmissionControl {
    /// Returns an error for new work if the hub is overloaded.
    ///
    /// - Parameters:
    ///   - what: The beginning of the error's message: the work that is refused.
    ///   - actionIndex: The index of the action that is refused; nil: none.
    ///   - transport: The transport, with the load.
    ///   - random: The source of the delay after which the client may try again.
    /// - Returns: The error; nil: the hub is not overloaded.
    mutating func overload(
        _ what: String,
        actionIndex: Int? = nil,
        _ transport: (any HubTransport)?,
        using random: inout RandomSource
    ) -> WireError? {
        guard let transport, let cause = overloadCause(transport) else {
            if isOverloaded { log(.info, "no longer overloaded") }
            isOverloaded = false
            return nil
        }
        if !isOverloaded { log(.warning, "overloaded: new sessions and calls are refused", ["cause": cause]) }
        isOverloaded = true
        refusals.overload += 1
        // Spread, so that clients do not all return at once.
        let wait = Int.random(in: 2...6, using: &random)
        let sentence = "\(what), to protect the current ones; try again in \(wait) seconds"
        return WireError(.overloaded, sentence, actionIndex: actionIndex, retryAfterSeconds: wait)
    }

    private func overloadCause(_ transport: any HubTransport) -> String? {
        let busyShare = transport.busyShare
        if settings.overloadBusyShare < 1, busyShare >= settings.overloadBusyShare {
            return "busy \(Int(busyShare * 100)) % of the time"
        }
        let queued = transport.queues?.usedShare ?? 0
        return queued >= Self.overloadQueuedShare ? "\(Int(queued * 100)) % of the queue memory in use" : nil
    }

    /// The share of the queue memory from which on the hub is overloaded.
    ///
    /// More: more slow clients at a time; less is left for those that are signed in.
    private static let overloadQueuedShare = 0.8
}

// MARK: Fan-out

extension AdmissionControl {
    /// Returns the fan-out limiter of a rate-limit key, see ``FanOutLimiters/fanOut(of:at:)``.
    mutating func fanOut(of rateLimitKey: RateLimitKey, at now: Instant) -> FanOutLimiter {
        fanOutLimiters.fanOut(of: rateLimitKey, at: now.nanoseconds)
    }

    /// Returns an error if a transaction could send too much to another party at a time.
    ///
    /// - Parameters:
    ///   - actions: The actions of the transaction.
    ///   - estimate: The estimate of the device's pending actions.
    /// - Returns: The error; nil: the transaction may be accepted.
    mutating func fanOutRefusal(by actions: [ActionRequest], with estimate: FanOutEstimate) -> WireError? {
        var estimate = estimate
        for action in actions { estimate.add(action.kind) }
        let most = Int(fanOutLimiters.limits.burstBytesPerReceiver)
        guard estimate.bytes > most else { return nil }
        refusals.fanOut += 1
        let message =
            "the transaction, with those not yet complete, could send \(estimate.bytes) bytes to one of the other parties; "
            + "\(most) is the most: request fewer actions at a time"
        return WireError(.tooMany, message, retryAfterSeconds: 1)
    }

    /// Returns an error if a session may cause no notifications to others now.
    mutating func fanOutRefusal(of session: ClientSession, at now: Instant) -> WireError? {
        guard let wait = session.fanOut.wait(at: now.nanoseconds) else { return nil }
        refusals.fanOut += 1
        let message =
            "this account's requests send other parties more than the hub allows; wait \(wait) s before the next one"
        return WireError(.tooMany, message, retryAfterSeconds: wait)
    }
}
